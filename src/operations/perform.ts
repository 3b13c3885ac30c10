import { z } from 'zod';
import type { Caller, Permit } from '../access/caller.ts';
import { withSlot } from '../access/throttle/atOnce.ts';
import { mustWait, runInTurn, turnOf } from '../access/throttle/loopShare.ts';
import type { Db, Fragment, Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { AppError, InvalidRequest, type Path, Unavailable } from '../values/errors.ts';
import { JsonText, type Result } from './json.ts';
import { completed, isRead, type Operation, type Preparing, type StatementWrite, type TransactionWrite, type Write } from './operation.ts';
import { noteRefusal, refuseAgain } from './refusedForms.ts';
import type { Request } from './request.ts';
import { countedForm, countForm } from './sentFormQueries.ts';
import { isFormCaller } from './sentForms.ts';
import { auditOf, runTold } from './telling.ts';

export interface Asking {
  /** For reads: ETags that the caller has. */
  known?: readonly string[] | undefined;
  /** Called before the start, possibly after waiting. If false, the work is skipped because its client has disconnected. */
  wanted?(): boolean;
}

/** Runs an operation. Throws only AppError; unexpected errors become Unavailable with their cause. */
export async function perform<Input, Output>(
  db: Db,
  caller: Caller,
  operation: Operation<Input, Output>,
  input: Input,
  { known, wanted }: Asking = {},
): Promise<Result<Output>> {
  try {
    if (!isRead(operation)) refuseAgain(caller);
    const work = () =>
      isRead(operation) ? operation.run(db.pool(wanted), caller, input, known) : change(db, caller, operation, input, wanted);
    return await (isRead(operation) && operation.waits ? work() : withSlot(caller, work, wanted));
  } catch (error) {
    const refusal = refusalOf(operation, error, input);
    if (!isRead(operation)) noteRefusal(caller, refusal);
    throw refusal;
  }
}

function change<Input, Facts, Output, Prepared, Stored>(
  db: Db,
  caller: Caller,
  operation: Write<Input, Facts, Output, Prepared, Stored>,
  input: Input,
  wanted?: () => boolean,
): Promise<Result<Output>> {
  if ('decide' in operation) return changeByStatement(db.pool(wanted), caller, operation, input, wanted);
  return changeInTransaction(db, caller, operation, input, { wanted });
}

interface How<Stored> {
  request?: Request;
  wanted?: (() => boolean) | undefined;
  /** The last statement of the transaction. */
  record?(tx: Tx, permit: Permit, stored: Stored): Promise<unknown>;
}

export const prepares = <Input>(operation: Preparing<Input>, input: Input): boolean =>
  'prepare' in operation && (operation.prepares?.(input) ?? true);

export async function changeInTransaction<Input, Facts, Output, Prepared, Stored>(
  db: Db,
  caller: Caller,
  operation: TransactionWrite<Input, Facts, Output, Prepared, Stored>,
  input: Input,
  { request, wanted, record }: How<Stored>,
): Promise<Output> {
  let prepared: Prepared | undefined;
  if (prepares(operation, input)) {
    const permit = await operation.authorize(db.pool(wanted), caller, input, { replay: false });
    prepared = await operation.prepare!(permit, input, { db, request });
  }
  const attempt = (mayWait: boolean) =>
    db.transaction(async (tx): Promise<{ output: Output } | { waiting: number }> => {
      const permit = await operation.authorize(tx, caller, input, { replay: false });
      if (mayWait && mustWait(permit.userId)) return { waiting: permit.userId };
      if (isFormCaller(caller)) await countForm(tx, caller, caller.once);
      const stored = await runTold(tx, operation, permit, input, prepared as Prepared);
      await record?.(tx, permit, stored);
      return { output: await completed(tx, operation, permit, stored) };
    }, wanted);
  let done = await attempt(true);
  if ('waiting' in done) {
    // No connection is held while the user waits for their share of the event loop (behaviour §13.15).
    await turnOf(done.waiting, wanted);
    done = await attempt(false);
  }
  return (done as { output: Output }).output;
}

const Written = z.object({ result: z.string() });

async function changeByStatement<Input, Facts, Output, Prepared, Stored>(
  tx: Tx,
  caller: Caller,
  operation: StatementWrite<Input, Facts, Output, Prepared, Stored>,
  input: Input,
  wanted?: () => boolean,
): Promise<Result<Output>> {
  const counted = isFormCaller(caller) ? sql.fragment`, ${countedForm(caller, caller.once)}` : sql.fragment``;
  const written = (statement: Fragment) =>
    tx.maybeOne(sql.type(Written)`with ${statement}${counted} select result::text as result from change`);
  const atOnce = operation.atOnce && (await written(operation.atOnce(caller, input)));
  if (atOnce) return new JsonText(atOnce.result);
  const permit = await operation.authorize(tx, caller, input, { replay: false });
  const change = await runInTurn(permit.userId, () => operation.decide(permit, input), wanted);
  if ('unchanged' in change) return completed(tx, operation, permit, change.unchanged);
  const done = await written(sql.fragment`${change.statement}${auditOf(operation, permit, input)}`);
  if (!done) return change.refused(tx);
  return operation.complete ? operation.complete(tx, permit, JSON.parse(done.result)) : new JsonText(done.result);
}

const mebibytes = (bytes: string) => `${(Math.ceil((Number(bytes) / 1024 / 1024) * 10) / 10).toFixed(1)} MiB`;

/** Messages for database errors (sql/0004_items.sql and sql/0032_note_quotas.sql raise the ST codes). */
const refusals: Record<string, (field: string, detail: string) => AppError> = {
  ST001: () => new InvalidRequest(['fields'], 'a link points at an item of the wrong type; read that item again.'),
  ST002: (field) => new InvalidRequest(['fields', field], 'would make a circle; link to an item that is not below this one.'),
  ST003: (field) => new InvalidRequest(['fields', field], 'links can be at most 100 levels deep; link to an item further up.'),
  ST004: (_, used) =>
    new InvalidRequest(
      [],
      `Your personal notes take ${mebibytes(used)} of the 100 MiB that they may: shorten or delete some, then try again.`,
    ),
  ST005: (_, used) =>
    new InvalidRequest([], `The files of your notes take ${mebibytes(used)} of the 500 MiB that they may: delete some, then try again.`),
  '22P05': () => new InvalidRequest([], 'The text contains a character that can not be stored: take it out.'),
  '57014': () => new Unavailable('This took too long and was stopped: narrow the filter, then try again.'),
  '55P03': () => new Unavailable('Somebody else is changing the same thing right now: wait a moment and try again.', 1),
};

interface Placing<Input> {
  name: string;
  faultsAt?: Path;
  placeOf?(input: Input, itemId: number): Path | undefined;
}

export function refusalOf<Input>({ faultsAt, placeOf }: Placing<Input>, error: unknown, input: Input): AppError {
  const refusal = asAppError(error);
  const item = placeOf && sqlState(error)?.startsWith('ST') ? Number(databaseText(error, 'detail')) : 0;
  const at = item ? placeOf!(input, item) : faultsAt;
  return refusal instanceof InvalidRequest && at ? refusal.inside(at) : refusal;
}

export function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const known = refusals[sqlState(error) ?? ''];
  if (known) return known(databaseText(error, 'column') ?? '', databaseText(error, 'detail') ?? '');
  const unforeseen = new Unavailable();
  unforeseen.cause = error;
  return unforeseen;
}

/** The SQLSTATE of a database error, also if slonik wrapped it. */
export const sqlState = (error: unknown): string | undefined => databaseText(error, 'code');

function databaseText(error: unknown, name: 'code' | 'column' | 'detail'): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    const value = (at as Error & Record<string, unknown>)[name];
    if (typeof value === 'string') return value;
  }
  return undefined;
}
