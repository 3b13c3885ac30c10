/** PostgreSQL's cost of a call in a workspace of ROWS items (200,000 if unset) against one of 1,000. */
import type pg from 'pg';
import { type Bulk, withoutIndexes } from '../support/bulk.ts';
import type { Bench } from './bench.ts';
import type { Caller } from './load.ts';
import { atMost, compare, type Goal } from './measure.ts';
import { callTool, get, getItem, growth, inPlaces, keyOf, listItems, makePlace, type Place, same } from './places.ts';

export async function rows(bench: Bench): Promise<Goal[]> {
  const [small, large] = bench.sizes;
  const count = Number(process.env.ROWS ?? large);
  const places = [await makePlace(bench, small, fillChanges), await makePlace(bench, count, fillChanges)];
  const found = await compare(bench, 'Many rows', inPlaces(places, callsOf), { connections: 4, seconds: 1, warmSeconds: 1 });
  const grown = (name: string) => growth(found, name, places, ({ database }) => database);
  return Object.keys(callsOf(places[0]!)).map((name) => atMost(`${name}: PostgreSQL's CPU`, grown(name), 1.3));
}

/** Adds `each` changes for each item of the account, as updates leave them. */
export async function fillChanges(client: pg.Client, { accountId, userId }: Bulk, each = 1): Promise<void> {
  // Without foreign key checks.
  await client.query('begin; set local session_replication_role = replica');
  await withoutIndexes(client, ['changes'], () =>
    client.query(
      `insert into changes (account_id, workspace_id, item_id, actor_id, via, kind, version, fields)
       select $1, i.workspace_id, i.id, $2, 'rest', 'item.updated', 1 + n, '{"title": ["Before", "After"]}'
       from items i, generate_series(1, $3::int) n where i.account_id = $1`,
      [accountId, userId, each],
    ),
  );
  await client.query('commit');
}

function callsOf({ bulk, agent }: Place): Record<string, () => Caller> {
  const { workspaceId, firstTaskId, lastTaskId, userId } = bulk;
  const count = lastTaskId - firstTaskId + 1;
  const requirementId = firstTaskId - Math.max(1, Math.floor(count / 100));
  const releaseId = requirementId - Math.max(1, Math.floor(count / 1000));
  const find = (given: object) => same(callTool(agent, 'svc_find_work', { workspaceId, assignee: 'all', ...given }));
  return {
    'GET /item': same(getItem(bulk)),
    'GET /items': same(listItems(bulk)),
    'GET /changes': same(get(`/api/v1/changes?workspaceId=${workspaceId}&after=0&limit=50`, keyOf(bulk))),
    svc_find_work: find({}),
    '… from the middle': find({ afterId: Math.floor((firstTaskId + lastTaskId) / 2) }),
    '… of a person': find({ assignee: userId }),
    '… one status': find({ status: 'planned' }),
    '… priorityKey': find({ priorityKey: 'normal' }),
    '… requirementId': find({ requirementId }),
    '… releaseId': find({ releaseId }),
    '… underId': find({ underId: releaseId }),
    '… ids': find({ ids: Array.from({ length: 50 }, (_, n) => firstTaskId + n) }),
    '… overdue': find({ dueWindow: 'overdue' }),
    '… due on or after a day': find({ dueFrom: '2026-12-01' }),
    '… search, common': find({ search: 'task 7' }),
    '… search, one hit': find({ search: `number ${count - 1}` }),
    '… search in notes': find({ search: 'comment 2', searchIn: 'all' }),
  };
}
