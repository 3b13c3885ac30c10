/** SQL of a requirement's RICE score: reach x impact x confidence / effort (behaviour §21.8). */
import { z } from 'zod';
import { type Fragment, fixedSql } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { visible } from './queries.ts';

export const Rice = z.object({
  score: z.number(),
  /** Rank among the visible open requirements of the workspace with a score, including this one; null if there are too many. */
  rank: z.object({ place: z.number(), of: z.number() }).nullable(),
});
export type Rice = z.infer<typeof Rice>;

const MOST_RANKED = 1_000;

export const scoreOf = (row: 'i' | 'self' | 'other'): Fragment =>
  fixedSql(`(${row}.reach * ${row}.impact * ${row}.confidence / 100 / nullif(${row}.effort, 0))`);

export const riceJson = sql.fragment`(
  select json_build_object('score', ${scoreOf('self')}, 'rank', case when ranked.looked <= ${MOST_RANKED}
    then json_build_object('place', ranked.above + 1, 'of', ranked.scored) end)
  from self cross join lateral (
    select count(*) as looked, count(*) filter (where other.id <> self.id and other.score > ${scoreOf('self')}) as above,
      count(*) filter (where other.score is not null or other.id = self.id) as scored
    from (
      select i.id, case when not i.closed then ${scoreOf('i')} end as score from items i
      where i.type = 'requirement' and ${visible} limit ${MOST_RANKED + 1}) other
  ) ranked
  where ${scoreOf('self')} is not null)`;
