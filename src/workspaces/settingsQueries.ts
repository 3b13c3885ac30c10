/** SQL of a workspace's settings, as parts of a statement in which `p` is a workspace that the reader runs. */
import { z } from 'zod';
import { itemTypes, levels, resources } from '../access/rights.ts';
import { userKinds } from '../accounts/schema.ts';
import { sql } from '../database/sql.ts';
import { WipLimits } from './schema.ts';
import { memberRoles, statuses } from './statuses.ts';

const Member = z.object({
  userId: z.number(),
  name: z.string(),
  kind: z.enum(userKinds),
  email: z.string(),
  active: z.boolean(),
  role: z.enum(memberRoles),
  access: z.partialRecord(z.enum(resources), z.enum(levels)),
  timeOversight: z.boolean().nullable(),
});
export type MemberLine = z.infer<typeof Member>;

export const Members = z.object({
  members: z.array(Member),
  others: z.array(z.object({ id: z.number(), name: z.string(), email: z.string() })),
});
export type Members = z.infer<typeof Members>;

export const membersOf = sql.fragment`
  select json_build_object(
    'members', (select coalesce(json_agg(json_build_object('userId', u.id, 'name', u.name, 'kind', u.kind, 'email', u.email, 'active', u.active, 'role', m.role,
        'access', m.overrides, 'timeOversight', m.time_oversight) order by array_position(array['owner', 'manager', 'member', 'viewer'], m.role), u.name, u.id), '[]')
      from memberships m join users u on u.id = m.user_id where m.workspace_id = p.id),
    'others', (select coalesce(json_agg(json_build_object('id', u.id, 'name', u.name, 'email', u.email) order by u.name, u.id), '[]')
      from users u where u.account_id = p.account_id and u.active
        and not exists (select from memberships m where m.user_id = u.id and m.workspace_id = p.id)))`;

const StatusLine = z.object({
  key: z.string(),
  label: z.string(),
  status: z.enum(statuses),
  types: z.array(z.enum(itemTypes)),
  used: z.number(),
  ...WipLimits.shape,
});
export type StatusLine = z.infer<typeof StatusLine>;
const PriorityLine = z.object({ key: z.string(), label: z.string(), rank: z.number(), default: z.boolean(), used: z.number() });
export type PriorityLine = z.infer<typeof PriorityLine>;

export const Words = z.object({ statuses: z.array(StatusLine), priorities: z.array(PriorityLine) });
export type Words = z.infer<typeof Words>;

/** `used`: number of items, archived ones included. One scan counts statuses and priorities. */
export const wordsOf = sql.fragment`
  with used as (
    select i.status_key, i.priority_key, count(*) as times from items i where i.workspace_id = p.id group by i.status_key, i.priority_key
  )
  select json_build_object(
    'statuses', (select coalesce(json_agg(json_build_object('key', s.key, 'label', s.label, 'status', s.status, 'types', s.types, 'wipItems', s.wip_items, 'wipHours', s.wip_hours,
        'used', (select coalesce(sum(used.times), 0) from used where used.status_key = s.key)) order by s.position, s.key), '[]')
      from statuses s where s.workspace_id = p.id),
    'priorities', (select coalesce(json_agg(json_build_object('key', r.key, 'label', r.label, 'rank', r.rank, 'default', r.is_default,
        'used', (select coalesce(sum(used.times), 0) from used where used.priority_key = r.key)) order by r.rank desc, r.key), '[]')
      from priorities r where r.workspace_id = p.id))`;
