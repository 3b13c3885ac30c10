/** Ids of a job's subjects in its payload. For the log only. */
import { z } from 'zod';

const id = z.number().nullish();
export const About = z.object({ account: id, user: id, workspace: id, item: id });
export type About = z.infer<typeof About>;

export const aboutRow = (row: { account_id?: number; user_id?: number; workspace_id?: number | null; item_id?: number | null }): About => ({
  account: row.account_id,
  user: row.user_id,
  workspace: row.workspace_id,
  item: row.item_id,
});

export function aboutJob(payload: unknown): About {
  const { about, workspaceId } = (payload ?? {}) as { about?: unknown; workspaceId?: number };
  return { ...(workspaceId !== undefined && { workspace: workspaceId }), ...About.partial().safeParse(about).data };
}
