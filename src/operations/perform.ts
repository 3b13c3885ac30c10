/** Runs every operation: limits, access, receipt, change, audit. Throws only AppError; unexpected errors become Unavailable with their
 *  cause.
 *
 *  A write with a receipt happens exactly once (behaviour §5.20, §7.14, §7.17): the change and its receipt are one commit. A retry finds
 *  the receipt first. Of two concurrent calls, the receipt's unique index lets one commit. The other rolls back, finds the receipt and
 *  answers from it. */
import type { Caller, Owner, Permit } from '../access/caller.ts';
import { withSlot } from '../access/throttle/concurrency.ts';
import { metered, turnOf } from '../access/throttle/loopShare.ts';
import { auditChange } from '../audit/audit.ts';
import type { Db, Tx } from '../database/db.ts';
import { type AppError, Conflict, Forbidden } from '../values/errors.ts';
import { unmetered } from '../values/meter.ts';
import type { Result } from './json.ts';
import { isRead, type Operation, type Write } from './operation.ts';
import { findReceipt, insertReceipt, type Receipt } from './receiptQueries.ts';
import { asAppError, refusalOf } from './refusals.ts';
import { countForm } from './refusedFormQueries.ts';
import { isFormCaller, noteRefusal, refuseAgain } from './refusedForms.ts';
import type { Request, ToolCall } from './request.ts';

interface Asking {
  /** For reads: ETags that the caller has. */
  known?: readonly string[] | undefined;
  /** Called before the start, possibly after waiting. If false, the work is skipped because its client has disconnected. */
  wanted?(): boolean;
}

export async function perform<Input, Output>(
  db: Db,
  caller: Caller,
  operation: Operation<Input, Output>,
  input: Input,
  { known, wanted }: Asking = {},
): Promise<Result<Output>> {
  try {
    if (!isRead(operation)) {
      refuseAgain(caller);
      await shareOf(caller, wanted);
      return await withSlot(caller, db.connections, () => change(db, caller, operation, input, { wanted }), { wanted });
    }
    await shareOf(caller, wanted);
    const read = () => metered(ownerOf(caller), () => operation.run(db.pool(wanted), caller, input, known));
    return await withSlot(caller, db.connections, read, { wanted, searches: operation.searches?.(input) });
  } catch (error) {
    const refusal = refusalOf(operation, error, input);
    if (!isRead(operation)) noteRefusal(caller, refusal);
    throw refusal;
  }
}

const ownerOf = (caller: Caller): Owner | undefined => ('owner' in caller ? caller.owner : undefined);

/** Without a connection, a slot or a measured step: waits for the person's share of the event loop (behaviour §13.15). */
async function shareOf(caller: Caller, wanted?: () => boolean): Promise<void> {
  const owner = ownerOf(caller);
  if (owner) await unmetered(turnOf(owner.userId, wanted));
}

export interface Outcome<Output> {
  result: Output;
  replayed: boolean;
}

/** Performs the write, or replays it after checking access again. A failure leaves no receipt. */
export async function performOnce<Input, Output, Facts>(
  db: Db,
  caller: Caller,
  operation: Write<Input, Output, Facts>,
  input: Input,
  request: Request,
): Promise<Outcome<Output>> {
  const { call, wanted } = request;
  const replayed = async (receipt: Receipt) => ({
    result: await replay(db.pool(wanted), caller, operation, input, request, receipt),
    replayed: true,
  });
  const work = async (): Promise<Outcome<Output>> => {
    const earlier = await findReceipt(db.pool(wanted), call);
    if (earlier) return replayed(earlier);
    try {
      return { result: await change(db, caller, operation, input, { wanted, request }), replayed: false };
    } catch (error) {
      // If there is a receipt now, a concurrent call has committed and caused our failure.
      const twin = await findReceipt(db.pool(wanted), call);
      if (!twin) throw error;
      return replayed(twin);
    }
  };
  try {
    await shareOf(caller, wanted);
    return await withSlot(caller, db.connections, work, { wanted });
  } catch (error) {
    throw refusalOf(operation, error, input);
  }
}

