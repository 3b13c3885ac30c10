/** My day, a list of 50, a board, a timeline of 500 bars, an item with 50 entries, capacity, a week's report and the tree of 200 goals, with
 *  1,000 and 200,000 items: CPU of the web process and of PostgreSQL, against `GET /items?limit=50` and against the smaller workspace; the
 *  time of an answer. (test/roundTrips.db.test.ts counts the round trips.) */
import type pg from 'pg';
import { possibleNeeds } from '../../src/access/rights.ts';
import type { Bulk } from '../support/bulk.ts';
import { type Bench, stop } from './bench.ts';
import { type Caller, load } from './load.ts';
import { atMost, compare, type Figure, type Goal, median } from './measure.ts';
import { forecastTag, get, growth, inPlaces, listItems, makePlace, type Place, same } from './places.ts';

const LIST = 'GET /items?limit=50';
const TIMELINE = 'a timeline of 500 bars';
const GOALS = 'a tree of 200 goals';
/** Ten times as many rows as a list at half of their cost, and four times as many. */
const bounds: Record<string, number> = { [TIMELINE]: 20, [GOALS]: 16 };
/** A person who opens pages this quickly stays within their share of the event loop, even with pages of 20 ms (behaviour §13.15). */
const PAGES_A_SECOND = 4;

const cost = ({ web, database }: Figure) => web + database;

export async function pages(bench: Bench): Promise<Goal[]> {
  const places: Place[] = [];
  for (const size of bench.sizes) places.push(await makePlace(bench, size, fillPages));
  for (const { url, web, bulk } of places) {
    // It ends, so that its jobs don't count.
    const worker = await bench.worker(url, { unheard: true });
    await forecastTag(web, bulk);
    await stop(worker, 'SIGTERM');
  }
  const found = await compare(bench, 'Pages', inPlaces(places, callsOf), { rounds: 5, connections: 4 });
  const large = places[1]!;
  const costOf = (name: string) => cost(found[`${name}, ${large.size}`]!);
  const goals: Goal[] = [];
  for (const [name, calls] of Object.entries(callsOf(large))) {
    if (name === LIST) continue;
    const { times } = await load(large.web.port, calls(), { connections: 1, seconds: bench.quick ? 1 : 5, perSecond: PAGES_A_SECOND });
    goals.push(
      atMost(`${name}: CPU against ${LIST}`, costOf(name) / costOf(LIST), bounds[name] ?? 4),
      atMost(`${name}: CPU with 200,000 items against 1,000`, growth(found, name, places, cost), 1.15),
      atMost(`${name}: an answer to one person, median ms`, median(times), name in bounds ? 60 : 15),
    );
  }
  return goals;
}

function callsOf({ bulk, cookie }: Place): Record<string, () => Caller> {
  const { workspaceId, lastTaskId } = bulk;
  // A cursor behind half a year of due days (overviews/workList/cursor.ts).
  const middle = Buffer.from(JSON.stringify([1, '', 0, '', '2026-12-28', -2, 1])).toString('base64url');
  const page = (path: string) => same(get(path, cookie));
  const within = (query: string) => page(`/workspaces/${workspaceId}?${query}`);
  return {
    [LIST]: same(listItems(bulk)),
    'My day': page('/'),
    'a list of 50': within('type=task'),
    'a list of 50, later page': within(`type=task&group=none&after=${middle}`),
    'a board': within('type=task&view=board'),
    [TIMELINE]: within('view=timeline'),
    'an item with 50 entries': page(`/workspaces/${workspaceId}/items/${lastTaskId}`),
    capacity: page(`/capacity?workspaceId=${workspaceId}`),
    [GOALS]: within('type=goal&view=tree'),
    'a report': page(`/reports/time?workspaceId=${workspaceId}`),
  };
}

