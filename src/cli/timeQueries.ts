/** SQL of `time`, without checks of rights: the operator may see everything. */
import { z } from 'zod';
import type { Fragment, Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';

const Row = z.object({
  date: z.string(),
  userId: z.number(),
  person: z.string(),
  workspaceId: z.number(),
  workspace: z.string(),
  itemId: z.number(),
  title: z.string(),
  minutes: z.number(),
});
export type TimeRow = z.infer<typeof Row>;

export interface TimeFilter {
  since: string;
  account?: number | undefined;
  user?: number | undefined;
  workspace?: number | undefined;
}

/** Rows of a page. A page always includes its last day completely. */
export const TIME_PAGE = 10_000;

const on = (id: number | undefined, condition: (id: number) => Fragment) => (id === undefined ? sql.fragment`true` : condition(id));

export function readTimeSince(tx: Tx, { since, account, user, workspace }: TimeFilter): Promise<readonly TimeRow[]> {
  return tx.any(sql.type(Row)`
    with days as (
      select p.day, p.user_id, place.id as workspace_id, e.item_id, sum(p.minutes)::integer as minutes
      from time_parts p join time_entries e on e.id = p.entry_id
      -- Where it was recorded (behaviour §42.7), unless that workspace is erased.
      cross join lateral (select coalesce((select w.id from workspaces w where w.id = p.workspace_id), e.workspace_id) as id) place
      where p.day >= ${since}::date and ${on(account, (id) => sql.fragment`p.account_id = ${id}`)}
        and ${on(user, (id) => sql.fragment`p.user_id = ${id}`)} and ${on(workspace, (id) => sql.fragment`place.id = ${id}`)}
      group by p.day, p.user_id, place.id, e.item_id having sum(p.minutes) > 0
      order by p.day fetch first ${TIME_PAGE} rows with ties
    )
    select d.day::text as date, u.id as "userId", u.name as person, w.id as "workspaceId", w.name as workspace, i.id as "itemId", i.title, d.minutes
    from days d join users u on u.id = d.user_id join workspaces w on w.id = d.workspace_id join items i on i.id = d.item_id
    order by d.day, u.name, u.id, w.name, w.id, i.id`);
}
