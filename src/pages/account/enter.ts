import type { NewSession } from '../../accounts/sessions.ts';
import type { PublicRequest, Redirect } from '../frame/page.ts';
import { handOver } from '../frame/session.ts';
import type { Refusal } from '../frame/submitted.ts';
import { giveMark } from './knownBrowser.ts';

/** Sets the session cookie and the known-browser cookie. */
export function redirectSignedIn({ ctx, deps }: PublicRequest, begun: NewSession, where: Redirect): Redirect {
  handOver(ctx, deps.config, begun);
  giveMark(ctx, deps.config, begun.userId);
  return where;
}

/** Rethrows conflicts: another request was first, so correcting the form is useless. */
export function rethrowConflict(refusal: Refusal): Refusal {
  if (refusal.status === 409) throw refusal.error;
  return refusal;
}
