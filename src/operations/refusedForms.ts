/** Keeps a refused form and its refusal for an hour for its session (behaviour §22.8). A reloaded form never changes anything. */

import { setTimeout as after } from 'node:timers/promises';
import type { Caller, SessionCaller } from '../access/caller.ts';
import { hashSecret, newSecret } from '../access/secrets.ts';
import type { Db } from '../database/db.ts';
import { AppError, Conflict, type Fault, InvalidRequest, type Path, sentenceOf } from '../values/errors.ts';
import { findRefusedForm, findSentForm, insertRefusedForm, keepDestination, type Stored, type Values } from './refusedFormQueries.ts';

/** A session that sends a form; `tried` records why its change was refused. */
export type TryingCaller = SessionCaller & { tried: { refusal: AppError | null } };

export type ReplayingCaller = SessionCaller & { replays: { refusal: AppError | null } };

const isReplaying = (caller: Caller): caller is ReplayingCaller => 'replays' in caller;
const isTrying = (caller: Caller): caller is TryingCaller => 'tried' in caller;

/** Prevents a second attempt. Throws the stored refusal. */
export function refuseAgain(caller: Caller): void {
  if (isReplaying(caller)) throw caller.replays.refusal ?? new Conflict('This form cannot be shown again. Reload the page.');
}

export function noteRefusal(caller: Caller, error: AppError): void {
  if (isTrying(caller)) caller.tried.refusal = error;
}

export type { Values } from './refusedFormQueries.ts';

export interface RefusedForm {
  values: Values;
  refusal: AppError | null;
}

const MOST_BYTES = 256 * 1024;

const named = (path: Path) => `\ue000${JSON.stringify(path)}\ue000`;

function stored(error: AppError | null): Stored | null {
  if (!error || (error.code !== 'invalid_request' && error.code !== 'conflict')) return null;
  const faults = error instanceof InvalidRequest ? error.faults : [];
  const said = ({ path, whatToDo }: Fault) => ({ path, whatToDo: sentenceOf({ path: [], whatToDo }, named) });
  return { code: error.code, message: error.message, details: error.details, faults: faults.map(said) };
}

function revived({ code, message, details, faults: [first, ...more] }: Stored): AppError {
  const asFault = ({ path, whatToDo }: Stored['faults'][number]): Fault => ({
    path,
    whatToDo: (nameOf) => whatToDo.replace(/\ue000(.*?)\ue000/g, (_, name) => nameOf(JSON.parse(name))),
  });
  if (first) return new InvalidRequest(first.path, asFault(first).whatToDo, ...more.map(asFault));
  return code === 'conflict' ? new Conflict(message, details) : new AppError(code, message, details);
}

/** Returns the token to find it; null if it can't be stored. */
export async function keepRefused(db: Db, caller: SessionCaller, path: string, { values, refusal }: RefusedForm): Promise<string | null> {
  const fields = JSON.stringify(values);
  if (Buffer.byteLength(fields) > MOST_BYTES || /\\u0000/.test(fields) || !fields.isWellFormed()) return null;
  const { secret } = newSecret('session');
  const kept = await insertRefusedForm(db.pool(), caller, {
    hash: hashSecret(secret),
    path,
    fields,
    refusal: JSON.stringify(stored(refusal)),
  });
  return kept ? secret : null;
}

export async function findRefused(db: Db, caller: SessionCaller, path: string, token: string): Promise<RefusedForm | null> {
  const found = await findRefusedForm(db.pool(), caller, path, hashSecret(token));
  return found && { values: found.fields, refusal: found.refusal ? revived(found.refusal) : null };
}

/** Forms that take effect once (behaviour §12.8), even after a double click or a reload. The first change claims the form in its own commit
 *  (perform.ts), so that a failed form can be sent again. A duplicate gets the first one's redirect. */
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

/** Returns null if no change has claimed this form. Waits briefly, because a duplicate stores its redirect just after its commit. */
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
