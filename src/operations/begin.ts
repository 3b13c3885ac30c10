/** How a write that happens once begins: access, the facts and a receipt of an earlier try come in one statement, so that a retry is known
 *  at once, for an index look-up more on the first call. */
import type { QuerySqlToken } from 'slonik';
import type { Caller, Permit } from '../access/caller.ts';
import type { Tx } from '../database/db.ts';
import { AppError } from '../values/errors.ts';
import type { Authorizing, Write } from './operation.ts';
import { type Receipt, type Receipts, receiptsOf } from './receiptQueries.ts';
import type { Request } from './request.ts';

/** It has been carried out before. */
export interface Earlier<Permitted> {
  receipt: Receipt;
  /** What access amounts to on this retry, where that has come out already. */
  permit?: Permitted;
}

export async function begin<Input, Facts, Output, Prepared, Stored>(
  tx: Tx,
  caller: Caller,
  operation: Write<Input, Facts, Output, Prepared, Stored>,
  input: Input,
  { call }: Request,
): Promise<{ permit: Permit & Facts } | Earlier<Permit & Facts>> {
  const looking = new LooksForReceipt(tx, receiptsOf(call));
  const how = new FirstTry();
  try {
    const permit = await operation.authorize(looking.tx, caller, input, how);
    const { receipt } = looking;
    if (!receipt) return { permit };
    return how.minded ? { receipt } : { receipt, permit };
  } catch (error) {
    // A transaction is ended as it should be by what is returned, not thrown.
    if (looking.receipt && how.minded && error instanceof AppError) return { receipt: looking.receipt };
    throw error;
  }
}

/** What was found out for a first try holds for a retry too, if nobody minded which of them it is. */
class FirstTry implements Authorizing {
  minded = false;
  get replay(): boolean {
    this.minded = true;
    return false;
  }
}

/** Statements as they are, but for the first one of at most one row, which finds the receipt on its way. */
class LooksForReceipt {
  receipt: Receipt | null = null;
  readonly tx: Tx;
  #looked = false;

  constructor(tx: Tx, receipts: Receipts) {
    const maybeOne = async (statement: QuerySqlToken) => {
      if (this.#looked) return tx.maybeOne(statement);
      this.#looked = true;
      const { row, receipt } = await receipts.findBeside(tx, statement as never);
      this.receipt = receipt;
      return row;
    };
    this.tx = new Proxy(tx, {
      get: (own, name: keyof Tx) => (name === 'maybeOne' ? maybeOne : own[name].bind(own)),
    });
  }
}
