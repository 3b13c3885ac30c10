/** SQL of approvals (behaviour §4.14), and of the requests that wait for a user (§20.2). */
import { z } from 'zod';
import type { Permit } from '../access/caller.ts';
import { accessTo, isVisible, readsGoals } from '../access/queries.ts';
import { type Fragment, fixedSql, literals, type Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { Forbidden } from '../values/errors.ts';
import { type MemberRole, memberRoles, statuses } from '../workspaces/statuses.ts';
import { visible } from './queries.ts';

export const approvalActions = ['requested', 'approved', 'rejected'] as const;
export type ApprovalAction = (typeof approvalActions)[number];

/** Roles that decide approvals (behaviour §4.14). */
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

const Recorded = z.object({ id: z.number() });

/** Adds the history entry of an item that has just changed. A decision marks its request as read. For late requests see
 *  notifications/tellQueries.ts. Throws Forbidden if the caller is not an approver any more. */
export async function recordApproval(tx: Tx, permit: Permit, itemId: number, { action, comment, before }: Entry): Promise<void> {
  const found = await tx.maybeOne(sql.type(Recorded)`
    with ${accessTo(permit.caller, permit.workspaceId)},
    recorded as (
      insert into approvals (account_id, workspace_id, item_id, user_id, action, comment, item_version, status_before, status_key_before, approved)
      select i.account_id, i.workspace_id, i.id, access.user_id, ${action}, ${comment}, i.version, ${before.status}, ${before.key},
             case when ${action} = 'approved' then approvable(i) end
      from items i, access where i.id = ${itemId} and i.workspace_id + 0 = access.workspace_id and ${approves}
      returning id, workspace_id, item_id
    ),
    answered as (
      update notifications n set read_at = now() from recorded
      where n.workspace_id = recorded.workspace_id and n.item_id = recorded.item_id and n.kind = 'approval_requested' and n.read_at is null
        and ${action} <> 'requested'
    )
    select id from recorded`);
  if (!found) throw new Forbidden();
}

/** For a statement with `access` and a row `i`: the approved values that the caller may see; null if unchanged since. */
export const approvedJson = sql.fragment`case when i.changed_since_approval then (
  select (select json_object_agg(part.key, part.value) from jsonb_each(p.approved) part
    where part.key not in ('parentId', 'parentItemId', 'requirementId', 'releaseId', 'goalId')
      or (part.value = 'null' and (part.key <> 'goalId' or ${readsGoals}))
      or exists (select from items above where above.id = (part.value #>> '{}')::bigint and above.workspace_id = access.workspace_id and ${isVisible('above', sql.fragment`case when above.type = 'goal' then access.context_rights else access.rights end`)}))
  from approvals p where p.item_id = i.id order by p.id desc limit 1) end`;

const deciding = fixedSql(literals(approvers));
const write = fixedSql(`resource_bits(i.type || 's', 'write')`);

/** For a statement with `access` to all workspaces: items that await the caller's approval, oldest first. Includes the caller's own
 *  requests only if there is no other approver. */
export const decisions = (limit: number): Fragment => sql.fragment`
  select i.id, i.due, p.by, p.user_id as by_id, p.by_kind, p.comment, p.at from access cross join lateral (
    select i.id, i.due, i.type, i.workspace_id from items i
    where ${visible} and i.status = 'pending_approval' and ${approves} and access.rights & ${write} = ${write}
    order by i.id limit ${limit}
  ) i left join lateral (
    select p.user_id, u.name as by, u.kind as by_kind, p.comment, p.at from approvals p join users u on u.id = p.user_id
    where p.item_id = i.id and p.action = 'requested' order by p.id desc limit 1
  ) p on true
  where p.user_id is distinct from access.user_id or not exists (
    select from memberships m join users u on u.id = m.user_id and u.active and u.kind = 'person'
    where m.workspace_id = i.workspace_id and m.user_id <> access.user_id and m.role in (${deciding}) and m.rights & ${write} = ${write})
  limit ${limit}`;
