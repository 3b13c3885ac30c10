/** Types of operations, independent of Koa and MCP. `perform` runs them. */
import type { z } from 'zod';
import type { Caller, Permit } from '../access/caller.ts';
import type { AuditEntry } from '../audit/audit.ts';
import type { Db, Tx } from '../database/db.ts';
import type { Path } from '../values/errors.ts';
import type { Result } from './json.ts';
import type { Request } from './request.ts';

/** A read: one statement checks access and fetches, so hidden data never reaches Node. */
export interface Read<Input, Output> {
  name: string;
  input: z.ZodType<Input>;
  /** True if this input searches the texts of items (behaviour §13.6). */
  searches?(input: Input): boolean;
  /** `known`: ETags that the caller has, or `*`; for operations that return a TaggedJson. */
  run(tx: Tx, caller: Caller, input: Input, known?: readonly string[]): Promise<Result<Output>>;
}

/** A write: one transaction authorizes it, runs it and stores its receipt. `Facts`: what `authorize` reads besides the rights. */
export interface Write<Input, Output, Facts = object> {
  name: string;
  input: z.ZodType<Input>;
  faultsAt?: Path;
  placeOf?(input: Input, itemId: number): Path | undefined;

  /** Throws Forbidden or Unauthenticated. `replay`: a retry of a committed change; check access as if this change had not happened
   *  (behaviour §7.15). */
  authorize(tx: Tx, caller: Caller, input: Input, how: { replay: boolean }): Promise<Permit & Facts>;

  /** Slow work before the transaction; access is checked before it and again in the transaction. `request`: only with a receipt. */
  prepare?(permit: Permit & Facts, input: Input, how: { db: Db; request?: Request | undefined }): Promise<unknown>;
  /** False if this input needs no `prepare`. */
  prepares?(input: Input): boolean;

  /** May run again after a rollback, so it has no effect outside the database. It locks the rows that access depends on, or checks the
   *  rights again in the writing statement. `prepared`: the result of `prepare`. */
  run(tx: Tx, permit: Permit & Facts, input: Input, prepared?: unknown): Promise<Output>;

  /** Audit lines for the account's administrators, in the same transaction (behaviour §17). */
  audit?: readonly AuditEntry<Input, Permit & Facts, Output>[];

  /** The content of the receipt if it is not the output: receipts contain no texts of notes and comments (behaviour §7.18). */
  receipt?(output: Output, input: Input): object;
  /** The output of a replay. Default: the receipt itself. Receipts live for 30 days: older versions may have written it. */
  replay?(tx: Tx, permit: Permit & Facts, receipt: object): Promise<Output>;
  /** The input, for an agent that has lost it (behaviour §7.36). null if an older receipt lacks it. */
  inputOf?(tx: Tx, receipt: object): Promise<Input | null>;
  /** Other inputs that are the same request, with current defaults added or omitted (behaviour §7.16). */
  equivalents?(permit: Permit & Facts, input: Input): Input[];
}

export type Operation<Input, Output> = Read<Input, Output> | Write<Input, Output>;

export function isRead<Input, Output>(operation: Operation<Input, Output>): operation is Read<Input, Output> {
  return !('authorize' in operation);
}
