import { z } from 'zod';
import { type AdminScope, inScope, notFoundFault } from '../access/adminScopeQueries.ts';
import type { Level, Resource } from '../access/rights.ts';
import type { Fragment, Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { markForecastOf } from '../queue/jobs.ts';
import { InvalidRequest } from '../values/errors.ts';
import { type MemberRole, memberRoles } from './roles.ts';

export interface MemberChange {
  workspaceId: number;
  userId: number;
  role?: MemberRole | undefined;
  /** Limits the role by resource, in addition to existing limits; `delete` removes a limit. */
  access?: Partial<Record<Resource, Level>> | undefined;
  timeOversight?: boolean | null | undefined;
}

const Known = z.object({ has_user: z.boolean(), is_member: z.boolean() });
const Id = z.object({ id: z.number() });

const Member = z.object({
  role: z.enum(memberRoles),
  access: z.record(z.string(), z.string()),
  timeOversight: z.boolean().nullable(),
});
export type Member = z.infer<typeof Member>;

/** Only levels that limit the role are stored. */
const lowering = (overrides: Fragment) => sql.fragment`
  (select coalesce(jsonb_object_agg(o.key, o.value), '{}') from jsonb_each_text(${overrides}) o where o.value <> 'delete')`;

/** Adds a user of the same account, or changes the membership. Omitted values stay. */
export async function setMember(tx: Tx, scope: AdminScope, change: MemberChange): Promise<Member> {
  const { workspaceId, userId, role = null, access = {}, timeOversight } = change;
  const known = await tx.maybeOne(sql.type(Known)`
    select exists (select from users u where u.id = ${userId} and u.account_id = w.account_id) as has_user,
           exists (select from memberships m where m.user_id = ${userId} and m.workspace_id = w.id) as is_member
    from workspaces w where w.id = ${workspaceId} and ${inScope(scope, 'w')}`);
  if (!known) throw notFoundFault('workspace', workspaceId);
  if (!known.has_user) throw notFoundFault('user', userId);
  if (role === null && !known.is_member) throw new InvalidRequest(['role'], `user ${userId} is not a member yet; give a role.`);
  const member = await tx.one(sql.type(Member)`
    insert into memberships as m (account_id, workspace_id, user_id, role, overrides, time_oversight)
    select account_id, id, ${userId}, coalesce(${role}, 'viewer'), ${lowering(sql.fragment`${sql.jsonb(access)}::jsonb`)}, ${timeOversight ?? null}::boolean
    from workspaces where id = ${workspaceId}
    on conflict (user_id, workspace_id) do update set
      role = coalesce(${role}, m.role), overrides = ${lowering(sql.fragment`m.overrides || ${sql.jsonb(access)}::jsonb`)},
      time_oversight = case when ${timeOversight === undefined} then m.time_oversight else excluded.time_oversight end
    returning role, overrides as access, time_oversight as "timeOversight"`);
  await markForecastOf(tx, workspaceId);
  return member;
}

export async function removeMember(tx: Tx, scope: AdminScope, workspaceId: number, userId: number): Promise<void> {
  const found = await tx.maybeOneFirst(sql.type(Id)`
    delete from memberships m where m.workspace_id = ${workspaceId} and m.user_id = ${userId} and ${inScope(scope, 'm')}
    returning m.user_id as id`);
  if (found === null) throw new InvalidRequest(['user'], `user ${userId} is not a member of workspace ${workspaceId}; check both ids.`);
  await markForecastOf(tx, workspaceId);
}

/** Locks the workspace's members. Returns the active owners in id order. */
export async function lockOwners(tx: Tx, workspaceId: number): Promise<readonly number[]> {
  await tx.query(sql.unsafe`select 1 from workspaces where id = ${workspaceId} for no key update`);
  return tx.anyFirst(sql.type(Id)`
    select m.user_id as id from memberships m join users u on u.id = m.user_id and u.active
    where m.workspace_id = ${workspaceId} and m.role = 'owner' order by m.user_id`);
}
