/** The settings of a workspace by part (behaviour §30.1). Users who run the workspace see all parts, managers see its labels and webhooks, and
 *  each member sees their own notices. */
import { z } from 'zod';
import { callerRow } from '../access/queries.ts';
import { AgentLine, agentsOf } from '../connections/pageQueries.ts';
import { sql } from '../database/sql.ts';
import { erasedAt } from '../erasure/queries.ts';
import { workspaceChoices } from '../notifications/schema.ts';
import type { Read } from '../operations/operation.ts';
import { Forbidden } from '../values/errors.ts';
import { Id } from '../values/text.ts';
import { webhooksOf } from '../webhooks/queries.ts';
import { WebhookRow } from '../webhooks/schema.ts';
import { forecastReaders } from '../workspaces/schema.ts';
import { Members, membersOf, Words, wordsOf } from '../workspaces/settingsQueries.ts';
import { memberRoles } from '../workspaces/statuses.ts';

export const settingsParts = ['general', 'members', 'statuses', 'labels', 'templates', 'agents', 'webhooks', 'import', 'notices'] as const;
export type SettingsPart = (typeof settingsParts)[number];

const Found = z.object({
  name: z.string(),
  archived: z.boolean(),
  erasedAt: z.string().nullable(),
  role: z.enum(memberRoles).nullable(),
  /** Sees all parts except notices; webhooks only if the workspace is not archived. */
  runs: z.boolean(),
  keepsWebhooks: z.boolean(),
  forecasts: z.enum(forecastReaders),
  mcpEnabled: z.boolean(),
  /** A bit set: src/access/rights.ts. */
  mcpRights: z.number(),
  notices: z.enum(workspaceChoices).nullable(),
  members: Members.nullable(),
  words: Words.nullable(),
  agents: z.array(AgentLine).nullable(),
  webhooks: z.array(WebhookRow).nullable(),
});

export type WorkspaceSettings = z.infer<typeof Found>;

const Part = z.strictObject({ workspaceId: Id, part: z.enum(settingsParts) });

/** Includes archived workspaces for those who run them. */
export const workspaceSettings: Read<z.infer<typeof Part>, WorkspaceSettings> = {
  name: 'workspaceSettings',
  input: Part,
  async run(tx, caller, { workspaceId, part }) {
    if (caller.kind === 'key' || caller.kind === 'agent') throw new Forbidden();
    const found = await tx.maybeOne(sql.type(Found)`
      with who as (${callerRow(caller)}),
      asked as (
        select w.id, w.account_id, w.name, w.archived_at is not null as archived, w.forecasts, w.mcp_enabled, w.mcp_rights, m.role, m.notices,
          m.role is not distinct from 'owner' or u.account_role <> 'member' as runs,
          w.archived_at is null and (coalesce(m.role in ('owner', 'manager'), false) or u.account_role <> 'member') as keeps
        from who join users u on u.id = who.user_id
        join workspaces w on w.id = ${workspaceId} and w.account_id = who.account_id
        left join memberships m on m.user_id = who.user_id and m.workspace_id = w.id
      ),
      p as (
        select * from asked
        where case when ${part} = 'webhooks' then keeps when ${part} in ('labels', 'templates', 'import') then keeps and role is not null
          when ${part} = 'notices' then role is not null and not archived else runs end
      )
      select p.name, p.archived,
        ${erasedAt('workspace', sql.fragment`p.id`)} as "erasedAt", p.role, p.runs, p.keeps as "keepsWebhooks", p.forecasts, p.mcp_enabled as "mcpEnabled", p.mcp_rights as "mcpRights", p.notices,
        case when ${part} = 'members' then (${membersOf}) end as members,
        case when ${part} = 'statuses' then (${wordsOf}) end as words,
        case when ${part} = 'agents' then (${agentsOf}) end as agents,
        case when ${part} = 'webhooks' then (${webhooksOf}) end as webhooks
      from p`);
    if (!found) throw new Forbidden();
    return found;
  },
};
