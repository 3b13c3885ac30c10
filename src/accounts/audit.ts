/** The audit of an account, for its owners and administrators (behaviour §17.3). */
import { z } from 'zod';
import { type AccountPermit, inAccount } from '../access/accountAccessQueries.ts';
import type { Caller } from '../access/caller.ts';
import type { Tx } from '../database/db.ts';
import type { Read, Write } from '../operations/operation.ts';
import { AuditFilter } from './auditFilter.ts';
import { type AuditRow, readAudit, readNames, type UserName } from './auditQueries.ts';

export type { AuditRow } from './auditQueries.ts';

const byAdministrators = (tx: Tx, caller: Caller) => inAccount(tx, caller, ['owner', 'admin']);

const PAGE = 50;
const FILE_PAGE = 1_000;

export interface ListedAudit {
  people: readonly UserName[];
  rows: readonly AuditRow[];
  more: boolean;
}

export const listAudit: Read<AuditFilter, ListedAudit> = {
  name: 'listAudit',
  input: AuditFilter,
  async run(tx, caller, filter) {
    const { accountId } = await byAdministrators(tx, caller);
    const rows = await readAudit(tx, accountId, filter, PAGE + 1);
    return { people: await readNames(tx, accountId), rows: rows.slice(0, PAGE), more: rows.length > PAGE };
  },
};

/** One page of the downloaded file. Each page checks the rights again. */
export const readAuditFile: Read<AuditFilter, { rows: readonly AuditRow[]; more: boolean }> = {
  name: 'readAuditFile',
  input: AuditFilter,
  async run(tx, caller, filter) {
    const { accountId } = await byAdministrators(tx, caller);
    const rows = await readAudit(tx, accountId, filter, FILE_PAGE);
    return { rows, more: rows.length === FILE_PAGE };
  },
};

export const noteAuditFile: Write<Record<string, never>, void, AccountPermit> = {
  name: 'noteAuditFile',
  input: z.strictObject({}),
  authorize: byAdministrators,
  audit: [{ kind: 'audit.exported', about: ({ accountId }) => ({ type: 'account', id: accountId }), event: true }],
  run: async () => {},
};
