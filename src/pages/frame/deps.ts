import type { Identities } from '../../access/identities.ts';
import type { LastUse } from '../../access/presented.ts';
import { Limiter } from '../../access/throttle/perMinute.ts';
import { emailOperations } from '../../accounts/emailChange.ts';
import { invitationOperations } from '../../accounts/invite.ts';
import { linkMailOperations } from '../../accounts/linkMails.ts';
import { listFree } from '../../capacity/snapshots/freeTime.ts';
import { getCapacity } from '../../capacity/snapshots/getCapacity.ts';
import { getCapacityPage, listProjects, openProject } from '../../capacity/snapshots/getCapacityPage.ts';
import type { Config } from '../../config.ts';
import type { Db } from '../../database/db.ts';
import type { LiveHub } from '../../live/hub.ts';
import type { Logger } from '../../log.ts';
import { webhookOperations } from '../../webhooks/manage.ts';
import type { Reference } from '../reference/document.ts';

export interface SharedDeps {
  config: Config;
  db: Db;
  log: Logger;
  lastUse: LastUse;
  hub: LiveHub;
  identities: Identities;
  reference: Reference;
}

export type PageDeps = ReturnType<typeof pageDeps>;

export function pageDeps(shared: SharedDeps) {
  const { config, db } = shared;
  return {
    ...shared,
    limiter: new Limiter(db, config.limits.pages),
    signInLimiter: new Limiter(db, config.limits.signIn),
    // Wait only 5 seconds: the page then says that the forecast is being computed.
    capacity: getCapacity(db, 5_000),
    capacityPage: getCapacityPage(db, 5_000),
    capacityProject: openProject(db, 5_000),
    capacityProjects: listProjects(db, 5_000),
    listFree: listFree(db, 5_000),
    invitations: invitationOperations(config),
    emails: emailOperations(config),
    linkMails: linkMailOperations(db),
    webhooks: webhookOperations({ secretKey: config.secretKey, privateAddresses: config.webhookPrivateAddresses }),
  };
}
