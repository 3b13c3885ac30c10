import { z } from 'zod';
import type { Permit } from '../access/caller.ts';
import { accessTo, readsGoals } from '../access/queries.ts';
import type { Fragment, Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { Forbidden } from '../values/errors.ts';
import { type MemberRole, memberRoles } from '../workspaces/roles.ts';
import { statuses } from '../workspaces/statuses.ts';

export const approvalActions = ['requested', 'approved', 'rejected'] as const;
export type ApprovalAction = (typeof approvalActions)[number];

/** Roles that decide about approvals (behaviour §4.14). */
export const approvers: readonly MemberRole[] = ['owner', 'manager'];

export const approves = sql.fragment`access.role in (${sql.join(
  approvers.map((role) => sql.fragment`${role}`),
  sql.fragment`, `,
)})`;

const Before = z.object({ status: z.enum(statuses), key: z.string() });
export type StatusBefore = z.infer<typeof Before>;
const Standing = z.object({ role: z.enum(memberRoles).nullable(), before: Before.nullable() });

/** Returns the item's status from before its latest approval request. Throws Forbidden if the caller is not an approver. */
export async function readStatusBefore(tx: Tx, permit: Permit, itemId: number): Promise<StatusBefore | null> {
  const { role, before } = await tx.one(sql.type(Standing)`
    with ${accessTo(permit.caller, permit.workspaceId)}
    select access.role, (
      select json_build_object('status', p.status_before, 'key', p.status_key_before)
      from approvals p where p.item_id = ${itemId} and p.workspace_id = access.workspace_id and p.action = 'requested'
      order by p.id desc limit 1) as before
    from access`);
  if (role === null || !approvers.includes(role)) throw new Forbidden();
  return before;
}

export interface Entry {
  action: ApprovalAction;
  comment: string;
  before: StatusBefore;
}

/** CTEs for `updateItem`: the history entry, and a decision marks its request as read. For late ones see notifications/tellQueries.ts. */
export function recordApproval({ action, comment, before }: Entry): Fragment {
  const answered = sql.fragment`,
    answered as (
      update notifications n set read_at = now() from saved
      where n.workspace_id = saved.workspace_id and n.item_id = saved.id and n.kind = 'approval_requested' and n.read_at is null
    )`;
  return sql.fragment`
    recorded as (
      insert into approvals (account_id, workspace_id, item_id, user_id, action, comment, item_version, status_before, status_key_before, approved)
      select saved.account_id, saved.workspace_id, saved.id, access.user_id, ${action}, ${comment}, saved.version, ${before.status}, ${before.key},
             case when ${action} = 'approved' then (select approvable(i) from items i where i.id = saved.id) end
      from saved, access
    )${action === 'requested' ? sql.fragment`` : answered}`;
}

/** For a statement with `access` and a row `i`: the approved values that the caller may see; null if unchanged since. */
export const approvedJson = sql.fragment`case when i.changed_since_approval then (
  select (select json_object_agg(part.key, part.value) from jsonb_each(p.approved) part
    where part.key not in ('parentId', 'parentItemId', 'requirementId', 'releaseId', 'goalId')
      or (part.value = 'null' and (part.key <> 'goalId' or ${readsGoals}))
      or exists (select from items above where above.id = (part.value #>> '{}')::bigint and above.workspace_id = access.workspace_id and above.shown
        and above.needs & case when above.type = 'goal' then access.context_rights else access.rights end = above.needs))
  from approvals p where p.item_id = i.id order by p.id desc limit 1) end`;
