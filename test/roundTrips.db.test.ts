/** Round trips of a request to PostgreSQL, including credential, limit, receipt and activity, counted at the driver. */
import { randomUUID } from 'node:crypto';
import { ComputingThreads } from '../workers/computing/threads.ts';
import { capture } from './bench/capture.ts';
import { fileDatabase } from './support/database.ts';
import { ask, type McpWorld, mcpWorld, once } from './support/mcpWorld.ts';
import { passTime } from './support/stoppedClock.ts';
import { suite } from './support/suite.ts';
import { writes } from './support/writes.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let world: McpWorld;
let item: { id: number; version: number };
test.before('an endpoint with open connections', async () => {
  world = await mcpWorld(database.url);
  [item] = (await world.make({ type: 'requirement', title: 'R' })) as [typeof item];
});
test.after('close', () => world?.end());

/** Statements of a request, without those that begin and commit its transaction. */
async function statementsOf(request: () => Promise<unknown>): Promise<number> {
  return (await capture(request)).filter(({ text }) => !/^(START TRANSACTION|BEGIN|COMMIT)/.test(text)).length;
}

/** The minimum of three tries, because periodic batch writes fall between requests. */
async function trips(request: () => Promise<unknown>): Promise<number> {
  const counts: number[] = [];
  for (let n = 0; n < 3; n++) counts.push(await statementsOf(request));
  return Math.min(...counts);
}

test('a read over REST takes one or two', async (t) => {
  const { owner: client } = world;
  const reads = {
    '/capabilities': {},
    '/workspaces': {},
    '/options': {},
    '/items': {},
    '/item': { id: item.id },
    '/comments': { id: item.id },
  };
  for (const [path, query] of Object.entries(reads)) {
    const count = await trips(async () => t.is((await client.get(path, query)).status, 200, path));
    t.true(count >= 1 && count <= 2, `${path}: ${count}`);
  }
});

test('a write over REST takes at most four, begin and commit included', async (t) => {
  const { owner: client } = world;
  const { id, version, ...rest } = (await client.get('/item', { id: item.id })).body;
  let current = version;
  const requests = {
    create: () => client.save(rest),
    update: async () => {
      current = (await client.save({ ...rest, id, version: current, title: `Title ${current}` })).version;
    },
    comment: async () => t.is((await client.post('/comments', { id, body: 'Counted.' })).status, 200),
  };
  for (const [name, request] of Object.entries(requests)) {
    const count = await trips(request);
    t.true(count <= 4, `${name}: ${count}`);
  }
});

test('a write over REST with an Idempotency-Key takes at most six statements, its retry at most three', async (t) => {
  const { owner: client } = world;
  const { id: _id, version: _version, ...record } = (await client.get('/item', { id: item.id })).body;
  const requests = {
    '/items/save': { record },
    '/comments': { id: item.id, body: 'Counted.' },
  };
  for (const [path, body] of Object.entries(requests)) {
    let key = '';
    const send = async (replayed: string | null) => {
      const answer = await client.post(path, body, { 'Idempotency-Key': key });
      t.is(answer.status, 200, JSON.stringify(answer.body));
      t.is(answer.headers.get('idempotent-replayed'), replayed);
    };
    const first = await trips(() => {
      key = randomUUID();
      return send(null);
    });
    t.true(first <= 6, `${path}: ${first}`);
    const again = await trips(() => send('true'));
    t.true(again <= 3, `${path}: ${again}`);
  }
});

