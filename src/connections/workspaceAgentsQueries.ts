/** SQL about the agents of a workspace. The caller has been checked: `runsWorkspace`. */
import { z } from 'zod';
import type { AccountPermit } from '../access/accountAccessQueries.ts';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';

const Agent = z.object({
  id: z.number(),
  name: z.string(),
  userName: z.string(),
  lastUsedAt: z.string().nullable(),
  expired: z.boolean(),
  disconnectedAt: z.string().nullable(),
});
export type AgentLine = z.infer<typeof Agent>;

/** Revoked ones are left out. */
export function readAgents(tx: Tx, { accountId, workspaceId }: AccountPermit): Promise<readonly AgentLine[]> {
  return tx.any(sql.type(Agent)`
    select c.id, c.name, u.name as "userName", c.last_used_at as "lastUsedAt", coalesce(c.expires_at <= now(), false) as expired,
           cw.disconnected_at as "disconnectedAt"
    from connection_workspaces cw join connections c on c.id = cw.connection_id join users u on u.id = c.user_id
    where cw.workspace_id = ${workspaceId} and cw.account_id = ${accountId} and c.revoked_at is null
    order by cw.disconnected_at is not null, u.name, c.name, c.id`);
}
