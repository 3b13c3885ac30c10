/** The burn-up of a release (behaviour §38.7). */
import { connectDb } from '../../src/database/db.ts';
import { outputOf } from '../../src/operations/json.ts';
import { perform } from '../../src/operations/perform.ts';
import { showItem } from '../../src/overviews/openItem.ts';
import { fileDatabase } from '../support/database.ts';
import { Fixtures } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';
import { signedIn } from '../support/visitor.ts';
import { emailOf, type WorkWorld, workWorld } from '../support/workWorld.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let work: WorkWorld;
const days = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString();
test.before('a release with tasks', async () => {
  const task = (title: string, ago: number, estimatedHours: number, more = {}) =>
    ({ type: 'task', title, createdAt: days(ago), fields: { requirementId: { ref: 'need' }, estimatedHours }, ...more }) as const;
  work = await workWorld(database.url, {
    items: [
      { ref: 'voyage', type: 'release', title: 'Voyage' },
      { ref: 'empty', type: 'release', title: 'Empty' },
      { ref: 'recorded', type: 'release', title: 'Recorded' },
      { ref: 'busy', type: 'release', title: 'Busy' },
      { ref: 'need', type: 'requirement', title: 'Need', fields: { releaseId: { ref: 'voyage' }, estimatedHours: 100 } },
      task('First', 10, 4, { status: 'done', completedAt: days(2) }),
      task('Second', 5, 6),
      task('Dropped', 5, 50, { status: 'cancelled' }),
    ],
  });
});
test.after('stop', () => work?.stop());

const at = (ref: string) => work.item(ref).slice(work.web.baseUrl.length);

test('shows scope and done tasks and hours, in a sentence and in numbers', async (t) => {
  const mia = await signedIn(work.web.baseUrl, emailOf('mia'));
  const { html, text } = await mia.go(at('voyage'));
  t.regex(html, /aria-label="Tasks: 1 task of 2 tasks done today\. The scope was 1 task on [^"]+ and has grown by 1 task\."/);
  t.regex(html, /aria-label="Hours: 4 h of 10 h done today\. The scope was 4 h on [^"]+ and has grown by 6 h\."/);
  t.regex(text, /Burn-up.*Show numbers/);
  t.false(/<(?:svg|path|text|section)[^>]* style=/.test(html), 'no style attributes');
  t.notRegex((await mia.go(at('empty'))).text, /Burn-up/);
  t.notRegex((await mia.go(at('need'))).text, /Burn-up/);
});

