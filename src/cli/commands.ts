/** All commands of `npm run stint` by name (behaviour §2.2). */

import { z } from 'zod';
import { readAuditSince } from '../accounts/auditQueries.ts';
import * as accounts from './accounts.ts';
import * as changes from './changes.ts';
import { type Command, command, option } from './command.ts';
import * as connections from './connections.ts';
import * as database from './database.ts';
import { doctor } from './doctor.ts';
import * as jobs from './jobs.ts';
import * as keys from './keys.ts';
import * as lists from './lists.ts';
import { id } from './options.ts';
import * as restore from './restore.ts';
import { sbom } from './sbom.ts';
import * as time from './time.ts';
import * as users from './users.ts';
import * as webhooks from './webhooks.ts';
import * as workspaces from './workspaces.ts';

/** `audit`: the audit of accounts, line by line (behaviour §17.4). */
const { schema: accountId } = id('account');
const instant = z.iso.datetime({ offset: true, error: 'give an instant such as 2026-12-31T23:00:00Z' });

export const audit = command({
  summary: 'list the audit of accounts, people, keys and workspaces, oldest first, as one JSON object per line',
  options: {
    account: option(accountId.optional(), 'ID', 'only entries of this account'),
    since: option(instant.optional(), 'ISO', 'from that moment on; from the beginning when left out'),
  },
  async run(context, { account = null, since = null }) {
    const db = await context.db();
    for (let after = 0; ; ) {
      const rows = await readAuditSince(db.pool(), account, since, after);
      const last = rows.at(-1);
      if (!last) return undefined;
      await context.write(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
      after = last.id;
    }
  },
});

export const commands: Record<string, Command> = {
  migrate: database.migrate,
  import: database.importFile,
  export: database.exportOne,
  'account create': accounts.createAccount,
  'account rename': accounts.rename,
  'account list': lists.accounts,
  'account erase': accounts.erase,
  'account restore': accounts.restore,
  'user create': accounts.createUser,
  'user list': lists.users,
  'user update': users.update,
  'user password-link': users.passwordLink,
  'user deactivate': users.deactivate,
  'user reactivate': users.reactivate,
  'user erase': users.erase,
  'workspace create': workspaces.createWorkspace,
  'workspace list': lists.workspaces,
  'workspace rename': workspaces.rename,
  'workspace archive': workspaces.archive,
  'workspace restore': workspaces.restore,
  'workspace erase': workspaces.erase,
  'workspace export': database.exportWorkspace,
  'workspace mcp': workspaces.mcp,
  'member set': workspaces.set,
  'member list': lists.members,
  'member remove': workspaces.remove,
  'key create': keys.create,
  'key list': lists.keys,
  'key revoke': keys.revoke,
  'connection create': connections.create,
  'connection list': lists.connections,
  'connection rotate': connections.rotate,
  'connection revoke': connections.revoke,
  'connection set': connections.set,
  changes: changes.list,
  time: time.list,
  'webhook create': webhooks.create,
  'webhook list': webhooks.list,
  'webhook rotate': webhooks.rotate,
  'webhook test': webhooks.test,
  'webhook revoke': webhooks.revoke,
  prune: database.prune,
  'restore prepare': restore.prepare,
  'restore finish': restore.finish,
  'jobs list': jobs.list,
  'jobs retry': jobs.retry,
  'jobs drop': jobs.drop,
  audit,
  doctor,
  sbom,
  version: database.version,
};
