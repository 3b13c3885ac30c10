/** SQL of what goals have reached over time, from the recorded changes (sql/0071_goal_trends.sql), for a row `i` of items that its reader sees. */
import { fixedSql, instantText } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { MOST_POINTS } from './goalTrend.ts';

/** The first value that is known: what the first change found, or set. Null where nothing was recorded. */
export const firstValue = sql.fragment`(
  select coalesce(c.fields -> 'current' ->> 0, c.fields -> 'current' ->> 1)::float8 from changes c
  where c.item_id = i.id and c.fields ? 'current' order by c.version limit 1)`;

const [since, at] = [fixedSql(instantText('i.created_at')), fixedSql(instantText('c.at'))];

/** JSON of a RecordedTrend. */
export const trendJson = sql.fragment`json_build_object('since', ${since}, 'changes', (
  select coalesce(json_agg(json_build_object('at', ${at}, 'before', c.fields -> 'current' -> 0, 'after', c.fields -> 'current' -> 1,
    'by', (select u.name from users u where u.id = c.actor_id)) order by c.version), '[]')
  from (select * from changes c where c.item_id = i.id and c.fields ? 'current' order by c.version desc limit ${MOST_POINTS}) c))`;
