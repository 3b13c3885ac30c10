/** What all ways in have in common. */
import type { Begun } from '../../accounts/sessions.ts';
import type { PublicRequest, Redirect } from '../frame/page.ts';
import { handOver } from '../frame/session.ts';
import type { Refusal } from '../frame/submitted.ts';
import { giveMark } from './knownBrowser.ts';

/** The browser gets its session, and a mark by which it is known the next time. */
export function enter({ ctx, deps }: PublicRequest, begun: Begun, where: Redirect): Redirect {
  handOver(ctx, deps.config, begun);
  giveMark(ctx, deps.config, begun.userId);
  return where;
}

/** Where somebody came first the form is of no use any more: that is told on a page of its own. */
export function correctable(refusal: Refusal): Refusal {
  if (refusal.status === 409) throw refusal.error;
  return refusal;
}
