/** Starts a write that must happen once. One statement reads access, facts and an earlier receipt. It detects a retry without another
 *  query. */
import type { QuerySqlToken } from 'slonik';
import type { Caller, Permit } from '../access/caller.ts';
import type { Tx } from '../database/db.ts';
import { AppError } from '../values/errors.ts';
import type { Authorizing, Write } from './operation.ts';
import { type Receipt, type Receipts, receiptsOf } from './receiptQueries.ts';
import type { Request } from './request.ts';

export interface Earlier<Permitted> {
  receipt: Receipt;
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
    // Returned, not thrown, so that the transaction commits.
    if (looking.receipt && how.minded && error instanceof AppError) return { receipt: looking.receipt };
    throw error;
  }
}

/** If `authorize` never reads `replay`, its result is valid for a retry too. */
class FirstTry implements Authorizing {
  minded = false;
  get replay(): boolean {
    this.minded = true;
    return false;
  }
}

/** Passes statements through. Adds the receipt lookup to the first statement with at most one row. */
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
