/** PostgreSQL's cost of a call in a workspace of ROWS items (200,000 if unset) against one of 1,000. With WORKSPACES=500: that many
 *  workspaces of ROWS / 500 in one account, queried without naming one where a call allows it. Then an import of as many items. */
import { createWriteStream, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { addOwner, type Bulk, withoutIndexes } from '../support/bulk.ts';
import { cheapestFolder, temporaryFolder } from '../support/disposable.ts';
import { isAlive } from '../support/processes.ts';
import { type Bench, settingsOf } from './bench.ts';
import type { Caller } from './load.ts';
import { atMost, compare, type Goal, mostMegabytes } from './measure.ts';
import { callTool, get, getItem, growth, inPlaces, keyOf, listItems, makePlace, type Place, same } from './places.ts';

const WORKSPACES = Number(process.env.WORKSPACES ?? 1);

export async function rows(bench: Bench): Promise<Goal[]> {
  const [small, large] = bench.sizes;
  const count = Number(process.env.ROWS ?? large);
  const places = [
    await makePlace(bench, small, fillChanges),
    await makePlace(bench, count / WORKSPACES, async (client, bulk) => {
      if (WORKSPACES > 1) await repeat(client, bulk, WORKSPACES - 1);
      await fillChanges(client, bulk);
    }),
  ];
  const found = await compare(bench, 'Many rows', inPlaces(places, callsOf), { connections: 4, seconds: 1, warmSeconds: 1 });
  const grown = (name: string) => growth(found, name, places, ({ database }) => database);
  return [
    ...Object.keys(callsOf(places[0]!)).map((name) => atMost(`${name}: PostgreSQL's CPU`, grown(name), 1.3)),
    ...(await importing(bench, count)),
  ];
}

const links = ['parent_id', 'parent_item_id', 'requirement_id', 'release_id', 'goal_id'];

/** Copies the items into so many further workspaces, with new ids. */
async function repeat(client: pg.Client, { accountId, userId, workspaceId }: Bulk, times: number): Promise<void> {
  const made = await client.query(
    `insert into workspaces (account_id, name) select $1, 'Bulk ' || n from generate_series(1, $2::int) n returning id`,
    [accountId, times],
  );
  const ids = made.rows.map(({ id }) => Number(id));
  for (const id of ids) await addOwner(client, { accountId, userId, workspaceId: id });
  const [{ names, span }] = (
    await client.query(
      `select array_agg(column_name::text) as names, (select max(id) from items) as span from information_schema.columns
       where table_name = 'items' and is_generated = 'NEVER' and column_name not in ('id', 'workspace_id')`,
    )
  ).rows;
  const copied = names.map((name: string) => (links.includes(name) ? `i.${name} + w.n * ${span}` : `i.${name}`));
  await client.query('begin; set local session_replication_role = replica');
  await withoutIndexes(client, ['items', 'item_texts'], async () => {
    await client.query(
      `insert into items (id, workspace_id, ${names}) overriding system value
       select i.id + w.n * ${span}, w.id, ${copied} from unnest($2::bigint[]) with ordinality w (id, n), items i where i.workspace_id = $1`,
      [workspaceId, ids],
    );
    await client.query(
      `insert into item_texts (account_id, workspace_id, item_id, words)
       select t.account_id, w.id, t.item_id + w.n * ${span}, t.words
       from unnest($2::bigint[]) with ordinality w (id, n), item_texts t where t.workspace_id = $1`,
      [workspaceId, ids],
    );
  });
  await client.query('commit');
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
  const place = WORKSPACES === 1 ? { workspaceId } : {};
  const find = (given: object) => same(callTool(agent, 'svc_find_work', { ...place, assignee: 'all', ...given }));
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

/** A file as `stint export` writes it. */
function* exported(count: number) {
  yield '{"accounts":[{"name":"Bulk","users":[{"ref":"ana","email":"ana@rows.example","name":"Ana","accountRole":"owner"}],';
  yield '"workspaces":[{"ref":"w","name":"Bulk","members":[{"user":"ana","role":"owner"}],"items":[';
  for (let n = 0; n < count; n++) {
    const item = { ref: `t${n}`, type: 'task', title: `Task number ${n}`, description: 'What it is about, in a few plain words.' };
    yield `${n ? ',' : ''}${JSON.stringify({ ...item, fields: { assigneeId: { ref: 'ana' }, estimatedHours: n % 40 } })}`;
  }
  yield ']}]}]}';
}

async function importing(bench: Bench, count: number): Promise<Goal[]> {
  const folder = temporaryFolder(cheapestFolder());
  bench.later(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'import.json');
  await pipeline(Readable.from(exported(count)), createWriteStream(file));
  const url = await bench.database();
  const started = performance.now();
  // As package.json starts it.
  const args = ['--max-semi-space-size=4', 'src/cli.ts', 'import', file, '--json'];
  const command = bench.start(args, { env: settingsOf(url), unheard: true });
  let most = 0;
  while (isAlive(command.pid)) {
    most = Math.max(most, mostMegabytes(command.pid));
    await sleep(200);
  }
  const minutes = (performance.now() - started) / 60_000;
  const { code } = await command.exit();
  if (code !== 0) throw new Error(`The import ended with ${code}: ${command.lines.join('\n')}`);
  return [atMost(`import of ${count} items: memory, MB`, most, 300), atMost(`import of ${count} items: minutes`, minutes, 5)];
}
