/** Forms that take effect once (behaviour §12.8), however often they are sent: by a double click, by reloading the answer, or again
 *  after an answer that was lost. The first change claims the form in its own commit (perform.ts), so that a form whose change failed
 *  can be sent again; a duplicate is redirected to where the first one was. What receipts are to agents (performOnce.ts). */
import { setTimeout as after } from 'node:timers/promises';
import type { Caller, SessionCaller } from '../access/caller.ts';
import type { Db } from '../database/db.ts';
import { Conflict } from '../values/errors.ts';
import { findSentForm, keepDestination } from './sentFormQueries.ts';

/** A session that is sending a form. `once` names it: what is the same form has the same name. */
export type FormCaller = SessionCaller & { once: string };

export const isFormCaller = (caller: Caller): caller is FormCaller => caller.kind === 'session' && 'once' in caller;

export interface FormWork<Answer> {
  /** Carries the form out, by operations performed for `caller`. At most one of them may change anything. */
  handle(caller: FormCaller): Promise<Answer>;
  /** Where an answer redirects to: a path, '' for an answer that is a page, null for a refusal, after which the form may be sent again. */
  destinationOf(answer: Answer): string | null;
  /** The answer that redirects to this path. */
  redirectTo(path: string): Answer;
}

const LOOKS = 10;
const BETWEEN_MS = 100;

/** Carries the form out, or answers as it was answered before. Throws Conflict for what was shown only then. */
export async function sendOnce<Answer>(db: Db, caller: SessionCaller, nonce: string, work: FormWork<Answer>): Promise<Answer> {
  const earlier = await findEarlierDestination(db, caller, nonce);
  if (earlier !== null) return work.redirectTo(earlier);
  const answer = await handled(db, { ...caller, once: nonce }, work);
  const destination = work.destinationOf(answer);
  // It is done: a key must be shown, whatever becomes of this.
  if (destination !== null) await keepDestination(db.pool(), caller, nonce, destination).catch(() => {});
  return answer;
}

/** A failure because a duplicate was quicker is not shown: the duplicate's answer is given instead. */
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

/** Null when no change has claimed this form yet. A duplicate that has just committed stores its destination a moment later. */
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
  new Conflict(
    'This form has been sent already and is not carried out twice. Look whether the change is there; a key is shown only once, so one that you could not copy has to be replaced.',
  );
