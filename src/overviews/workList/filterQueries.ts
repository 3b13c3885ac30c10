import { readsGoals } from '../../access/queries.ts';
import type { Fragment } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';
import { isHit } from '../../items/findWork/textQueries.ts';
import type { ListWork } from './schema.ts';
import { closedWanted, type Days, dueWanted } from './wanted.ts';

const nothing = sql.fragment``;
const dueDay = sql.fragment`coalesce(i.due, 'infinity'::date)`;

/** True if any filter other than status and priority is set. */
export const isNarrowed = ({ assignee, due, within, mine, search, archived }: ListWork): boolean =>
  assignee.length > 0 || due.length > 0 || within.length > 0 || mine || search !== undefined || archived;

/** All filters except status, each with a leading `and`; for a statement with `access`. */
export function conditions(wanted: ListWork): Fragment {
  const { priority, mine, archived, within } = wanted;
  const ids = sql.array([...within], 'int8');
  return sql.fragment`
    and i.closed = any(${sql.array(closedWanted(wanted), 'bool')})
    ${archived ? sql.fragment`and i.archived_at is not null` : sql.fragment`and i.shown`}
    ${wanted.assignee.length ? ofPeople(wanted) : nothing}
    ${mine ? sql.fragment`and (i.assignee_id = access.user_id or i.owner_id = access.user_id)` : nothing}
    ${priority.length ? sql.fragment`and coalesce(i.priority_key, '') = any(${sql.array(priority, 'text')})` : nothing}
    ${wanted.due.length ? inDays(wanted) : nothing}
    ${
      within.length
        ? sql.fragment`and (i.parent_item_id = any(${ids}) or i.parent_id = any(${ids}) or i.requirement_id = any(${ids}) or i.release_id = any(${ids})
      or ${readsGoals} and i.goal_id = any(${ids}))`
        : nothing
    }`;
}

export const hasWords = ({ search }: ListWork): Fragment => (search === undefined ? nothing : sql.fragment`and ${isHit({ search })}`);

function ofPeople({ assignee }: ListWork): Fragment {
  const people = sql.array(
    assignee.filter((one) => typeof one === 'number'),
    'int8',
  );
  const me = assignee.includes('me') ? sql.fragment`or i.assignee_id = access.user_id` : nothing;
  const nobody = assignee.includes('unassigned') ? sql.fragment`or i.assignee_id is null` : nothing;
  return sql.fragment`and (i.assignee_id = any(${people}) ${me} ${nobody})`;
}

function inDays(wanted: ListWork): Fragment {
  const { ranges, overdue } = dueWanted(wanted);
  const list = (end: keyof Days) =>
    sql.array(
      ranges.map((one) => one[end]),
      'date',
    );
  const late = overdue ? sql.fragment`or not i.closed and i.due <= ${overdue.to}::date` : nothing;
  const exactly = sql.fragment`and (exists (select from unnest(${list('from')}, ${list('to')}) r (a, b) where ${dueDay} between r.a and r.b) ${late})`;
  const all = overdue ? [...ranges, overdue] : ranges;
  const days = all.flatMap(({ from, to }) => [from, to]).sort();
  // Uses the index of due dates, which has no rows without a date.
  if (days.includes('infinity')) return exactly;
  return sql.fragment`and i.due between ${days[0]!}::date and ${days.at(-1)!}::date ${exactly}`;
}
