import { z } from 'zod';
import { fixedSql, type Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';

/** The number of open tasks in workspace `w` that are assigned to user `u`, without a check of the caller's rights. */
export const openTasks = fixedSql(
  "(select count(*) from items i where i.workspace_id = w.id and i.assignee_id = u.id and i.shown and not i.closed and i.type = 'task')",
);

const Sum = z.object({ sum: z.number() });

/** null: all workspaces that are not archived. */
export async function countOpenTasks(tx: Tx, userId: number, workspaceId: number | null): Promise<number> {
  return tx.oneFirst(sql.type(Sum)`
    select coalesce(sum(${openTasks}), 0)::bigint as sum from users u
    join workspaces w on w.account_id = u.account_id and w.archived_at is null and w.id = coalesce(${workspaceId}, w.id)
    where u.id = ${userId}`);
}
