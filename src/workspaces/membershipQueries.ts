import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { accessTo, accessToAll } from '../access/queries.ts';
import type { Fragment, Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { CredentialRefused, Forbidden } from '../values/errors.ts';
import { memberRoles } from './roles.ts';

export const WorkspaceMembership = z.object({ id: z.number(), name: z.string(), role: z.enum(memberRoles), rights: z.number() });
export type WorkspaceMembership = z.infer<typeof WorkspaceMembership>;
const Found = z.object({ membership: WorkspaceMembership.nullable() });

/** For a statement with `access`: a WorkspaceMembership; null if the caller is not a member. */
export const membershipJson = sql.fragment`(
  select json_build_object('id', w.id, 'name', w.name, 'role', access.role, 'rights', access.rights)
  from workspaces w where w.id = access.workspace_id)`;

/** Throws Unauthenticated; Forbidden if the caller is not a member or the workspace is archived. */
export async function readMembership(tx: Tx, caller: Caller, workspaceId: number): Promise<WorkspaceMembership> {
  const row = await tx.maybeOne(sql.type(Found)`
    with ${accessTo(caller, workspaceId)}
    select ${membershipJson} as membership from access`);
  if (!row) throw new CredentialRefused();
  if (!row.membership) throw new Forbidden();
  return row.membership;
}

const WorkspaceRights = z.object({ workspace_id: z.number(), rights: z.number() });
export type WorkspaceRights = z.infer<typeof WorkspaceRights>;

export const readRights = (tx: Tx, caller: Caller): Promise<readonly WorkspaceRights[]> =>
  tx.any(sql.type(WorkspaceRights)`with ${accessToAll(caller)} select workspace_id, rights from access`);

/** For a user `u`: Left, or null for an active member of the workspace (behaviour §6.29). */
export const leftOf = (workspaceId: Fragment): Fragment => sql.fragment`case when not u.active then 'deactivated'
  when not exists (select from memberships m where m.user_id = u.id and m.workspace_id = ${workspaceId}) then 'left' end`;
