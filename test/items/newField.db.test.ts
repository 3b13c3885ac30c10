/** A new field takes an entry in src/items/fields.ts and a column. Web process and command line run here with one more field. */
import pg from 'pg';
import { stint } from '../support/cli.ts';
import { fileDatabase, freshDatabase } from '../support/database.ts';
import { ask, once, rpc, type Target } from '../support/mcpWorld.ts';
import { PASSWORD } from '../support/password.ts';
import { suite } from '../support/suite.ts';
import { signedIn, type Visitor } from '../support/visitor.ts';
import { oneWorkspace, spawnWeb, type WorldRefs, world } from '../support/world.ts';

const test = suite(import.meta.url);

const entry = `effortPoints: { ...factor, label: 'Effort points', group: 'Dates and estimate', types: ['task'], inRows: true, listed: ['task'],
  sort: 'points', forecast: true, example: 5 }`;
const hook = `import { registerHooks } from 'node:module';
registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (!url.endsWith('/src/items/fields.ts')) return loaded;
    return { ...loaded, source: String(loaded.source).replace('const table = {', (start) => start + ${JSON.stringify(`${entry},`)}) };
  },
});`;
const env = { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(hook)}` };

async function query(url: string, statement: string) {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
const addColumn = (url: string) => query(url, 'alter table items add column effort_points double precision');

const database = fileDatabase();
let refs: WorldRefs;
let ana: Visitor;
let agent: Target;
let web: Awaited<ReturnType<typeof spawnWeb>>;
const list = () => `/workspaces/${refs.id('apollo')}`;

test.before('a service with one more field', async () => {
  await addColumn(database.url);
  const file = oneWorkspace({
    items: ['t1', 't2'].map((ref) => ({ ref, type: 'task' as const, title: `Task ${ref}`, status: 'planned' as const })),
  });
  const [owner] = file.accounts[0]!.users!;
  owner!.password = PASSWORD;
  refs = await world(database.url, file);
  web = await spawnWeb(database.url, env);
  ana = await signedIn(web.baseUrl, owner!.email);
  agent = { url: `${web.baseUrl}/mcp`, key: refs.key('c1') };
});
test.after('stop', () => web?.stop());

const saveOverRest = async (fields: object) => {
  const headers = { 'X-API-Key': refs.key('k1'), 'Content-Type': 'application/json' };
  const read = await fetch(`${web.baseUrl}/api/v1/item?workspaceId=${refs.id('apollo')}&id=${refs.id('t1')}`, { headers });
  const { ownerId: _none, ...record } = (await read.json()) as Record<string, unknown>;
  const body = JSON.stringify({ workspaceId: refs.id('apollo'), record: { ...record, fields } });
  const answer = await fetch(`${web.baseUrl}/api/v1/items/save`, { method: 'POST', headers, body });
  // biome-ignore lint/suspicious/noExplicitAny: an answer that the test looks into
  return { status: answer.status, body: (await answer.json()) as any };
};

test('REST saves and returns a new field, refuses bad values by its name, and marks the forecast as outdated', async (t) => {
  await query(database.url, 'delete from capacity_marks');
  const saved = await saveOverRest({ effortPoints: 8 });
  t.is(saved.body.fields?.effortPoints, 8);
  t.is((await query(database.url, 'select from capacity_marks')).length, 1);
  const refused = await saveOverRest({ effortPoints: -1 });
  t.is(refused.status, 400);
  t.regex(JSON.stringify(refused.body), /effortPoints.*give a number from 0/);
});

test('the API document has a new field in its schemas and examples', async (t) => {
  // biome-ignore lint/suspicious/noExplicitAny: the document
  const document = (await (await fetch(`${web.baseUrl}/api/v1/openapi.json`)).json()) as any;
  const { WorkFields, WorkFieldsInput } = document.components.schemas;
  t.is(WorkFields.properties.effortPoints.description, 'Only for the type `task`.');
  t.truthy(WorkFieldsInput.properties.effortPoints);
  t.true(JSON.stringify(document.paths['/item'].get).includes('"effortPoints":5'));
});

test('agents set a new field, and find it in rows', async (t) => {
  const { result } = await rpc(agent, 'tools/list');
  const tool = result.tools.find(({ name }: { name: string }) => name === 'svc_update_item');
  t.truthy(tool.inputSchema.properties.fields.properties.effortPoints);
  await ask(agent, 'svc_update_item', once({ id: refs.id('t2'), version: 1, fields: { effortPoints: 3 } }));
  const { items } = await ask(agent, 'svc_find_work', { assignee: 'all' });
  t.deepEqual(Object.fromEntries(items.map((item: { id: number; effortPoints: number }) => [item.id, item.effortPoints])), {
    [refs.id('t1')]: 8,
    [refs.id('t2')]: 3,
  });
});

test('a new field is in the form of an item, in its properties and in its history', async (t) => {
  const at = `${list()}/items/${refs.id('t1')}`;
  t.regex((await ana.go(`${at}/edit`)).html, /<label[^>]*>Effort points.*?<input[^>]*name="effortPoints"[^>]*value="8"/s);
  await ana.send('/edit', { effortPoints: '13' });
  t.regex(ana.at.text, /Effort points ?13/);
  t.regex(ana.at.text, /changed the effort points from 8 to 13/);
});

test('a list shows a new field as a column, sorts by it and exports it as CSV', async (t) => {
  const order = (html: string) => [...html.matchAll(/<li class="row[^"]*" data-item="(\d+)"/g)].map(([, id]) => Number(id));
  const { html } = await ana.go(`${list()}?sort=points`);
  t.regex(html, /<li class="c-field"><a [^>]*sort=-points[^>]*>Effort points/);
  t.regex(html, /c-field[^>]*>13</);
  t.deepEqual(order(html), [refs.id('t1'), refs.id('t2')]);
  t.deepEqual(order((await ana.go(`${list()}?sort=-points`)).html), [refs.id('t2'), refs.id('t1')]);
  const [head, ...lines] = (await (await ana.request(`${list()}/list.csv?sort=points`)).text()).trim().split('\r\n');
  const column = head!.split(',').indexOf('"Effort points"');
  t.deepEqual(
    lines.map((line) => line.split(',')[column]),
    ['"13"', '"3"'],
  );
});

test('export and import keep a new field', async (t) => {
  const url = await freshDatabase(t);
  await addColumn(url);
  const exported = await stint(database.url, ['export', '--account', '1'], { env });
  t.is(exported.code, 0, exported.stderr);
  const imported = await stint(url, ['import', '-', '--json'], { env, input: exported.stdout });
  t.is(imported.code, 0, imported.stderr);
  t.deepEqual(await query(url, 'select effort_points from items order by id'), [{ effort_points: 13 }, { effort_points: 3 }]);
});
