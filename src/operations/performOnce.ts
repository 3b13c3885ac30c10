/** Performs a write exactly once: the write and its receipt are one commit (behaviour §5.20, §7.14, §7.17).
 *
 *  A retry finds the receipt while it reads access (begin.ts). Of two concurrent calls, the unique index lets one commit. The other rolls
 *  back, finds the receipt and answers from it. */
import { z } from 'zod';
import type { Caller, Permit } from '../access/caller.ts';
import { withSlot } from '../access/throttle/atOnce.ts';
import { inTurn } from '../access/throttle/loopShare.ts';
import type { Db, Fragment, Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { Conflict, Unavailable } from '../values/errors.ts';
import { begin, type Earlier } from './begin.ts';
import { type Change, completed, type TransactionWrite, type Write } from './operation.ts';
import { refusalOf } from './perform.ts';
import { receiptsOf } from './receiptQueries.ts';
import type { Request } from './request.ts';
import { auditOf, runTold } from './telling.ts';

export interface Outcome<Output> {
  result: Output;
  replayed: boolean;
}

/** Performs the write, or replays it after checking access again. Throws AppError; a failure leaves no receipt. */
export function performOnce<Input, Facts, Output, Prepared, Stored>(
  db: Db,
  caller: Caller,
  operation: Write<Input, Facts, Output, Prepared, Stored>,
  input: Input,
  request: Request,
): Promise<Outcome<Output>> {
  const work = () => changeOnce(db, caller, operation, input, request);
  // Waiting for another process needs no database connection, so the limit per credential does not count it.
  return prepares(operation, input) ? work() : withSlot(caller, work, request.wanted);
}

function prepares<Input, Facts, Output, Prepared, Stored>(operation: Write<Input, Facts, Output, Prepared, Stored>, input: Input): boolean {
  if (!('prepare' in operation)) return false;
  return !('prepares' in operation) || operation.prepares!(input);
}

async function changeOnce<Input, Facts, Output, Prepared, Stored>(
  db: Db,
  caller: Caller,
  operation: Write<Input, Facts, Output, Prepared, Stored>,
  input: Input,
  request: Request,
): Promise<Outcome<Output>> {
  try {
    const done = await changeWithReceipt(db, caller, operation, input, request).catch(async (error) => {
      // If there is a receipt, a concurrent call has committed and caused our failure. Its result is the answer.
      const receipt = await receiptsOf(request.call).find(db.pool(request.wanted));
      if (!receipt) throw error;
      return { receipt };
    });
    if (!('receipt' in done)) return { result: done.result, replayed: false };
    return { result: await replay(db.pool(request.wanted), caller, operation, input, request, done), replayed: true };
  } catch (error) {
    throw refusalOf(operation, error, input);
  }
}

async function replay<Input, Facts, Output, Prepared, Stored>(
  tx: Tx,
  caller: Caller,
  operation: Write<Input, Facts, Output, Prepared, Stored>,
  input: Input,
  request: Request,
  { receipt, permit: known }: Earlier<Permit & Facts>,
): Promise<Output> {
  const permit = known ?? (await operation.authorize(tx, caller, input, { replay: true }));
  const said = [input, ...(operation.alike?.(permit, input) ?? [])];
  const { asked, idName } = receiptsOf(request.call);
  if (receipt.asked !== asked || !said.some((one) => request.isFingerprintOf(receipt.fingerprint, one))) {
    throw new Conflict(
      `This ${idName} was already used for another change: give a fresh UUID to each intended change, and keep it for its retries only.`,
    );
  }
  return completed(tx, operation, permit, JSON.parse(receipt.result));
}

type Done<Output, Permitted> = { result: Output } | Earlier<Permitted>;

async function changeWithReceipt<Input, Facts, Output, Prepared, Stored>(
  db: Db,
  caller: Caller,
  operation: Write<Input, Facts, Output, Prepared, Stored>,
  input: Input,
  request: Request,
): Promise<Done<Output, Permit & Facts>> {
  if ('decide' in operation) {
    const tx = db.pool(request.wanted);
    const begun = await begin(tx, caller, operation, input, request);
    if ('receipt' in begun) return begun;
    const { permit } = begun;
    const prepared = await operation.prepare?.(db, permit, input, request);
    const change = await inTurn(permit.userId, () => operation.decide(permit, input, prepared), request.wanted);
    const audited = 'unchanged' in change ? sql.fragment`` : auditOf(operation, permit, input);
    const stored = await changeByStatement(tx, change, permit, receiptOf(request, input), audited);
    return { result: await completed(tx, operation, permit, stored) };
  }
  let prepared: Prepared | undefined;
  if (operation.prepare) {
    const begun = await begin(db.pool(request.wanted), caller, operation, input, request);
    if ('receipt' in begun) return begun;
    prepared = await operation.prepare(begun.permit, input);
  }
  return db.transaction((tx) => changeInTransaction(tx, caller, operation, input, request, prepared as Prepared), request.wanted);
}

async function changeInTransaction<Input, Facts, Output, Prepared, Stored>(
  tx: Tx,
  caller: Caller,
  operation: TransactionWrite<Input, Facts, Output, Prepared, Stored>,
  input: Input,
  request: Request,
  prepared: Prepared,
): Promise<Done<Output, Permit & Facts>> {
  const begun = await begin(tx, caller, operation, input, request);
  if ('receipt' in begun) return begun;
  const { permit } = begun;
  const stored = await runTold(tx, operation, permit, input, prepared);
  await tx.query(sql.unsafe`with ${asChange(stored, permit)}, ${receiptOf(request, input)} select 1`);
  return { result: await completed(tx, operation, permit, stored) };
}

const Written = z.object({ result: z.string() });

async function changeByStatement<Stored>(
  tx: Tx,
  change: Change | { unchanged: Stored },
  permit: Permit,
  receipt: Fragment,
  audited: Fragment,
): Promise<Stored> {
  const statement = 'unchanged' in change ? asChange(change.unchanged, permit) : change.statement;
  const done = await tx.maybeOne(sql.type(Written)`with ${statement}, ${receipt}${audited} select result::text as result from change`);
  if (done) return JSON.parse(done.result);
  if ('unchanged' in change) throw new Unavailable();
  return change.refused(tx);
}

/** An existing result as the CTE `change`. Workspace 0 means none (personal notes). */
function asChange<Stored>(stored: Stored, { workspaceId }: Permit): Fragment {
  return sql.fragment`change as (select ${JSON.stringify(stored)}::json as result, nullif(${workspaceId}::bigint, 0) as workspace_id)`;
}

const receiptOf = <Input>({ call, fingerprintOf }: Request, input: Input): Fragment => receiptsOf(call).with(fingerprintOf(input));
