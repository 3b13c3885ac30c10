/** SQL about who belongs to a workspace, as operators and administrators change it. */
import { sql } from 'slonik';
import { z } from 'zod';
import { absent, type Reach, within } from '../access/adminQueries.ts';
import type { Level, Resource } from '../access/rights.ts';
import type { Tx } from '../db.ts';
import { InvalidRequest } from '../errors.ts';
import { markForecastOf } from '../jobs.ts';
import { type MemberRole, memberRoles } from './roles.ts';

export interface MemberChange {
  workspaceId: number;
  userId: number;
  /** Needed for who is not yet a member. */
  role?: MemberRole | undefined;
  /** Lowers the role, resource by resource: added to what is lowered already; `delete` lowers nothing. */
  access?: Partial<Record<Resource, Level>> | undefined;
  timeOversight?: boolean | undefined;
}

const Member = z.object({
  role: z.enum(memberRoles),
  access: z.record(z.string(), z.string()),
  timeOversight: z.boolean().nullable(),
});
export type Member = z.infer<typeof Member>;

/** Makes a user of the same account a member, or changes the membership; what is left out stays as it is. `timeOversight` null: as the role has it. */
export async function setMember(tx: Tx, reach: Reach, change: MemberChange): Promise<Member> {
  const { workspaceId, userId, role = null, access = {}, timeOversight = null } = change;
  const known = await tx.maybeOne(sql.type(z.object({ has_user: z.boolean(), is_member: z.boolean() }))`
    select exists (select from users u where u.id = ${userId} and u.account_id = w.account_id) as has_user,
           exists (select from memberships m where m.user_id = ${userId} and m.workspace_id = w.id) as is_member
    from workspaces w where w.id = ${workspaceId} and ${within(reach, 'w')}`);
  if (!known) throw absent('workspace', workspaceId);
  if (!known.has_user) throw absent('user', userId);
  if (role === null && !known.is_member) throw new InvalidRequest(`role: user ${userId} is not a member yet; give a role.`);
  const member = await tx.one(sql.type(Member)`
    insert into memberships as m (account_id, workspace_id, user_id, role, overrides, time_oversight)
    select account_id, id, ${userId}, coalesce(${role}, 'viewer'), ${sql.jsonb(access)}, ${timeOversight}::boolean
    from workspaces where id = ${workspaceId}
    on conflict (user_id, workspace_id) do update set
      role = coalesce(${role}, m.role), overrides = m.overrides || excluded.overrides,
      time_oversight = coalesce(excluded.time_oversight, m.time_oversight)
    returning role, overrides as access, time_oversight as "timeOversight"`);
  await markForecastOf(tx, workspaceId);
  return member;
}

/** The way in is gone at once; what they did stays, and what they were assigned stays assigned. */
export async function removeMember(tx: Tx, reach: Reach, workspaceId: number, userId: number): Promise<void> {
  const found = await tx.maybeOneFirst(sql.type(z.object({ id: z.number() }))`
    delete from memberships m where m.workspace_id = ${workspaceId} and m.user_id = ${userId} and ${within(reach, 'm')}
    returning m.user_id as id`);
  if (found === null) throw new InvalidRequest(`user: user ${userId} is not a member of workspace ${workspaceId}; check both ids.`);
  await markForecastOf(tx, workspaceId);
}
