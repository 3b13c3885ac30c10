/** What became of an agent's write whose answer it never saw (behaviour §7.36): the receipt, with its result as a replay would give it. */
import type { Caller } from '../access/caller.ts';
import { withSlot } from '../access/throttle/atOnce.ts';
import type { Db, Tx } from '../database/db.ts';
import { type AppError, Forbidden } from '../values/errors.ts';
import { completed, type Write } from './operation.ts';
import { asAppError } from './perform.ts';
import { receiptsOf } from './receiptQueries.ts';
import type { ToolCall } from './request.ts';

export interface Recalled {
  tool: string;
  result?: object;
  /** Why there is no result: the access that it takes is lost. */
  refusal?: AppError;
}

type AnyWrite = Write<object, object, object>;

/** `call`: of the request that asks, under the id of the one it asks about. Null when no receipt is there: the request did not take effect, or has not yet. Of a receipt from before what it must hold, the tool alone. */
export async function recall(
  db: Db,
  caller: Caller,
  call: ToolCall,
  writeOf: (tool: string) => AnyWrite | undefined,
): Promise<Recalled | null> {
  return withSlot(caller, async () => {
    const receipt = await receiptsOf(call).find(db.pool());
    if (!receipt) return null;
    const { asked: tool, result } = receipt;
    const write = writeOf(tool);
    if (!write) return { tool };
    try {
      const found = await replayed(db.pool(), caller, write, JSON.parse(result));
      return { tool, ...(found && { result: found }) };
    } catch (error) {
      const refusal = asAppError(error);
      if (refusal.code !== 'forbidden') throw refusal;
      return { tool, refusal: new Forbidden() };
    }
  });
}

async function replayed(tx: Tx, caller: Caller, write: AnyWrite, stored: unknown): Promise<object | null> {
  const input = await write.again?.(tx, stored);
  if (!input) return null;
  return completed(tx, write, await write.authorize(tx, caller, input, { replay: true }), stored);
}
