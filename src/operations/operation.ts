/** The shapes of an operation: what a service call is, free of Koa and MCP. `perform` runs them. */
import type { z } from 'zod';
import type { Caller, Permit } from '../access/caller.ts';
import type { Telling } from '../audit/audit.ts';
import type { Line } from '../audit/line.ts';
import type { Db, Fragment, Tx } from '../database/db.ts';
import type { Path } from '../values/errors.ts';
import type { Result } from './json.ts';
import type { Request } from './request.ts';

/** Reads: one statement that decides about access and fetches, so that what is hidden is never in Node at all. */
export interface Read<Input, Output> {
  name: string;
  input: z.ZodType<Input>;
  /** It waits for another process without holding a database connection: the limit per credential (access/throttle/atOnce.ts) does not count it. */
  waits?: boolean;
  /** `known`: tags of answers that the caller has, or `*`; for operations that answer a TaggedJson. */
  run(tx: Tx, caller: Caller, input: Input, known?: readonly string[]): Promise<Result<Output>>;
}

export interface Authorizing {
  /** This is a retry of a committed change: judge access as if the call's own change had not happened (behaviour §7.15). */
  replay: boolean;
}

/** `Stored` is what the receipt of an agent's write holds: the output itself, unless `complete` makes that of it. */
interface Authorized<Input, Facts, Output, Stored> {
  name: string;
  input: z.ZodType<Input>;
  /** Where in the input the thing stands that the rules speak of, when it is not all of it. */
  faultsAt?: Path;
  /** Where in the input the item stands that the database found at fault. */
  placeOf?(input: Input, itemId: number): Path | undefined;
  /** Access now and what the decision needs, in one statement. Throws Forbidden or Unauthenticated. */
  authorize(tx: Tx, caller: Caller, input: Input, how: Authorizing): Promise<Permit & Facts>;
  /** Equivalent forms of the same request: with a default of this moment written out, or left out (behaviour §7.16). */
  alike?(permit: Permit & Facts, input: Input): Input[];
  /** Completes a result with what its receipt must not hold (texts of notes); called on the first answer and on every replay. */
  complete?(tx: Tx, permit: Permit & Facts, stored: Stored): Promise<Output>;
  /** The input by which a replay's access is judged, made of what the receipt holds, for an agent that has lost it (recall.ts); null where
   *  the receipt is from before it held enough. */
  again?(tx: Tx, stored: Stored): Promise<Input | null>;
}

/** A change that is one atomic statement. */
export interface Change {
  /** CTEs ending in `change (result, workspace_id)`: one row with the result as JSON, or none when the world has moved on. */
  statement: Fragment;
  /** Says why there was no row. */
  refused(tx: Tx): Promise<never>;
}

/** Writes that are one statement: authorize reads, `decide` is pure, the statement checks the rights once more. */
export interface StatementWrite<Input, Facts, Output, Prepared = undefined, Stored = Output>
  extends Authorized<Input, Facts, Output, Stored> {
  /** What takes long and needs somebody else, between authorization and decision, with no transaction open. Agents' writes only. */
  prepare?(db: Db, permit: Permit & Facts, input: Input, request: Request): Promise<Prepared>;
  /** Whether this input needs to be prepared; always when left out. */
  prepares?(input: Input): boolean;
  /** What it tells the account's administrators when it changes something (behaviour §17). */
  audit?(permit: Permit & Facts, input: Input): Line;
  /** All of it at once, where nothing but access decides: as the statement of a Change, with the caller's rights asked in it. It writes
   *  nothing where they don't reach, and why is found out by `authorize` and `decide`. Not with a receipt, and of nothing audited. */
  atOnce?(caller: Caller, input: Input): Fragment;
  /** Throws what the rules refuse; `unchanged` when there is nothing to write. `prepared`: what `prepare` gave. */
  decide(permit: Permit & Facts, input: Input, prepared?: Prepared): Change | { unchanged: Stored };
}

/** Writes of several statements, in one transaction with their authorization. `run` may be called again after a rollback. */
export interface TransactionWrite<Input, Facts, Output, Prepared = undefined, Stored = Output>
  extends Authorized<Input, Facts, Output, Stored> {
  /** What it tells the account's administrators, in its transaction (behaviour §17). */
  audit?: readonly Telling<Input, Permit & Facts, Stored>[];
  /** What takes long, with no transaction open. Access is judged before it, and once more in the transaction after it. */
  prepare?(permit: Permit & Facts, input: Input): Promise<Prepared>;
  run(tx: Tx, permit: Permit & Facts, input: Input, prepared: Prepared): Promise<Stored>;
}

/** What is stored and prepared is an operation's own business, and so are its facts where a table holds many of them. */
export type Write<Input, Facts, Output, Prepared = unknown, Stored = unknown> =
  | StatementWrite<Input, Facts, Output, Prepared, Stored>
  | TransactionWrite<Input, Facts, Output, Prepared, Stored>;
export type Operation<Input, Output> = Read<Input, Output> | Write<Input, object, Output>;

/** The output that a stored result stands for. */
export async function completed<Input, Facts, Output, Prepared, Stored>(
  tx: Tx,
  write: Write<Input, Facts, Output, Prepared, Stored>,
  permit: Permit & Facts,
  stored: Stored,
): Promise<Output> {
  return write.complete ? write.complete(tx, permit, stored) : (stored as Stored & Output);
}

export function isRead<Input, Output>(operation: Operation<Input, Output>): operation is Read<Input, Output> {
  return !('authorize' in operation);
}
