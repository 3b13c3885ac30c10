/** SQL about a workspace as those who run it see it. The caller has been checked: `runsWorkspace`. */
import { z } from 'zod';
import type { AccountPermit } from '../access/accountAccessQueries.ts';
import { itemTypes, levels, resources } from '../access/rights.ts';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { memberRoles } from './roles.ts';
import { statuses } from './statuses.ts';

const Member = z.object({
  userId: z.number(),
  name: z.string(),
  email: z.string(),
  active: z.boolean(),
  role: z.enum(memberRoles),
  /** What lowers the role. */
  access: z.partialRecord(z.enum(resources), z.enum(levels)),
  /** null: as the role has it. */
  timeOversight: z.boolean().nullable(),
});
export type MemberLine = z.infer<typeof Member>;

const StatusLine = z.object({
  key: z.string(),
  label: z.string(),
  status: z.enum(statuses),
  types: z.array(z.enum(itemTypes)),
  used: z.number(),
});
export type StatusLine = z.infer<typeof StatusLine>;
const PriorityLine = z.object({ key: z.string(), label: z.string(), rank: z.number(), default: z.boolean(), used: z.number() });
export type PriorityLine = z.infer<typeof PriorityLine>;

const Settings = z.object({
  name: z.string(),
  archived: z.boolean(),
  mcpEnabled: z.boolean(),
  /** A bit set: src/access/rights.ts. */
  mcpRights: z.number(),
  members: z.array(Member),
  /** Active people of the account who are no members. */
  others: z.array(z.object({ id: z.number(), name: z.string(), email: z.string() })),
  statuses: z.array(StatusLine),
  priorities: z.array(PriorityLine),
});
export type Settings = z.infer<typeof Settings>;

/** `used`: by how many items, archived ones included. */
export async function readSettings(tx: Tx, { accountId, workspaceId }: AccountPermit): Promise<Settings> {
  return tx.one(sql.type(Settings)`
    select w.name, w.archived_at is not null as archived, w.mcp_enabled as "mcpEnabled", w.mcp_rights as "mcpRights",
      (select coalesce(json_agg(json_build_object('userId', u.id, 'name', u.name, 'email', u.email, 'active', u.active, 'role', m.role,
          'access', m.overrides, 'timeOversight', m.time_oversight) order by array_position(array['owner', 'manager', 'member', 'viewer'], m.role), u.name, u.id), '[]')
        from memberships m join users u on u.id = m.user_id where m.workspace_id = w.id) as members,
      (select coalesce(json_agg(json_build_object('id', u.id, 'name', u.name, 'email', u.email) order by u.name, u.id), '[]')
        from users u where u.account_id = w.account_id and u.active
          and not exists (select from memberships m where m.user_id = u.id and m.workspace_id = w.id)) as others,
      (select coalesce(json_agg(json_build_object('key', s.key, 'label', s.label, 'status', s.status, 'types', s.types,
          'used', (select count(*) from items i where i.workspace_id = s.workspace_id and i.status_key = s.key)) order by s.position, s.key), '[]')
        from statuses s where s.workspace_id = w.id) as statuses,
      (select coalesce(json_agg(json_build_object('key', p.key, 'label', p.label, 'rank', p.rank, 'default', p.is_default,
          'used', (select count(*) from items i where i.workspace_id = p.workspace_id and i.priority_key = p.key)) order by p.rank desc, p.key), '[]')
        from priorities p where p.workspace_id = w.id) as priorities
    from workspaces w where w.id = ${workspaceId} and w.account_id = ${accountId}`);
}
