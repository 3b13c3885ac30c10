/** SQL of what a goal's row shows in a tree besides that of a list: what contributes to it, and its trend. For a row `i` and `access`. */
import { sql } from '../../database/sql.ts';
import { trendJson } from '../../items/goalTrendQueries.ts';
import { ofGoal } from './rowQueries.ts';

/** So many items that are linked to a goal are looked at, and so many are named. */
export const MOST_LOOKED_AT = 100;
const MOST_NAMED = 10;

const visible = sql.fragment`w.workspace_id = i.workspace_id and w.shown and w.needs & access.rights = w.needs`;

const person = sql.fragment`(select json_build_object('id', u.id, 'name', u.name, 'kind', u.kind) from users u where u.id = l.who)`;

/** What is linked straight to the goal, cancelled work apart; open work is named first. */
const contributing = sql.fragment`(
  with linked as materialized (
    select w.id, w.type, w.title, w.status, w.status_key, w.closed, w.due, coalesce(w.assignee_id, w.owner_id) as who, row_number() over (order by w.closed, w.due nulls last, w.id) as place
    from (select w.* from items w where w.goal_id = i.id and ${visible} and w.status <> 'cancelled' limit ${MOST_LOOKED_AT + 1}) w)
  select json_build_object(
    'kinds', (select coalesce(json_agg(json_build_object('type', k.type, 'done', k.done, 'total', k.total)), '[]')
      from (select l.type, count(*) filter (where l.status = 'done') as done, count(*) as total from linked l where l.place <= ${MOST_LOOKED_AT} group by l.type) k),
    'more', (select count(*) > ${MOST_LOOKED_AT} from linked),
    'rows', (select coalesce(json_agg(json_build_object('id', l.id, 'type', l.type, 'title', l.title, 'status', l.status, 'statusKey', l.status_key,
        'due', l.due, 'person', ${person}) order by l.place), '[]') from linked l where l.place <= ${MOST_NAMED})))`;

/** A row's own columns (rowQueries.ts). */
export const goalColumns = sql.fragment`${ofGoal}, ${contributing} as contributing, ${trendJson} as trend`;
