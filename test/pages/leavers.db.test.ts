/** Lists, boards, items, what-if and Capacity mark people who left (behaviour §24.10). */
import { fileDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { assignedTask, workspaceOfPeople } from '../support/people.ts';
import { type Spawned, spawnNode } from '../support/processes.ts';
import { rowsAt } from '../support/rowsAt.ts';
import { suite } from '../support/suite.ts';
import { signedIn, type Visitor } from '../support/visitor.ts';
import { startWeb, TEST_SECRET, type Web, type WorldRefs, world } from '../support/world.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let web: Web;
let refs: WorldRefs;
let worker: Spawned | undefined;
let ana: Visitor;
const rows = (text: string, ...values: unknown[]) => rowsAt(database.url, text, values);
test.before('a deactivated person and a former member with open tasks, and a worker', async () => {
  const task = (person: string, title: string, fields: object = {}) =>
    assignedTask(person, title.toLowerCase(), title, { releaseId: { ref: 'launch' }, estimatedHours: 4, ...fields });
  const items = [
    { ref: 'launch', type: 'release' as const, title: 'Launch', fields: { targetDate: '2999-01-07' } },
    task('ana', 'Mine'),
    task('bo', 'Theirs'),
    task('cy', 'Former'),
    task('ana', 'Unclear', { estimatedHours: null }),
    { ref: 'late', type: 'release' as const, title: 'Late', fields: { targetDate: '2026-01-05' } },
    task('ana', 'Much', { releaseId: { ref: 'late' }, estimatedHours: 200 }),
  ];
  const members = ['bo', 'cy'].map((user) => ({ user, role: 'member' as const }));
  refs = await world(database.url, workspaceOfPeople(['ana', 'bo', 'cy'], { members, items }));
  await rows('update users set active = false where id = $1', refs.id('bo'));
  await rows('delete from memberships where user_id = $1', refs.id('cy'));
  web = await startWeb(database.url);
  const env = { DATABASE_URL: database.url, SECRET_KEY: TEST_SECRET, BASE_URL: 'http://localhost' };
  worker = spawnNode(['workers/index.ts'], { env });
  ana = await signedIn(web.baseUrl, 'ana@acme.example');
});
test.after('stop', async () => {
  worker?.kill('SIGTERM');
  await worker?.exit();
  await web?.stop();
});

const deactivated = 'bo (deactivated)';
const former = 'cy (left the workspace)';
const at = () => `/workspaces/${refs.id('apollo')}`;
const item = (ref: string) => `${at()}/items/${refs.id(ref)}`;
const html = async (path: string) => (await ana.go(path)).html;
/** The page once the forecast is computed. */
const look = (path: string) =>
  eventually(
    () => ana.go(path),
    (page) => !page.text.includes('Refresh'),
  );
const titlesIn = (row: string | undefined) => [...(row ?? '').matchAll(/ title="([^"]*)"/g)].map(([, title]) => title!);
/** The part of a list that shows the item. */
const rowOf = (list: string, ref: string) => list.split('data-item="').find((part) => part.startsWith(`${refs.id(ref)}"`));

test('lists, boards and items mark an assignee who is deactivated or left the workspace', async (t) => {
  for (const path of [at(), item('launch')]) t.true(titlesIn(rowOf(await html(path), 'theirs')).includes(deactivated), path);
  const list = await html(at());
  t.true(titlesIn(rowOf(list, 'former')).includes(former));
  t.true(titlesIn(rowOf(list, 'mine')).includes('Ana'));
  for (const path of [`${at()}?group=assignee`, `${at()}?view=board&group=assignee`]) {
    const headings = [...(await html(path)).matchAll(/<h2[\s\S]*?<\/h2>/g)].join();
    for (const name of [deactivated, former]) t.true(headings.includes(name), path);
  }
  t.true((await ana.go(item('theirs'))).text.includes(deactivated));
  t.regex(await html(`${item('former')}/edit`), /<option[^>]* selected[^>]*>cy \(left the workspace\)/);
});

test('Capacity marks people who left, shows the date of the rest with what it leaves out, and names the bottleneck', async (t) => {
  const { text, html: page } = await look(`/capacity?workspaceId=${refs.id('apollo')}`);
  t.regex(text, /Bbodeactivated [\s–]*Ccyleft the workspace [\s–]* under/, 'neither hours nor free time');
  t.regex(text, /Ana40 h a week.* free/);
  const rest =
    /not include 1 task assigned to bo, who is deactivated\. The date does not include 1 task assigned to cy, who left the workspace\. 1 task has no estimate\./;
  const launch = text.slice(text.indexOf('Launch12 h left · 0 % of 12 h done'));
  t.regex(launch, /Needs dataReady /);
  t.regex(launch, rest);
  t.regex(text, /Late200 h left.*Ana has no free time until.*Launch12/);
  const detail = /href="[^"]*?(\/capacity[^"]*)"[^>]*>Tasks, causes and burn-down of Launch/.exec(page)![1]!;
  await ana.go(detail.replaceAll('&amp;', '&'));
  t.regex(ana.at.text, /2 tasks assigned to people who are deactivated or left the workspace: Theirs, Former/);
  t.true(ana.at.html.includes(`aria-label="${deactivated}"`));

  const release = await look(item('launch'));
  t.regex(release.text, /Will be ready/);
  t.regex(release.text, rest);
  const explained = async (path: string) => titlesIn((await look(path)).html).filter((title) => rest.test(title)).length;
  t.is(await explained(`${at()}?type=release`), 2, 'the date and the badge');
  t.is(await explained(`${at()}?view=timeline`), 1);
});

test('what-if without script keeps an assignee who left: saving an estimate unassigns no one', async (t) => {
  await ana.go(`/capacity/what-if?workspaceId=${refs.id('apollo')}&project=${refs.id('launch')}`);
  for (const name of ['bo \\(deactivated\\)', 'cy \\(left the workspace\\)'])
    t.regex(ana.at.html, new RegExp(`<option[^>]* selected[^>]*>${name}`));
  const { path, fields } = ana.form('/capacity/what-if');
  fields.set(`e${refs.id('theirs')}`, '7');
  await ana.go(`${path}?${fields}`);
  t.regex(ana.at.text, /Save 1 change/);
  t.regex((await ana.send('/capacity/what-if', {}, (sent) => sent.has('_csrf'))).text, /Saved\./);
  const saved = await rows('select id, assignee_id, estimated_hours::float from items where id = any($1) order by id', [
    refs.id('theirs'),
    refs.id('former'),
  ]);
  t.deepEqual(
    saved.map((one) => [Number(one.assignee_id), one.estimated_hours]),
    [
      [refs.id('bo'), 7],
      [refs.id('cy'), 4],
    ],
  );
});
