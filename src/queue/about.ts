/** Whom and what a job is about, as ids: rides along in its payload for the log, and decides nothing. */
import { z } from 'zod';

const id = z.number().nullish();
export const About = z.object({ account: id, user: id, workspace: id, item: id });
export type About = z.infer<typeof About>;

/** Of a row with those columns. */
export const aboutRow = (row: { account_id?: number; user_id?: number; workspace_id?: number | null; item_id?: number | null }): About => ({
  account: row.account_id,
  user: row.user_id,
  workspace: row.workspace_id,
  item: row.item_id,
});

/** What the log says of a job with this payload. */
export function aboutJob(payload: unknown): About {
  const { about, workspaceId } = (payload ?? {}) as { about?: unknown; workspaceId?: number };
  return { ...(workspaceId !== undefined && { workspace: workspaceId }), ...About.partial().safeParse(about).data };
}
