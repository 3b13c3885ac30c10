/** WIP limits of board columns: settings, the board, and the sample (behaviour §38.1). */
import { fileDatabase } from '../support/database.ts';
import { suite } from '../support/suite.ts';
import { signedIn } from '../support/visitor.ts';
import { emailOf, type WorkWorld, workWorld } from '../support/workWorld.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let work: WorkWorld;
const path = () => work.at.slice(work.web.baseUrl.length);
test.before('a workspace with three tasks in progress', async () => {
  const task = (ref: string, estimatedHours: number, more = {}) =>
    ({ ref, type: 'task', title: ref, status: 'in_progress', fields: { estimatedHours, ...more } }) as const;
  work = await workWorld(database.url, {
    items: [
      ...[task('keel', 4), task('hull', 8), task('mast', 2, { assigneeId: { ref: 'mia' } })],
      { ref: 'voyage', type: 'release', title: 'Voyage', status: 'in_progress' },
    ],
  });
});
test.after('stop', () => work?.stop());

const set = (key: string) => (fields: URLSearchParams) => fields.get('key') === key;

test('a limit is set, shown on the board, exceeded with a warning, and removed', async (t) => {
  const ana = await signedIn(work.web.baseUrl, emailOf('ana'));
  const mia = await signedIn(work.web.baseUrl, emailOf('mia'));
  await ana.go(`${path()}/settings/statuses`);
  await ana.send('/statuses/limit', { wipItems: '3', wipHours: '' }, set('in_progress'));
  t.is(ana.at.status, 200);
  t.regex((await mia.go(`${path()}?view=board`)).html, /<span class="wip" title="WIP limit"><span class="vh">WIP limit: <\/span>3 of 3</);
  await ana.go(`${path()}/settings/statuses`);
  await ana.send('/statuses/limit', { wipItems: '2', wipHours: '13' }, set('in_progress'));
  t.regex((await mia.go(`${path()}?view=board`)).html, /class="wip over".*?Over the WIP limit: <\/span>3 of 2, 14 h of 13 h</);
  t.regex((await mia.go(`${path()}?view=board&assignee=me`)).html, /Over the WIP limit: <\/span>3 of 2/, 'filtered items count');
  t.regex((await mia.go(`${path()}?type=release&view=board`)).html, /WIP limit: <\/span>1 of 2, 0 min of 13 h</, 'each type counts alone');
  t.false((await mia.go(`${path()}?view=board&group=priority`)).html.includes('class="wip'), 'only columns by status');
  await ana.go(`${path()}/settings/statuses`);
  await ana.send('/statuses/limit', { wipItems: '', wipHours: '' }, set('in_progress'));
  t.false((await mia.go(`${path()}?view=board`)).html.includes('class="wip'));
});

test('refuses limits that are not whole numbers in range, of closed or missing statuses, and of members', async (t) => {
  const ana = await signedIn(work.web.baseUrl, emailOf('ana'));
  for (const wipItems of ['0', '401', '1.5', 'many', '9'.repeat(40)]) {
    await ana.go(`${path()}/settings/statuses`);
    await ana.send('/statuses/limit', { wipItems }, set('planned'));
    t.is(ana.at.status, 400, wipItems);
    t.regex(ana.at.text, /Give a whole number from 1 to 400, or nothing/);
  }
  await ana.go(`${path()}/settings/statuses`);
  t.false(ana.at.html.includes('Set limit of Done'));
  await ana.send('/statuses/limit', { key: 'done', wipItems: '3' }, set('planned'));
  t.is(ana.at.status, 400);
  const mia = await signedIn(work.web.baseUrl, emailOf('mia'));
  t.is((await mia.go(`${path()}/settings/statuses`)).status, 403);
});