test("an item's page takes at most two, including the session's look-up, and so do its forms, lists of work, timeline, My day, week, inbox, capacity, what-if, time report, settings and people", async (t) => {
  const { fixtures, ownerId, workspaceId, api, agent } = world;
  await fixtures.sql(`update users set account_role = 'owner' where id = $1`, [ownerId]);
  const cookie = `JSESSIONID=${await fixtures.session(ownerId)}`;
  await ask(agent, 'svc_add_note', once({ id: item.id, body: 'Under way.' }));
  const { entry } = await ask(agent, 'svc_time', once({ action: 'start', itemId: item.id }));
  const [note] = await fixtures.sql(
    `insert into personal_notes (account_id, user_id, html, title, text) select account_id, id, '<p>A rope</p>', 'A rope', 'A rope' from users where id = $1 returning id`,
    [ownerId],
  );
  await forecastsOf(workspaceId);
  const at = `${api.base.replace(/\/api\/v1$/, '')}/workspaces/${workspaceId}/items/${item.id}`;
  for (const [address, shown] of [
    [at, ['Under way.', 'Stop timer']],
    [`${at}/edit`, ['name="statusKey"', 'name="releaseId"']],
    [`${at.replace(/\/items\/\d+$/, '/new')}?type=task`, ['name="statusKey"', '>R<']],
    [`${at.replace(/\/items\/\d+$/, '')}?type=task`, ['id="work"', 'id="filters"']],
    [`${at.replace(/\/items\/\d+$/, '')}?type=goal`, ['>Tree</a>', 'id="filters"']],
    [`${at.replace(/\/items\/\d+$/, '')}?view=timeline&tasks=${item.id}&search=r`, ['id="work"', 'Without dates']],
    [at.replace(/\/workspaces.*$/, '/'), ['id="work"', 'id="agenda"']],
    [at.replace(/\/workspaces.*$/, '/my'), ['My week', 'id="plan"']],
    [at.replace(/\/workspaces.*$/, '/my/timesheet'), ['data-sheet', 'Timer running']],
    [at.replace(/\/workspaces.*$/, '/my/month'), ['My month', 'class="month"']],
    [at.replace(/\/workspaces.*$/, '/notifications?show=all'), ['Inbox', 'id="work"']],
    [at.replace(/\/workspaces.*$/, `/my/notes/${note.id}?q=rope`), ['<mark>rope</mark>', 'id="note-form"']],
    [at.replace(/\/workspaces.*$/, '/my/notes/new'), ['id="notes-list"', 'id="note-form"']],
    [at.replace(/\/workspaces.*$/, '/my/notes/new-encrypted'), ['id="notes-list"', 'name="reserved"']],
    ...(['general', 'members', 'statuses', 'agents', 'webhooks', 'notices'] as const).map(
      (part) => [at.replace(/\/items\/\d+$/, `/settings/${part}`), ['aria-label="Settings"', 'class="card"']] as const,
    ),
    [at.replace(/\/workspaces.*$/, `/capacity?workspaceId=${workspaceId}`), ['id="projects"', 'class="heat"']],
    [at.replace(/\/workspaces.*$/, '/capacity'), ['id="projects"', 'class="heat"']],
    [at.replace(/\/workspaces.*$/, `/capacity/what-if?workspaceId=${workspaceId}&h${ownerId}=3`), ['id="moves"', 'Save 1 change']],
    [at.replace(/\/workspaces.*$/, `/reports/time?workspaceId=${workspaceId}&by=person`), ['id="report"', 'All people in']],
    [at.replace(/\/workspaces.*$/, '/settings/people'), ['id="people"', 'Invite people']],
    [at.replace(/\/workspaces.*$/, `/settings/people/${ownerId}`), ['Role and access', 'Workspaces']],
    [at.replace(/\/workspaces.*$/, '/settings/notifications'), ['By workspace']],
    [`${at.replace(/\/items\/\d+$/, '')}?group=assignee&sort=title&status=all&search=e`, ['id="work"', 'id="filters"']],
  ] as const) {
    const count = await trips(async () => {
      const answer = await fetch(address, { headers: { Cookie: cookie, 'X-Forwarded-Proto': 'https' } });
      const html = await answer.text();
      t.is(answer.status, 200, html);
      for (const text of shown) t.true(html.includes(text), text);
    });
    t.true(count >= 1 && count <= 2, `${address}: ${count}`);
  }
  await ask(agent, 'svc_time', once({ action: 'stop', entryId: entry.id, revision: entry.revision }));
});