test('tasks that left the release, were reopened or got another estimate count as recorded on each day', async (t) => {
  const fixtures = new Fixtures(database.url);
  t.teardown(() => fixtures.close());
  const id = work.refs.id('recorded');
  const key = await fixtures.key(work.refs.id('ana'));
  const save = async (record: object): Promise<{ id: number; version: number }> => {
    const answer = await fetch(`${work.web.baseUrl}/api/v1/items/save`, {
      method: 'POST',
      headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ workspaceId: work.refs.id('apollo'), record: { type: 'task', ...record } }),
    });
    if (answer.status !== 200) throw new Error(await answer.text());
    return (await answer.json()) as { id: number; version: number };
  };
  const [kept, left] = [
    await save({ title: 'Kept', description: '', status: 'planned', fields: { releaseId: id, estimatedHours: 4 } }),
    await save({ title: 'Left', description: '', status: 'planned', fields: { releaseId: id, estimatedHours: 10 } }),
  ];
  const task = (made: { id: number; version: number }, title: string, fields: object, status = 'planned') =>
    save({ id: made.id, version: made.version, title, description: '', status, fields });
  const done = await task(kept, 'Kept', {}, 'done');
  await task(done, 'Kept', { estimatedHours: 6 }, 'in_progress');
  await task(left, 'Left', { releaseId: null });
  const backdate = (item: { id: number }, version: number, ago: number) =>
    fixtures.sql('update changes set at = $3 where item_id = $1 and version = $2', [item.id, version, days(ago)]);
  for (const [item, version, ago] of [
    [kept, 1, 9],
    [left, 1, 9],
    [kept, 2, 6],
    [kept, 3, 4],
    [left, 2, 2],
  ] as const)
    await backdate(item, version, ago);
  for (const { id: made } of [kept, left]) await fixtures.sql('update items set created_at = $2 where id = $1', [made, days(9)]);
  const mia = await signedIn(work.web.baseUrl, emailOf('mia'));
  const { html, text } = await mia.go(at('recorded'));
  t.regex(html, /Tasks: 0 tasks of 1 task done today\. The scope was 2 tasks on [^"]+ and has shrunk by 1 task\./);
  const rows = [...html.slice(html.indexOf('Burn-up in numbers')).matchAll(/<tr>(?:<t[dh][^>]*>.*?<\/t[dh]>)+<\/tr>/gs)].map(([row]) =>
    [...row.matchAll(/<t[dh][^>]*>(.*?)<\/t[dh]>/gs)].slice(1).map(([, cell]) => cell),
  );
  const points = rows.filter(([tasks]) => /^\d+$/.test(tasks ?? '')).map((row) => row.join(' '));
  t.deepEqual(points, [
    ...Array(3).fill('2 0 14 h 0 min'),
    ...Array(2).fill('2 1 14 h 4 h'),
    ...Array(2).fill('2 0 16 h 0 min'),
    ...Array(3).fill('1 0 6 h 0 min'),
  ]);
  t.notRegex(text, /before changes were recorded/);
  t.regex((await mia.go(at('voyage'))).text, /2 tasks began before changes were recorded/);
});

test('leaves out tasks that the reader cannot see', async (t) => {
  const fixtures = new Fixtures(database.url);
  t.teardown(() => fixtures.close());
  await fixtures.sql(`update memberships set overrides = '{"tasks":"none"}' where user_id = $1`, [work.refs.id('vic')]);
  const vic = await signedIn(work.web.baseUrl, emailOf('vic'));
  t.is((await vic.go(at('voyage'))).status, 200);
  t.notRegex(vic.at.text, /Burn-up/);
});

test('of a release with a long history at most 20,000 changes are read, of items with few changes all', async (t) => {
  const fixtures = new Fixtures(database.url);
  const db = await connectDb(database.url, 1);
  t.teardown(() => Promise.all([fixtures.close(), db.close()]));
  const [release, ana, workspace] = [work.refs.id('busy'), work.refs.id('ana'), work.refs.id('apollo')];
  const open = async () => {
    const { burnUp } = outputOf(await perform(db, { kind: 'user', userId: ana }, showItem, { workspaceId: workspace, id: release }));
    return burnUp!.items.map(({ hours, changes }): [number, number] => [hours, JSON.parse(changes).length]);
  };
  // Each task has as many changes as its estimate says.
  const add = (tasks: number, changes: number) =>
    fixtures.sql(
      `with made as (
        insert into items (account_id, workspace_id, type, title, description, status, status_key, priority_key, release_id, estimated_hours)
        select account_id, workspace_id, 'task', 'Task', '', 'planned', 'planned', priority_key, $1, $4::integer
        from items, generate_series(1, $3::integer) where id = $5 returning id, account_id, workspace_id
      )
      insert into changes (account_id, workspace_id, item_id, actor_id, via, kind, version, fields)
      select account_id, workspace_id, id, $2, 'rest', 'item.updated', n, '{"estimatedHours": [1, 2]}' from made, generate_series(1, $4::integer) n`,
      [release, ana, tasks, changes, work.refs.id('need')],
    );
  await add(1, 150);
  await add(94, 200);
  t.true(
    (await open()).every(([hours, changes]) => hours === changes),
    'all of 18,950 changes',
  );
  await add(40, 50);
  const read = await open();
  t.is(read.length, 135);
  t.true(read.reduce((sum, [, changes]) => sum + changes, 0) <= 20_000);
  for (const [hours, changes] of read) t.is(changes, Math.min(hours, Math.floor((20_000 - 40 * 50 - 150) / 94)));
});
