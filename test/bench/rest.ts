/** The REST API against bare node:http with the same rows, and with 200,000 items against 1,000. */
import { randomUUID } from 'node:crypto';
import { hashSecret } from '../../src/access/secrets.ts';
import { listItems as operation } from '../../src/items/listItems.ts';
import { perform } from '../../src/operations/perform.ts';
import type { Bulk } from '../support/bulk.ts';
import { withDb } from '../support/withDb.ts';
import type { Bench } from './bench.ts';
import { capture, type Statement } from './capture.ts';
import type { Caller } from './load.ts';
import { atLeast, atMost, compare, type Goal, residentMegabytes } from './measure.ts';
import { get, getItem, growth, inPlaces, keyOf, listItems, makePlace, type Place, post, same, saves } from './places.ts';

const BODY = 'One more comment, a sentence long.';
/** Lowest allowed share of the floor's rate. */
const shares: Record<string, number> = { 'GET /item': 0.55, 'GET /items?limit=50': 0.6, 'POST /items/save': 0.5, 'POST /comments': 0.5 };

export async function rest(bench: Bench): Promise<Goal[]> {
  const places: Place[] = [];
  for (const size of bench.sizes) places.push(await makePlace(bench, size));
  // Both servers are equally new: code that has run longer runs faster.
  const grown = await compare(bench, 'As a place grows', inPlaces(places, callsOf));
  const [place] = places as [Place];
  const ours = callsOf(place);
  const worst = Math.max(...Object.keys(ours).map((name) => growth(grown, name, places, ({ web }) => web)));

  const bare = await bench.floor('bare', place.url, await floorStatements(place));
  const against = await compare(
    bench,
    'Against bare node:http and pg',
    Object.entries(floorCalls(place.bulk)).flatMap(([name, calls]) => [
      { name: `floor of ${name}`, web: bare, calls },
      { name, web: place.web, calls: ours[name]! },
    ]),
  );
  const share = (name: string) => against[name]!.perSecond / against[`floor of ${name}`]!.perSecond;

  const keyed = (key: string) => comment(place.bulk, { 'Idempotency-Key': key });
  const keys = Array.from({ length: 8 }, () => randomUUID());
  const { first, again } = await compare(bench, 'POST /comments with an Idempotency-Key', [
    { name: 'first', web: place.web, calls: () => () => keyed(randomUUID()) },
    { name: 'again', web: place.web, calls: () => (connection) => keyed(keys[connection]!) },
  ]);
  return [
    ...Object.entries(shares).map(([name, bound]) => atLeast(`${name}: requests a second, against the floor`, share(name), bound)),
    atMost('CPU of a replayed POST /comments, against its first call', again!.web / first!.web, 1),
    atMost('CPU with 200,000 items against 1,000, worst of five operations', worst, 1.15),
    atMost('memory of a web process, MB', Math.max(...places.map(({ web }) => residentMegabytes(web.pid))), 200),
  ];
}

function callsOf({ bulk }: Place): Record<string, () => Caller> {
  const { workspaceId, firstTaskId } = bulk;
  return {
    'GET /item': same(getItem(bulk)),
    'GET /items?limit=50': same(listItems(bulk)),
    'GET /comments': same(get(`/api/v1/comments?workspaceId=${workspaceId}&id=${firstTaskId}`, keyOf(bulk))),
    'POST /items/save': () => saves(bulk, 10),
    'POST /comments': same(comment(bulk)),
  };
}

const comment = (bulk: Bulk, headers = {}) => {
  const { workspaceId, firstTaskId } = bulk;
  return post('/api/v1/comments', { ...keyOf(bulk), ...headers }, { workspaceId, id: firstTaskId + 1, body: BODY });
};

function floorCalls({ accountId, workspaceId, firstTaskId, userId }: Bulk): Record<string, () => Caller> {
  let count = 0;
  const save: Caller = (connection, last) =>
    post('/save', {}, [firstTaskId + 30 + connection, `Revised ${count++}`, last ? JSON.parse(last.body).version : null]);
  return {
    'GET /item': same(get('/item')),
    'GET /items?limit=50': same(get('/items')),
    'POST /items/save': () => save,
    'POST /comments': same(post('/comment', {}, [accountId, workspaceId, firstTaskId + 1, userId, BODY])),
  };
}

/** The shortest plain statements that do the same without any rule. A page's rows are serialized as ours are. */
async function floorStatements({ url, bulk }: Place): Promise<Record<string, Statement>> {
  const { workspaceId, key, firstTaskId, lastTaskId } = bulk;
  const middle = Math.floor((firstTaskId + lastTaskId) / 2);
  const given = { workspaceId, type: 'task' as const, after: middle, limit: 50 };
  const [page] = await withDb(url, 1, (db) => capture(() => perform(db, { kind: 'key', hash: hashSecret(key) }, operation, given)));
  return {
    item: { text: 'select row_to_json(i)::text as json from items i where id = $1', values: [lastTaskId] },
    items: {
      text: `select string_agg(row_to_json(work)::text, ',' order by i.id) as json
             from (select * from items where workspace_id = $1 and type = 'task' and id > $2 order by id limit 51) i left join users a on a.id = i.assignee_id
             ${/cross join lateral \(select i\.id, i\.type[\s\S]*?\) work/.exec(page!.text)![0]}`,
      values: [workspaceId, middle],
    },
    save: {
      text: `with saved as (update items set title = $2, version = version + 1 where id = $1 and version = coalesce($3, version) returning *),
             mark as (insert into capacity_marks (account_id, workspace_id) select account_id, workspace_id from saved on conflict do nothing)
             select row_to_json(saved)::text as json from saved`,
      values: [],
    },
    comment: {
      text: `insert into comments (account_id, workspace_id, item_id, author_id, body) values ($1, $2, $3, $4, $5)
             returning json_build_object('id', id, 'body', body, 'createdAt', created_at)::text as json`,
      values: [],
    },
  };
}
