/** Access to the administration of an account or a workspace. Each page and form checks it again (behaviour §3.17, §3.18). */
import { z } from 'zod';
import { type Fragment, fixedSql, literals, type Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { CredentialRefused, Forbidden, InvalidRequest } from '../values/errors.ts';
import type { Caller, Permit } from './caller.ts';
import { callerRow, isVisible } from './queries.ts';
import { bits } from './rights.ts';

/** Roles in an account (behaviour §3.1). */
export const accountRoles = ['owner', 'admin', 'member'] as const;
export type AccountRole = (typeof accountRoles)[number];

const AccountRow = z.object({ account_id: z.number(), user_id: z.number(), account_role: z.enum(accountRoles) });

export interface AccountPermit extends Permit {
  accountRole: AccountRole;
}

const permitOf = (caller: Caller, row: z.infer<typeof AccountRow>, workspaceId: number): AccountPermit => ({
  caller,
  accountId: row.account_id,
  userId: row.user_id,
  workspaceId,
  rights: 0,
  contextRights: 0,
  accountRole: row.account_role,
});

/** Checks that the caller's account role is one of `allowed`. Pages and jobs call this. Throws Forbidden, for keys and agents always. */
export async function inAccount(tx: Tx, caller: Caller, allowed: readonly AccountRole[]): Promise<AccountPermit> {
  if (caller.kind === 'key' || caller.kind === 'agent') throw new Forbidden();
  const row = await tx.maybeOne(sql.type(AccountRow)`
    with who as (${callerRow(caller)})
    select who.account_id, who.user_id, u.account_role from who join users u on u.id = who.user_id`);
  if (!row) throw new CredentialRefused();
  if (!allowed.includes(row.account_role)) throw new Forbidden();
  return permitOf(caller, row, 0);
}

export const asMember = (tx: Tx, caller: Caller): Promise<AccountPermit> => inAccount(tx, caller, accountRoles);

const WorkspaceRow = AccountRow.extend({ role: z.string().nullable(), in_account: z.boolean() });

/** For owners of the workspace and for owners and administrators of the account. The workspace may be archived. Throws Forbidden. */
export async function runsWorkspace(tx: Tx, caller: Caller, workspaceId: number): Promise<AccountPermit> {
  if (caller.kind === 'key' || caller.kind === 'agent') throw new Forbidden();
  const row = await tx.maybeOne(sql.type(WorkspaceRow)`
    with who as (${callerRow(caller)})
    select who.account_id, who.user_id, u.account_role,
           (select m.role from memberships m where m.user_id = who.user_id and m.workspace_id = ${workspaceId}) as role,
           exists (select from workspaces w where w.id = ${workspaceId} and w.account_id = who.account_id) as in_account
    from who join users u on u.id = who.user_id`);
  if (!row) throw new CredentialRefused();
  if (!row.in_account || (row.role !== 'owner' && row.account_role === 'member')) throw new Forbidden();
  return permitOf(caller, row, workspaceId);
}

const MemberRow = WorkspaceRow.extend({ archived: z.boolean(), name: z.string().nullable() });

/** For owners and managers of the workspace, and owners and administrators of the account. Throws Forbidden for other callers, and for
 *  all callers if the workspace is archived. */
export async function requireWebhookManager(
  tx: Tx,
  caller: Caller,
  workspaceId: number,
): Promise<AccountPermit & { name: string; mayMake: boolean }> {
  if (caller.kind === 'key' || caller.kind === 'agent') throw new Forbidden();
  const row = await tx.maybeOne(sql.type(MemberRow)`
    with who as (${callerRow(caller)})
    select who.account_id, who.user_id, u.account_role, m.role, w.id is not null as in_account, w.archived_at is not null as archived, w.name
    from who join users u on u.id = who.user_id
    left join workspaces w on w.id = ${workspaceId} and w.account_id = who.account_id
    left join memberships m on m.user_id = who.user_id and m.workspace_id = w.id`);
  if (!row) throw new CredentialRefused();
  const mayMake = row.role === 'owner' || row.role === 'manager';
  if (row.name === null || row.archived || (row.account_role === 'member' && !mayMake)) throw new Forbidden();
  return { ...permitOf(caller, row, workspaceId), name: row.name, mayMake };
}

export const commentKinds = ['mentioned', 'commented'] as const;

/** SQL condition. `kind` is inserted as SQL text: never pass user input. */
export const isCommentKind = (kind: string): Fragment => fixedSql(`${kind} in (${literals(commentKinds)})`);

/** SQL condition: `rights` allow notifications of this kind. Both are inserted as SQL text: never pass user input. */
export const commentsAllow = (kind: string, rights: string): Fragment =>
  sql.fragment`(not ${isCommentKind(kind)} or ${fixedSql(rights)} & ${bits('comments', 'read')} <> 0)`;

// Limits an administrator's changes by a condition in the changing statement. Rows out of scope count as absent (behaviour §3.26).

/** `everything`: the operator at the command line. `accountId`: an administrator of that account. */
export type AdminScope = 'everything' | { accountId: number };
export type OwnScope = AdminScope | { userId: number };

/** SQL condition: the row `alias` is in scope. The row needs account_id, and user_id for the scope `userId`. */
export function inScope(scope: OwnScope, alias: string): Fragment {
  if (scope === 'everything') return sql.fragment`true`;
  if ('accountId' in scope) return sql.fragment`${sql.identifier([alias, 'account_id'])} = ${scope.accountId}`;
  return sql.fragment`${sql.identifier([alias, 'user_id'])} = ${scope.userId}`;
}

/** The same error for a row that does not exist and a row out of scope. `what` is both the field name and the name of the thing. */
export function notFoundFault(what: string, id: number): InvalidRequest {
  return new InvalidRequest([what], `there is no ${what} ${id} that can be changed; check the id.`);
}

const Ahead = z.object({ ahead: z.boolean() });

/** Throws InvalidRequest if the expiry is in the past by the database's clock. Null means no expiry. */
export async function checkExpiry(tx: Tx, expires: string | null | undefined): Promise<void> {
  if (expires == null) return;
  const ahead = await tx.oneFirst(sql.type(Ahead)`select ${expires}::timestamptz > now() as ahead`);
  if (!ahead) throw new InvalidRequest(['expires'], 'is past; give a later instant, or never.');
}

// SQL that looks items up by id. Plans are made once (docs/decisions/0007), often while a table is small and every index looks as cheap as
//  the primary key. PostgreSQL keeps such plans while the table grows, so these fragments leave only the primary key to choose.

/** Like `visible`, for a row `i` whose id is known. `+ 0` disables indexes that begin with the workspace. */
export const visibleById = sql.fragment`i.workspace_id + 0 = access.workspace_id and ${isVisible('i', 'access.rights')}`;

/** CTE `held`: the visible item, which can't move until the transaction ends. No row if a move committed while the statement waited. A
 *  condition on another row of the item would not notice: PostgreSQL rechecks only rows that the statement locks or changes. */
export const heldItem = (itemId: number): Fragment =>
  sql.fragment`held as materialized (select i.id, i.workspace_id from items i, access where i.id = ${itemId} and ${visibleById} for key share of i)`;

export const listed = (ids: readonly number[]): Fragment => sql.fragment`(select distinct unnest(${sql.array([...ids], 'int8')}) as id)`;

/** The items `i` whose ids are in column `id` of `relation`, each by its own lookup. */
export const itemsOf = (relation: Fragment): Fragment =>
  sql.fragment`${relation} link cross join lateral (select * from items one where one.id = link.id limit 1) i`;

/** The workspace of an item id. Only for accessTo, which checks that the caller has access to it. */
export function workspaceOf(itemId: number): Fragment {
  return sql.fragment`(select workspace_id from items where id = ${itemId})`;
}
