/** A user's work before they are deactivated or removed from a workspace, for the confirmation page (behaviour §30.10). */
import { z } from 'zod';
import { callerCte } from '../access/queries.ts';
import { sql } from '../database/sql.ts';
import { seesTimer } from '../items/archiveQueries.ts';
import { openTasks } from '../items/placeQueries.ts';
import type { Read } from '../operations/operation.ts';
import { CredentialRefused, Forbidden } from '../values/errors.ts';
import { Id } from '../values/text.ts';
import { working } from './people.ts';

const Leaving = z.object({
  name: z.string(),
  timers: z.number(),
  blocks: z.number(),
  /** REST keys; null for a removal from one workspace. */
  keys: z.number().nullable(),
  agents: z.number(),
  /** Workspaces with open tasks assigned to the user, without a check of the caller's rights. `isMember`: the caller is a member. */
  tasks: z.array(z.object({ workspaceId: z.number(), workspace: z.string(), count: z.number(), isMember: z.boolean() })),
});
export type Leaving = z.infer<typeof Leaving>;

const Found = z.object({ allowed: z.boolean(), leaving: Leaving.nullable() });

/** If `workspaceId` is unset, the user is about to be deactivated. */
const Input = z.strictObject({ userId: Id, workspaceId: Id.optional() });

/** Returns null if there is no user to deactivate or remove. Throws Forbidden, Unauthenticated. */
export const getLeaving: Read<z.infer<typeof Input>, Leaving | null> = {
  name: 'getLeaving',
  input: Input,
  async run(tx, caller, { userId, workspaceId = null }) {
    if (caller.kind === 'key' || caller.kind === 'agent') throw new Forbidden();
    const inScope = sql.fragment`in (select id from places)`;
    const found = await tx.maybeOne(sql.type(Found)`
      with ${callerCte(caller)},
      me as (select who.account_id, u.id as user_id, u.account_role from who join users u on u.id = who.user_id),
      places as (
        select w.id, w.name, w.archived_at, m.role from me
        join workspaces w on w.account_id = me.account_id and w.id = coalesce(${workspaceId}, w.id)
        left join memberships m on m.workspace_id = w.id and m.user_id = me.user_id
      ),
      allowed as (
        select case when ${workspaceId}::bigint is null then me.account_role = 'owner'
          else exists (select from places p where p.role = 'owner' or me.account_role <> 'member') end as yes from me
      ),
      leaver as (
        select u.id, u.name from me join users u on u.id = ${userId} and u.account_id = me.account_id
        where case when ${workspaceId}::bigint is null then u.active
          else exists (select from memberships m where m.user_id = u.id and m.workspace_id = ${workspaceId}) end
      )
      select allowed.yes as allowed, case when allowed.yes then (
        select json_build_object(
          'name', u.name,
          'timers', (select count(*) from time_entries e where e.user_id = u.id and e.minutes is null and e.workspace_id ${inScope}
            and ${seesTimer(caller)}),
          'blocks', (select count(*) from plan_blocks b where b.user_id = u.id and b.state in ('scheduled', 'running') and b.workspace_id ${inScope}),
          'keys', case when ${workspaceId}::bigint is null then (select count(*) from rest_keys k where k.user_id = u.id and ${working}) end,
          'agents', (select count(*) from connections c where c.user_id = u.id and ${working} and (${workspaceId}::bigint is null or exists (
            select from connection_workspaces cw where cw.connection_id = c.id and cw.workspace_id = ${workspaceId} and cw.disconnected_at is null))),
          'tasks', (select coalesce(json_agg(json_build_object('workspaceId', t.id, 'workspace', t.name, 'count', t.count, 'isMember', t.role is not null)
              order by lower(t.name), t.id), '[]')
            from (select w.id, w.name, w.role, ${openTasks} as count from places w where w.archived_at is null) t where t.count > 0))
        from leaver u) end as leaving
      from allowed`);
    if (!found) throw new CredentialRefused();
    if (!found.allowed) throw new Forbidden();
    return found.leaving;
  },
};
