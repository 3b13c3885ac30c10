/** Forms that take effect once (behaviour §12.8), even after a double click or a reload. The first change claims the form in its own commit
 *  (perform.ts), so that a failed form can be sent again. A duplicate gets the first one's redirect. */
import { setTimeout as after } from 'node:timers/promises';
import type { Caller, SessionCaller } from '../access/caller.ts';
import type { Db } from '../database/db.ts';
import { Conflict } from '../values/errors.ts';
import { findSentForm, keepDestination } from './sentFormQueries.ts';

export type FormCaller = SessionCaller & { once: string };

export const isFormCaller = (caller: Caller): caller is FormCaller => caller.kind === 'session' && 'once' in caller;

export interface FormWork<Answer> {
  /** Handles the form with operations performed for `caller`. At most one of them may change anything. */
  handle(caller: FormCaller): Promise<Answer>;
  /** The redirect of a response: a path, '' for a page, null for a refusal. A refused form may be sent again. */
  destinationOf(answer: Answer): string | null;
  redirectTo(path: string): Answer;
}

const LOOKS = 10;
const BETWEEN_MS = 100;

/** Handles the form, or repeats its earlier redirect. Throws Conflict if the earlier response was a page that is shown only once. */
export async function sendOnce<Answer>(db: Db, caller: SessionCaller, nonce: string, work: FormWork<Answer>): Promise<Answer> {
  const earlier = await findEarlierDestination(db, caller, nonce);
  if (earlier !== null) return work.redirectTo(earlier);
  const answer = await handled(db, { ...caller, once: nonce }, work);
  const destination = work.destinationOf(answer);
  // The change is committed, so the response, which may show a key, must not fail here.
  if (destination !== null) await keepDestination(db.pool(), caller, nonce, destination).catch(() => {});
  return answer;
}

/** If a duplicate was faster, returns its response instead of the failure. */
async function handled<Answer>(db: Db, caller: FormCaller, work: FormWork<Answer>): Promise<Answer> {
  try {
    const answer = await work.handle(caller);
    const twin = work.destinationOf(answer) === null ? await findEarlierDestination(db, caller, caller.once) : null;
    return twin === null ? answer : work.redirectTo(twin);
  } catch (error) {
    const twin = await findEarlierDestination(db, caller, caller.once).catch((found) => {
      if (found instanceof Conflict) throw found;
      return null;
    });
    if (twin !== null) return work.redirectTo(twin);
    throw error;
  }
}

/** Returns null if no change has claimed this form. Waits shortly, because a duplicate stores its redirect just after its commit. */
async function findEarlierDestination(db: Db, caller: SessionCaller, nonce: string): Promise<string | null> {
  for (let look = 1; ; look++) {
    const sent = await findSentForm(db.pool(), caller, nonce);
    if (!sent) return null;
    if (sent.destination) return sent.destination;
    if (sent.destination === '' || look === LOOKS) throw sentBefore();
    await after(BETWEEN_MS);
  }
}

const sentBefore = () =>
  new Conflict('This form was already sent, so nothing was changed again. Check the result. If you did not copy a key, create a new one.');
