import { z } from 'zod';
import { sql } from '../database/sql.ts';

export const AgentLine = z.object({
  id: z.number(),
  name: z.string(),
  userName: z.string(),
  lastUsedAt: z.string().nullable(),
  expired: z.boolean(),
  disconnectedAt: z.string().nullable(),
  /** `rights`: of the connection. `memberRights`: of its user in this workspace, null if no longer a member. */
  rights: z.number(),
  memberRights: z.number().nullable(),
});
export type AgentLine = z.infer<typeof AgentLine>;

export const agentsOf = sql.fragment`
  select coalesce(json_agg(json_build_object('id', c.id, 'name', c.name, 'userName', u.name, 'lastUsedAt', c.last_used_at,
      'expired', coalesce(c.expires_at <= now(), false), 'disconnectedAt', cw.disconnected_at, 'rights', c.rights, 'memberRights', m.rights)
    order by cw.disconnected_at is not null, u.name, c.name, c.id), '[]')
  from connection_workspaces cw join connections c on c.id = cw.connection_id join users u on u.id = c.user_id
  left join memberships m on m.user_id = c.user_id and m.workspace_id = cw.workspace_id
  where cw.workspace_id = p.id and cw.account_id = p.account_id and c.revoked_at is null`;
