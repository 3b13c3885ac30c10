/** Audit lines of operations, written with their changes (behaviour §17). */
import type { Permit } from '../access/caller.ts';
import { auditChange } from '../audit/audit.ts';
import { auditWith } from '../audit/recordQueries.ts';
import type { Fragment, Tx } from '../database/db.ts';
import type { StatementWrite, TransactionWrite } from './operation.ts';

export function runTold<Input, Facts, Output, Prepared, Stored>(
  tx: Tx,
  operation: TransactionWrite<Input, Facts, Output, Prepared, Stored>,
  permit: Permit & Facts,
  input: Input,
  prepared: Prepared,
): Promise<Stored> {
  const run = () => operation.run(tx, permit, input, prepared);
  const { caller, userId } = permit;
  return operation.audit ? auditChange(tx, { caller, userId }, operation.audit, [permit, input], run) : run();
}

export function auditOf<Input, Facts, Output, Prepared, Stored>(
  { audit }: StatementWrite<Input, Facts, Output, Prepared, Stored>,
  permit: Permit & Facts,
  input: Input,
): Fragment {
  return auditWith({ caller: permit.caller, userId: permit.userId }, audit?.(permit, input));
}