const prepares = <Input, Output, Facts>(operation: Write<Input, Output, Facts>, input: Input): boolean =>
  operation.prepare !== undefined && (operation.prepares?.(input) ?? true);

interface How {
  wanted?: (() => boolean) | undefined;
  request?: Request;
}

const change = <Input, Output, Facts>(
  db: Db,
  caller: Caller,
  operation: Write<Input, Output, Facts>,
  input: Input,
  { wanted, request }: How,
): Promise<Output> =>
  metered(ownerOf(caller), async () => {
    const authorize = (tx: Tx) => operation.authorize(tx, caller, input, { replay: false });
    const prepared = prepares(operation, input)
      ? await operation.prepare?.(await authorize(db.pool(wanted)), input, { db, request })
      : undefined;
    return db.transaction(async (tx) => {
      const permit = await authorize(tx);
      if (isFormCaller(caller)) await countForm(tx, caller, caller.once);
      const run = () => operation.run(tx, permit, input, prepared);
      const output = await (operation.audit ? auditChange(tx, permit, operation.audit, [permit, input], run) : run());
      if (request)
        await insertReceipt(tx, permit, request.call, request.fingerprintOf(input), operation.receipt?.(output, input) ?? output);
      return output;
    }, wanted);
  });

/** Throws Forbidden without access, then Conflict if the receipt belongs to another change. */
async function replay<Input, Output, Facts>(
  tx: Tx,
  caller: Caller,
  operation: Write<Input, Output, Facts>,
  input: Input,
  { call, isFingerprintOf }: Request,
  { asked, fingerprint, result }: Receipt,
): Promise<Output> {
  const permit = await operation.authorize(tx, caller, input, { replay: true });
  const same = [input, ...(operation.equivalents?.(permit, input) ?? [])];
  const [expected, idName] = 'tool' in call ? [call.tool, 'requestId'] : [call.operation, 'Idempotency-Key'];
  if (asked !== expected || !same.some((one) => isFingerprintOf(fingerprint, one))) {
    throw new Conflict(
      `This ${idName} was already used for another change. Give each change a new UUID, and use it again only for retries.`,
    );
  }
  return outputOf(tx, permit, operation, JSON.parse(result));
}

const outputOf = async <Input, Output, Facts>(
  tx: Tx,
  permit: Permit & Facts,
  operation: Write<Input, Output, Facts>,
  receipt: object & Output,
): Promise<Output> => (operation.replay ? operation.replay(tx, permit, receipt) : receipt);

export interface Recalled {
  tool: string;
  result?: object;
  refusal?: AppError;
}

/** The outcome of an agent's write whose response was lost (behaviour §7.36): the result of a replay. null: no effect yet. `call`: the
 *  current call with the id of the earlier one. An old receipt without enough data yields only the tool. */
export function recall(
  db: Db,
  caller: Caller,
  call: ToolCall,
  writeOf: (tool: string) => Write<object, object> | undefined,
): Promise<Recalled | null> {
  return withSlot(caller, db.connections, async () => {
    const tx = db.pool();
    const found = await findReceipt(tx, call);
    if (!found) return null;
    const { asked: tool, result } = found;
    const write = writeOf(tool);
    const receipt: object = JSON.parse(result);
    try {
      const input = (await write?.inputOf?.(tx, receipt)) ?? null;
      if (!write || input === null) return { tool };
      const permit = await write.authorize(tx, caller, input, { replay: true });
      return { tool, result: await outputOf(tx, permit, write, receipt) };
    } catch (error) {
      const refusal = asAppError(error);
      if (refusal.code === 'conflict') return { tool, refusal };
      if (refusal.code !== 'forbidden') throw refusal;
      return { tool, refusal: new Forbidden() };
    }
  });
}
