/** The burn-up of a release (behaviour §38.7). */
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
    ...Array(3).fill('2 0 14 h 0 h'),
    ...Array(2).fill('2 1 14 h 4 h'),
    ...Array(2).fill('2 0 16 h 0 h'),
    ...Array(3).fill('1 0 6 h 0 h'),
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
