/** What a page handler gets and gives. */
import type { Context } from 'koa';
import type { Caller, SessionCaller } from '../../access/caller.ts';
import type { Identities } from '../../access/identities.ts';
import type { LastUse } from '../../access/lastUse.ts';
import type { Limiter } from '../../access/throttle/perMinute.ts';
import type { emailOperations } from '../../accounts/emailChange.ts';
import type { invitationOperations } from '../../accounts/invite.ts';
import type { linkMailOperations } from '../../accounts/linkMails.ts';
import type { SignedIn } from '../../accounts/sessions.ts';
import type { getCapacity } from '../../capacity/snapshots/getCapacity.ts';
import type { getCapacityPage } from '../../capacity/snapshots/getCapacityPage.ts';
import type { Config } from '../../config.ts';
import type { Db } from '../../database/db.ts';
import type { LiveHub } from '../../live/hub.ts';
import type { Logger } from '../../log.ts';
import type { webhookOperations } from '../../webhooks/manage.ts';
import type { Reference } from '../reference/document.ts';
import type { Form } from './forms.ts';
import type { Page } from './layout.ts';
import type { FormContext } from './postForm.ts';

export interface PageDeps {
  config: Config;
  db: Db;
  log: Logger;
  limiter: Limiter;
  signInLimiter: Limiter;
  /** Open streams, and whose sessions are whose. */
  hub: LiveHub;
  identities: Identities;
  lastUse: LastUse;
  capacity: ReturnType<typeof getCapacity>;
  capacityPage: ReturnType<typeof getCapacityPage>;
  invitations: ReturnType<typeof invitationOperations>;
  emails: ReturnType<typeof emailOperations>;
  linkMails: ReturnType<typeof linkMailOperations>;
  webhooks: ReturnType<typeof webhookOperations>;
  /** What the other faces say of themselves. */
  reference: Reference;
}

/** A request for a page that anybody may see. */
export interface PublicRequest extends FormContext {
  ctx: Context;
  deps: PageDeps;
  caller: Caller;
  /** Named parts of the path; `:id` is a safe positive integer or the page does not exist. */
  params: Record<string, string>;
  query: URLSearchParams;
  /** Empty on GET. */
  form: Form;
}

/** A request of somebody signed in. */
export interface PageRequest extends PublicRequest {
  caller: SessionCaller;
  user: SignedIn;
}

/** Where to go next: below the context path, with a notice. */
export interface Redirect {
  redirect: string;
  notice?: string;
}

/** The place on the page, if it names one, stays the end of it. */
export function addressOf({ redirect, notice }: Redirect): string {
  if (!notice) return redirect;
  const [page = '', place] = redirect.split('#');
  return `${page}${page.includes('?') ? '&' : '?'}notice=${notice}${place === undefined ? '' : `#${place}`}`;
}

/** A file of any length, made as it is taken. */
export interface Lines {
  lines: AsyncIterable<string>;
  type: string;
  name: string;
}

/** What a script of ours asked for, as JSON. */
export interface Data {
  data: object;
  status?: number;
}

/** A page (status 200 unless given), or where to go next, or a file to keep, or what a script asked for. */
export type Answer = (Page & { status?: number }) | Redirect | { file: Buffer; name: string } | Lines | Data;

interface Common {
  method: 'GET' | 'POST';
  /** Below the context path, e.g. /workspaces/:id/settings. */
  path: string;
  /** Only on the machine of whoever works on it. */
  development?: true;
}
export interface PublicRoute extends Common {
  public: true;
  handle(request: PublicRequest): Promise<Answer>;
}
export interface PrivateRoute extends Common {
  public?: undefined;
  /** Leads on, or is a file: what stands around a page is read for a refusal alone. */
  bare?: true;
  /** Nothing of its form is kept when it is refused (again.ts). */
  keepsNothing?: true;
  handle(request: PageRequest): Promise<Answer>;
}
export type PageRoute = PublicRoute | PrivateRoute;
