/** Keeps a refused form and its refusal for an hour for its session (behaviour §22.8). A reloaded form never changes anything. */
import type { Caller, SessionCaller } from '../access/caller.ts';
import { hashSecret, newSecret } from '../access/secrets.ts';
import type { Db } from '../database/db.ts';
import { AppError, Conflict, type Fault, InvalidRequest, type Path, sentenceOf } from '../values/errors.ts';
import { findRefusedForm, insertRefusedForm, type Stored, type Values } from './refusedFormQueries.ts';

/** A session that sends a form; `tried` records why its change was refused. */
export type TryingCaller = SessionCaller & { tried: { refusal: AppError | null } };

export type ReplayingCaller = SessionCaller & { replays: { refusal: AppError | null } };

/** Prevents a second attempt. Throws the stored refusal. */
export function refuseAgain(caller: Caller): void {
  if ('replays' in caller)
    throw (caller as ReplayingCaller).replays.refusal ?? new Conflict('This form cannot be shown again. Reload the page.');
}

export function noteRefusal(caller: Caller, error: AppError): void {
  if ('tried' in caller) (caller as TryingCaller).tried.refusal = error;
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
    whatToDo: (nameOf) => whatToDo.replace(/\ue000(.*?)\ue000/g, (_, name) => nameOf(JSON.parse(name) as Path)),
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
