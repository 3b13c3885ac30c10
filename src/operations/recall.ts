/** The outcome of an agent's write whose response was lost (behaviour §7.36): the receipt, with the result that a replay would give. */
import type { Caller } from '../access/caller.ts';
import { withSlot } from '../access/throttle/atOnce.ts';
import type { Db, Tx } from '../database/db.ts';
import { type AppError, Forbidden } from '../values/errors.ts';
import { replayed, type Write } from './operation.ts';
import { asAppError } from './perform.ts';
import { receiptsOf } from './receiptQueries.ts';
import type { ToolCall } from './request.ts';

export interface Recalled {
  tool: string;
  result?: object;
  refusal?: AppError;
}

type AnyWrite = Write<object, object, object>;

/** `call`: the asking call with the id of the earlier one. null: no effect yet. An old receipt without enough data gives only the tool. */
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
      const found = await replayOf(db.pool(), caller, write, JSON.parse(result));
      return { tool, ...(found && { result: found }) };
    } catch (error) {
      const refusal = asAppError(error);
      if (refusal.code !== 'forbidden') throw refusal;
      return { tool, refusal: new Forbidden() };
    }
  });
}

async function replayOf(tx: Tx, caller: Caller, write: AnyWrite, stored: unknown): Promise<object | null> {
  const input = await write.again?.(tx, stored);
  if (!input) return null;
  return replayed(tx, write, await write.authorize(tx, caller, input, { replay: true }), stored);
}