/** A typical person's content: work in all statuses, 30 things to do and decide, an item with 50 comments, 500 time entries. */
export async function fillPages(client: pg.Client, { accountId, workspaceId, userId, firstTaskId, lastTaskId }: Bulk): Promise<void> {
  const place = [accountId, workspaceId];
  await client.query('set session_replication_role = replica');
  await client.query(
    `update items set status = k.status, status_key = k.key, due_date = items.due_date + 180,
       assignee_id = case when items.id < $2 + 30 then $3::bigint end
     from statuses k
     where items.workspace_id = $1 and items.type = 'task' and k.workspace_id = $1
       and k.key = (array['planned', 'in_progress', 'in_review', 'done'])[1 + items.id % 4]`,
    [workspaceId, firstTaskId, userId],
  );
  await client.query(
    `insert into comments (account_id, workspace_id, item_id, author_id, body) select $1, $2, $3, $4, 'Comment ' || n from generate_series(1, 50) n`,
    [...place, lastTaskId, userId],
  );
  // The same plan at either size: bars beyond 500 are not shown, and items without dates have their own section.
  await client.query(
    `update items set target_date = current_date + 1000 + (id % 900)::int where workspace_id = $1 and type in ('release', 'requirement')`,
    [workspaceId],
  );
  await client.query(
    `insert into items (account_id, workspace_id, type, title, description, status, status_key, needs, start_date, target_date)
     select $1, $2, 'milestone', 'Milestone ' || n, '', 'planned', 'planned', ${possibleNeeds('milestone')[0]!}, current_date - 30 + n / 5,
       current_date - 20 + n / 4 from generate_series(1, 510) n`,
    place,
  );
  // Five entries a day are the reader's own: the report shows all entries, My day only these.
  await client.query(
    `with colleague as (insert into users (account_id, email, name) values ($1, 'colleague@bulk.example', 'Bo Berg') returning id),
     member as (insert into memberships (account_id, workspace_id, user_id, role) select $1, $2, id, 'member' from colleague),
     made as (
       insert into time_entries (account_id, workspace_id, user_id, item_id, kind, day, minutes)
       select $1, $2, case when n < 35 then $3::bigint else c.id end, $4::bigint + n, 'manual', current_date - n % 7, 1
       from generate_series(0, 499) n, colleague c returning id, user_id, day)
     insert into time_parts (account_id, workspace_id, user_id, entry_id, day, minutes) select $1, $2, user_id, id, day, 1 from made`,
    [...place, userId, firstTaskId],
  );
  await addGoals(client, place, firstTaskId);
  await client.query('set session_replication_role = origin');
}

/** A tree of 200 goals, five below each, with two tasks and two recorded values of each. */
async function addGoals(client: pg.Client, place: number[], firstTaskId: number): Promise<void> {
  const { rows } = await client.query(
    `with made as (
       insert into items (account_id, workspace_id, type, title, description, status, status_key, needs, owner_id, target, current, unit, target_date, version)
       select $1, $2, 'goal', 'Goal ' || n, '', 'in_progress', 'in_progress', ${possibleNeeds('goal')[0]!}, u.id, 100, n % 100, '%', current_date + n, 3
       from generate_series(1, 200) n, users u where u.email = 'colleague@bulk.example' returning id)
     select min(id)::int as first from made`,
    place,
  );
  const { first } = rows[0];
  await client.query(
    `update items set parent_id = case when type = 'goal' then $2 + (id - $2 - 1) / 5 end, goal_id = case when type = 'task' then $2 + (id - $3) % 200 end
     where workspace_id = $1 and (type = 'goal' and id > $2 or type = 'task' and id >= $3 and id < $3 + 400)`,
    [place[1], first, firstTaskId],
  );
  await client.query(
    `insert into changes (account_id, workspace_id, item_id, actor_id, via, kind, version, fields)
     select account_id, workspace_id, id, owner_id, 'page', 'item.updated', 2 + n, jsonb_build_object('current', jsonb_build_array(n, n + 1))
     from items, generate_series(0, 1) n where workspace_id = $1 and type = 'goal'`,
    [place[1]],
  );
}
