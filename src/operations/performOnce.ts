/** Performs a write exactly once: the write and its receipt are one commit (behaviour §5.20, §7.14, §7.17).
 *
 *  A retry finds the receipt before anything else. Of two concurrent calls, the unique index lets one commit. The other rolls back, finds
 *  the receipt and answers from it. */
import { z } from 'zod';
import type { Caller, Permit } from '../access/caller.ts';
import { withSlot } from '../access/throttle/atOnce.ts';
import { runInTurn } from '../access/throttle/loopShare.ts';
import type { Db, Fragment, Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { Conflict, Unavailable } from '../values/errors.ts';
import { completed, replayed, type StatementWrite, type Write } from './operation.ts';
import { changeInTransaction, prepares, refusalOf } from './perform.ts';
import { type Receipt, receiptsOf } from './receiptQueries.ts';
import type { Request } from './request.ts';
import { auditOf } from './telling.ts';

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

async function changeOnce<Input, Facts, Output, Prepared, Stored>(
  db: Db,
  caller: Caller,
  operation: Write<Input, Facts, Output, Prepared, Stored>,
  input: Input,
  request: Request,
): Promise<Outcome<Output>> {
  const pool = db.pool(request.wanted);
  const receipts = receiptsOf(request.call);
  const answered = async (receipt: Receipt) => ({ result: await answer(pool, caller, operation, input, request, receipt), replayed: true });
  try {
    const earlier = await receipts.find(pool);
    if (earlier) return await answered(earlier);
    try {
      return { result: await changeWithReceipt(db, caller, operation, input, request), replayed: false };
    } catch (error) {
      // If there is a receipt now, a concurrent call has committed and caused our failure.
      const twin = await receipts.find(pool);
      if (!twin) throw error;
      return await answered(twin);
    }
  } catch (error) {
    throw refusalOf(operation, error, input);
  }
}

/** Answers from the receipt. Throws Forbidden without access, then Conflict if it belongs to another change. */
async function answer<Input, Facts, Output, Prepared, Stored>(
  tx: Tx,
  caller: Caller,
  operation: Write<Input, Facts, Output, Prepared, Stored>,
  input: Input,
  request: Request,
  receipt: Receipt,
): Promise<Output> {
  const permit = await operation.authorize(tx, caller, input, { replay: true });
  const said = [input, ...(operation.alike?.(permit, input) ?? [])];
  const { asked, idName } = receiptsOf(request.call);
  if (receipt.asked !== asked || !said.some((one) => request.isFingerprintOf(receipt.fingerprint, one))) {
    throw new Conflict(
      `This ${idName} was already used for another change: give a fresh UUID to each intended change, and keep it for its retries only.`,
    );
  }
  return replayed(tx, operation, permit, JSON.parse(receipt.result));
}

function changeWithReceipt<Input, Facts, Output, Prepared, Stored>(
  db: Db,
  caller: Caller,
  operation: Write<Input, Facts, Output, Prepared, Stored>,
  input: Input,
  request: Request,
): Promise<Output> {
  const { call, fingerprintOf, wanted } = request;
  const receipt = () => receiptsOf(call).with(fingerprintOf(input));
  if ('decide' in operation) return changeByStatement(db, caller, operation, input, request, receipt);
  return changeInTransaction(db, caller, operation, input, {
    request,
    wanted,
    record: (tx, permit, stored) =>
      tx.query(
        sql.unsafe`with ${asChange(operation.receipt ? operation.receipt(stored as never, input) : stored, permit)}, ${receipt()} select 1`,
      ),
  });
}

const Written = z.object({ result: z.string() });

async function changeByStatement<Input, Facts, Output, Prepared, Stored>(
  db: Db,
  caller: Caller,
  operation: StatementWrite<Input, Facts, Output, Prepared, Stored>,
  input: Input,
  request: Request,
  receipt: () => Fragment,
): Promise<Output> {
  const tx = db.pool(request.wanted);
  const permit = await operation.authorize(tx, caller, input, { replay: false });
  const prepared = await operation.prepare?.(db, permit, input, request);
  const change = await runInTurn(permit.userId, () => operation.decide(permit, input, prepared), request.wanted);
  const audited = 'unchanged' in change ? sql.fragment`` : auditOf(operation, permit, input);
  const statement = 'unchanged' in change ? asChange(change.unchanged, permit) : change.statement;
  const done = await tx.maybeOne(sql.type(Written)`with ${statement}, ${receipt()}${audited} select result::text as result from change`);
  if (done) return completed(tx, operation, permit, JSON.parse(done.result));
  if ('unchanged' in change) throw new Unavailable();
  return change.refused(tx);
}

/** An existing result as the CTE `change`. Workspace 0 means none (personal notes). */
function asChange<Stored>(stored: Stored, { workspaceId }: Permit): Fragment {
  return sql.fragment`change as (select ${JSON.stringify(stored)}::json as result, nullif(${workspaceId}::bigint, 0) as workspace_id)`;
}