/** The forecast of a workspace, and of everything its owner may oversee, which is the same workspace. */
async function forecastsOf(workspaceId: number): Promise<void> {
  const forecasts = await world.fixtures.sql(
    `insert into capacity_forecasts (account_id, scope_key, workspace_id, workspace_ids, week)
     select account_id, key, case when key = id::text then id else 0 end, array[id], date_trunc('week', current_date)
     from workspaces, unnest(array[id::text, scope_key_of(array[id])]) key where id = $1 returning id`,
    [workspaceId],
  );
  const computations = new ComputingThreads(database.url);
  for (const { id } of forecasts) await computations.snapshot({ forecastId: Number(id), since: null }, new AbortController().signal);
  await computations.close();
}

test('a read over MCP takes one or two', async (t) => {
  const reads = {
    svc_context: {},
    svc_find_work: { assignee: 'all' },
    svc_get_item: { id: item.id },
    svc_my_time: {},
    svc_personal_notes_list: {},
  };
  for (const [tool, given] of Object.entries(reads)) {
    const count = await trips(() => ask(world.agent, tool, given));
    t.true(count >= 1 && count <= 2, `${tool}: ${count}`);
  }
});

/** Writes that lock rows in sequence (a person's timer and day, a block, items below an item) are transactions of several statements. */
const severalStatements = new Set(['svc_add_note', 'svc_remove_item', 'svc_time', 'svc_plan_block']);

test('a write over MCP takes at most six, begin, commit, receipt and activity included, and a bounded number where it takes locks in turn', async (t) => {
  const { agent, fixtures, ownerId: userId, workspaceId } = world;
  for (const write of writes) {
    // With a note, access is checked before rewriting too. The deletion of a personal note adds an audit line.
    const more = write.title.includes('with a note') || write.tool === 'svc_update_items' ? 2 : 0;
    const audited = write.tool === 'svc_personal_notes_delete' ? 1 : 0;
    // Items below others are written after those. Each further block is checked and inserted by itself.
    const parts = write.title.includes('with below') ? 1 : write.title.includes('with blocks') ? 2 : 0;
    const most = (severalStatements.has(write.tool) ? 12 : 6 + more + audited) + parts;
    let count = Number.POSITIVE_INFINITY;
    // Periodic batch writes may fall between.
    for (let n = 0; n < 3 && count > most; n++) {
      // A user who has used up their share of the event loop would wait, and be checked again (behaviour §13.15).
      passTime(10_000);
      const given = await write.prepare({ ...agent, userId, workspaceId }, fixtures);
      count = await statementsOf(() => ask(agent, write.tool, once(given)));
    }
    t.true(count <= most, `${write.title}: ${count}`);
  }
});

test('a retry over MCP takes at most three, or as many as its first call where it reads a note or locks in turn', async (t) => {
  const { agent, fixtures, ownerId: userId, workspaceId } = world;
  for (const write of writes) {
    const given = once(await write.prepare({ ...agent, userId, workspaceId }, fixtures));
    const first = await statementsOf(() => ask(agent, write.tool, given));
    const again = await trips(() => ask(agent, write.tool, given));
    // The receipt of a note contains no text. The replay of a new personal note checks that the note still exists.
    const rereads = severalStatements.has(write.tool) || 'note' in given;
    const most = write.tool === 'svc_personal_notes_create' ? 4 : rereads ? first : 3;
    t.true(again <= most, `${write.title}: ${again} after ${first}`);
  }
});

test('changing and commenting on a hundred items takes as many as one', async (t) => {
  const { agent, workspaceId } = world;
  for (const count of [1, 100]) {
    let made = await world.make(...Array.from({ length: count }, (_, n) => ({ type: 'task', title: `Task ${n}` })));
    for (const note of [undefined, 'Seen']) {
      const taken = await trips(async () => {
        const items = made.map(({ id, version }) => ({ id, version, title: `Version ${version} ${note}`, ...(note && { note }) }));
        made = (await ask(agent, 'svc_update_items', once({ workspaceId, items }))).items;
      });
      t.true(taken <= (note ? 8 : 6), `${count}, ${note}: ${taken}`);
    }
  }
});

test('a hundred items take as many as one', async (t) => {
  const items = Array.from({ length: 100 }, (_, n) => ({ type: 'task', title: `Task ${n}`, fields: { requirementId: item.id } }));
  const count = await trips(() => world.make(...items));
  t.true(count <= 6, `${count}`);
});
