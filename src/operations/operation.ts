/** Types of operations, independent of Koa and MCP. `perform` runs them. */
import type { z } from 'zod';
import type { Caller, Permit } from '../access/caller.ts';
import type { AuditEntry } from '../audit/audit.ts';
import type { Line } from '../audit/line.ts';
import type { Db, Fragment, Tx } from '../database/db.ts';
import type { Path } from '../values/errors.ts';
import type { Result } from './json.ts';
import type { Request } from './request.ts';

/** A read: one statement checks access and fetches, so hidden data never reaches Node. */
export interface Read<Input, Output> {
  name: string;
  input: z.ZodType<Input>;
  /** Waits for another process without a database connection, so the limit per credential (access/throttle/atOnce.ts) does not count it. */
  waits?: boolean;
  /** `known`: ETags that the caller has, or `*`; for operations that return a TaggedJson. */
  run(tx: Tx, caller: Caller, input: Input, known?: readonly string[]): Promise<Result<Output>>;
}

export interface Authorizing {
  /** A retry of a committed change: check access as if this change had not happened (behaviour §7.15). */
  replay: boolean;
}

/** `Stored`: the content of the receipt. The output, unless `complete` computes it. */
interface Authorized<Input, Facts, Output, Stored> {
  name: string;
  input: z.ZodType<Input>;
  faultsAt?: Path;
  placeOf?(input: Input, itemId: number): Path | undefined;
  /** Reads access and facts in one statement. Throws Forbidden or Unauthenticated. */
  authorize(tx: Tx, caller: Caller, input: Input, how: Authorizing): Promise<Permit & Facts>;
  /** Equivalent forms of the request, with current defaults added or omitted (behaviour §7.16). */
  alike?(permit: Permit & Facts, input: Input): Input[];
  /** The output of a replay, from its receipt. Default: the receipt itself. Receipts live for 30 days: older versions may have written it. */
  replay?(tx: Tx, permit: Permit & Facts, stored: object): Promise<Output>;
  /** Adds what the receipt must not contain (texts of notes). Called for the first response and every replay. */
  complete?(tx: Tx, permit: Permit & Facts, stored: Stored): Promise<Output>;
  /** The input from the receipt, to check access for an agent that has lost it (recall.ts). null if an older receipt lacks it. */
  again?(tx: Tx, stored: Stored): Promise<Input | null>;
}

export interface Change {
  /** CTEs ending in `change (result, workspace_id)`: one row with the result as JSON, or none if the data has changed. */
  statement: Fragment;
  refused(tx: Tx): Promise<never>;
}

export interface Preparing<Input> {
  /** False if this input needs no `prepare`. */
  prepares?(input: Input): boolean;
}

/** A write in one statement: `authorize` reads, `decide` is pure, and the statement checks the rights again. */
export interface StatementWrite<Input, Facts, Output, Prepared = undefined, Stored = Output>
  extends Authorized<Input, Facts, Output, Stored>,
    Preparing<Input> {
  /** Slow work with another service, between `authorize` and `decide`, without an open transaction. Only for agents' writes. */
  prepare?(db: Db, permit: Permit & Facts, input: Input, request: Request): Promise<Prepared>;
  /** The audit line for the account's administrators (behaviour §17). */
  audit?(permit: Permit & Facts, input: Input): Line;
  /** A shortcut if only access decides: a statement that also checks the rights. If it writes nothing, `authorize` and `decide` find the
   *  reason. */
  atOnce?(caller: Caller, input: Input): Fragment;
  /** Throws what the rules refuse; `unchanged` if there is nothing to write. `prepared`: the result of `prepare`. */
  decide(permit: Permit & Facts, input: Input, prepared?: Prepared): Change | { unchanged: Stored };
}

/** A write of several statements in one transaction with its authorization. `run` may be called again after a rollback. It locks the rows
 *  that access depends on, or checks the rights again in the writing statement. It charges expensive work to the user: `runCharged`. */
export interface TransactionWrite<Input, Facts, Output, Prepared = undefined, Stored = Output>
  extends Authorized<Input, Facts, Output, Stored>,
    Preparing<Input> {
  /** Audit lines for the account's administrators, in the same transaction (behaviour §17). */
  audit?: readonly AuditEntry<Input, Permit & Facts, Stored>[];
  /** Slow work without an open transaction. Access is checked before it, and again in the transaction. `request`: only with a receipt. */
  prepare?(permit: Permit & Facts, input: Input, how: { db: Db; request?: Request | undefined }): Promise<Prepared>;
  run(tx: Tx, permit: Permit & Facts, input: Input, prepared: Prepared): Promise<Stored>;
  /** The content of the receipt if it is not the output: receipts contain no texts of notes and comments (behaviour §7.18). */
  receipt?(output: Output, input: Input): object;
}

/** Tables of operations don't need the types of stored and prepared values or facts. */
export type Write<Input, Facts, Output, Prepared = unknown, Stored = unknown> =
  | StatementWrite<Input, Facts, Output, Prepared, Stored>
  | TransactionWrite<Input, Facts, Output, Prepared, Stored>;
export type Operation<Input, Output> = Read<Input, Output> | Write<Input, object, Output>;

export async function completed<Input, Facts, Output, Prepared, Stored>(
  tx: Tx,
  write: Write<Input, Facts, Output, Prepared, Stored>,
  permit: Permit & Facts,
  stored: Stored,
): Promise<Output> {
  return write.complete ? write.complete(tx, permit, stored) : (stored as Stored & Output);
}

export async function replayed<Input, Facts, Output, Prepared, Stored>(
  tx: Tx,
  write: Write<Input, Facts, Output, Prepared, Stored>,
  permit: Permit & Facts,
  stored: Stored,
): Promise<Output> {
  return write.replay ? write.replay(tx, permit, stored as object) : completed(tx, write, permit, stored);
}

export function isRead<Input, Output>(operation: Operation<Input, Output>): operation is Read<Input, Output> {
  return !('authorize' in operation);
}
