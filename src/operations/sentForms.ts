/** Forms that count once, however often they are sent: doubly, by reloading the answer, or again after an answer that was lost. The
 *  first change claims the form in its own commit (perform.ts), so that a form whose change failed can be sent again; a twin is led to
 *  where the first one went. What receipts are to agents (performOnce.ts). */
import { setTimeout as after } from 'node:timers/promises';
import type { Caller, SessionCaller } from '../access/caller.ts';
import type { Db } from '../database/db.ts';
import { Conflict } from '../values/errors.ts';
import { findSentForm, keepWay } from './sentFormQueries.ts';

/** A session that is sending a form. `once` names it: what is the same form has the same name. */
export type FormCaller = SessionCaller & { once: string };

export const isFormCaller = (caller: Caller): caller is FormCaller => caller.kind === 'session' && 'once' in caller;

export interface FormWork<Answer> {
  /** Carries the form out, by operations performed for `caller`. At most one of them may change anything. */
  handle(caller: FormCaller): Promise<Answer>;
  /** Where an answer leads: a path, '' for a page of its own, null for a refusal, after which the form may be sent again. */
  wayOf(answer: Answer): string | null;
  /** The answer that leads to this path. */
  leadTo(way: string): Answer;
}

const LOOKS = 10;
const BETWEEN_MS = 100;

/** Carries the form out, or answers as it was answered before. Throws Conflict for what was shown only then. */
export async function sendOnce<Answer>(db: Db, caller: SessionCaller, nonce: string, work: FormWork<Answer>): Promise<Answer> {
  const earlier = await wayOfTwin(db, caller, nonce);
  if (earlier !== null) return work.leadTo(earlier);
  const answer = await handled(db, { ...caller, once: nonce }, work);
  const way = work.wayOf(answer);
  // It is done: a key must be shown, whatever becomes of this.
  if (way !== null) await keepWay(db.pool(), caller, nonce, way).catch(() => {});
  return answer;
}

/** What goes wrong because a twin was quicker is not told: its answer is ours. */
async function handled<Answer>(db: Db, caller: FormCaller, work: FormWork<Answer>): Promise<Answer> {
  try {
    const answer = await work.handle(caller);
    const twin = work.wayOf(answer) === null ? await wayOfTwin(db, caller, caller.once) : null;
    return twin === null ? answer : work.leadTo(twin);
  } catch (error) {
    const twin = await wayOfTwin(db, caller, caller.once).catch((found) => {
      if (found instanceof Conflict) throw found;
      return null;
    });
    if (twin !== null) return work.leadTo(twin);
    throw error;
  }
}

/** Null when no change has counted this form yet. A twin that has just committed says in a moment where it went. */
async function wayOfTwin(db: Db, caller: SessionCaller, nonce: string): Promise<string | null> {
  for (let look = 1; ; look++) {
    const sent = await findSentForm(db.pool(), caller, nonce);
    if (!sent) return null;
    if (sent.way) return sent.way;
    if (sent.way === '' || look === LOOKS) throw sentBefore();
    await after(BETWEEN_MS);
  }
}

const sentBefore = () =>
  new Conflict(
    'This form has been sent already and is not carried out twice. Look whether the change is there; a key is shown only once, so one that you could not copy has to be replaced.',
  );
