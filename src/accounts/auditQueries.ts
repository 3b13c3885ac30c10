import { z } from 'zod';
import { vias } from '../access/via.ts';
import { type Fragment, fixedSql, instantText, type Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import type { AuditFilter } from './auditFilter.ts';

const Row = z.object({
  id: z.number(),
  accountId: z.number(),
  at: z.string(),
  /** Not an enum: old rows may have kinds of other versions. */
  kind: z.string(),
  actorId: z.number().nullable(),
  actorName: z.string(),
  via: z.enum(vias),
  credentialId: z.number().nullable(),
  credentialName: z.string().nullable(),
  address: z.string().nullable(),
  workspaceId: z.number().nullable(),
  workspaceName: z.string().nullable(),
  userId: z.number().nullable(),
  userName: z.string().nullable(),
  subject: z.string(),
  subjectId: z.number(),
  subjectName: z.string(),
  changes: z.record(z.string(), z.tuple([z.unknown(), z.unknown()])),
});
export type AuditRow = z.infer<typeof Row>;

const columns = fixedSql(`a.id, a.account_id as "accountId", ${instantText('a.at')} as at, a.kind, a.actor_id as "actorId",
  a.actor_name as "actorName", a.via, a.credential_id as "credentialId", a.credential_name as "credentialName", a.address,
  a.workspace_id as "workspaceId", w.name as "workspaceName", a.user_id as "userId", u.name as "userName", a.subject,
  a.subject_id as "subjectId", a.subject_name as "subjectName", a.changes`);
const tables = fixedSql('audit a left join workspaces w on w.id = a.workspace_id left join users u on u.id = a.user_id');

export function readAudit(tx: Tx, accountId: number, filter: AuditFilter, limit: number): Promise<readonly AuditRow[]> {
  const { kind, userId, from, to, before } = filter;
  const conditions: Fragment[] = [sql.fragment`a.account_id = ${accountId}`];
  if (kind !== null) conditions.push(sql.fragment`a.kind = ${kind}`);
  if (userId !== null) conditions.push(sql.fragment`(a.actor_id = ${userId} or a.user_id = ${userId})`);
  if (from !== null) conditions.push(sql.fragment`a.at >= ${from}::date`);
  if (to !== null) conditions.push(sql.fragment`a.at < ${to}::date + 1`);
  if (before !== null) conditions.push(sql.fragment`a.id < ${before}`);
  return tx.any(sql.type(Row)`
    select ${columns} from ${tables} where ${sql.join(conditions, sql.fragment` and `)} order by a.id desc limit ${limit}`);
}

/** Oldest first, after the id `after`, at most 1000. `accountId` null: all accounts, for the operator. */
export function readAuditSince(tx: Tx, accountId: number | null, since: string | null, after: number): Promise<readonly AuditRow[]> {
  const conditions: Fragment[] = [sql.fragment`a.id > ${after}`];
  if (accountId !== null) conditions.push(sql.fragment`a.account_id = ${accountId}`);
  if (since !== null) conditions.push(sql.fragment`a.at >= ${since}::timestamptz`);
  return tx.any(sql.type(Row)`
    select ${columns} from ${tables} where ${sql.join(conditions, sql.fragment` and `)} order by a.id limit 1000`);
}

const Named = z.object({ id: z.number(), name: z.string() });
export type UserName = z.infer<typeof Named>;

export function readNames(tx: Tx, accountId: number): Promise<readonly UserName[]> {
  return tx.any(sql.type(Named)`select id, name from users where account_id = ${accountId} order by name, id limit 1000`);
}
