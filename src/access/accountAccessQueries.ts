/** Access to the administration of an account or a workspace. Each page and form checks it again (behaviour §3.17, §3.18). */
import { z } from 'zod';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { CredentialRefused, Forbidden } from '../values/errors.ts';
import type { Caller, Permit } from './caller.ts';
import { callerRow } from './queries.ts';

const accountRoles = ['owner', 'admin', 'member'] as const;
type AccountRole = (typeof accountRoles)[number];

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

/** For owners and managers of the workspace, and owners and administrators of the account. Throws Forbidden, also if it is archived. */
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
  if (!row.in_account || row.archived || (row.account_role === 'member' && !mayMake)) throw new Forbidden();
  return { ...permitOf(caller, row, workspaceId), name: row.name!, mayMake };
}
