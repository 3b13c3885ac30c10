/** SQL of the decisions that wait for a user: approval requests where they are an approver (behaviour §4.14, §20.2). */
import { type Fragment, fixedSql, literals } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { approvers, approves } from './approvalQueries.ts';
import { visible } from './queries.ts';

const deciding = fixedSql(literals(approvers));
const write = fixedSql(`resource_bits(i.type || 's', 'write')`);

/** For a statement with `access` to all workspaces: items to decide about, oldest first. The caller's own requests only if there is no
 *  other approver. */
export const decisions = (limit: number): Fragment => sql.fragment`
  select i.id, i.due, p.by, p.comment, p.at from access cross join lateral (
    select i.id, i.due, i.type, i.workspace_id from items i
    where ${visible} and i.status = 'pending_approval' and ${approves} and access.rights & ${write} = ${write}
    order by i.id limit ${limit}
  ) i left join lateral (
    select p.user_id, u.name as by, p.comment, p.at from approvals p join users u on u.id = p.user_id
    where p.item_id = i.id and p.action = 'requested' order by p.id desc limit 1
  ) p on true
  where p.user_id is distinct from access.user_id or not exists (
    select from memberships m join users u on u.id = m.user_id and u.active and u.kind = 'person'
    where m.workspace_id = i.workspace_id and m.user_id <> access.user_id and m.role in (${deciding}) and m.rights & ${write} = ${write})
  limit ${limit}`;
