/** Pages of duplicates, templates and recurring tasks over HTTP, as without script (behaviour §37). */
import { fileDatabase } from '../support/database.ts';
import { suite } from '../support/suite.ts';
import { signedIn, type Visitor } from '../support/visitor.ts';
import { emailOf, type WorkWorld, workWorld } from '../support/workWorld.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let work: WorkWorld;
let [ana, mia]: Visitor[] = [];
let at: string;
test.before('a workspace with work', async () => {
  const below = (ref: string, title: string) => ({ ref, type: 'task' as const, title, fields: { parentItemId: { ref: 'boat' } } });
  work = await workWorld(database.url, {
    labels: [{ name: 'Paint' }],
    items: [
      { ref: 'boat', type: 'task', title: 'Paint the boat', labels: ['Paint'], fields: { startDate: '2026-03-02', dueDate: '2026-03-06' } },
      below('hull', 'Sand the hull'),
      below('deck', 'Oil the deck'),
      { ref: 'report', type: 'task', title: 'Weekly report', fields: { dueDate: '2027-01-01' } },
    ],
  });
  [ana, mia] = [await signedIn(work.web.baseUrl, emailOf('ana')), await signedIn(work.web.baseUrl, emailOf('mia'))];
  at = work.at.slice(work.web.baseUrl.length);
});
test.after('stop', () => work?.stop());

const item = (ref: string) => work.item(ref).slice(work.web.baseUrl.length);

test('a duplicate is made as chosen, with new dates; a refused one keeps what was typed', async (t) => {
  const { html } = await ana!.go(`${item('boat')}/duplicate`);
  t.regex(html, /name="below"[^>]* checked[^>]*>(?:(?!<input).)*Items below \(2\)/s);
  t.is((await ana!.send('/duplicate', { title: '', labels: null })).status, 400);
  const { fields } = ana!.form('/duplicate');
  t.deepEqual([fields.has('labels'), fields.has('below')], [false, true]);
  const { text } = await ana!.send('/duplicate', { title: 'Paint the second boat', start: '2037-12-01', labels: 'on' });
  t.regex(text, /3 tasks created/);
  t.regex(text, /7 Dec 2037/, 'four days after the start is a Saturday');
  t.regex(text, /Sand the hull/);
  t.not(ana!.at.path.replace(/\?.*/, ''), item('boat'));
});

test('a template is saved from an item, renamed, used by a member, and deleted after a confirmation', async (t) => {
  await ana!.go(`${item('boat')}/template`);
  t.regex((await ana!.send('/template', { name: 'Boat' })).text, /Boat.*3 items.*Oil the deck/);
  t.regex((await ana!.send('/templates/rename', { name: 'Any boat' })).text, /Any boat/);

  await mia!.go(`${at}/new/template`);
  t.regex(mia!.at.html, /<h1[^>]*>New from template/);
  const values = { title: 'Paint the ferry', start: '2037-12-01', assigneeId: String(work.refs.id('mia')) };
  t.regex((await mia!.send('/new/template', values)).text, /3 tasks created/);
  t.regex(mia!.at.text, /Paint the ferry.*Mia.*7 Dec 2037/);
  t.regex((await ana!.go(item('boat'))).text, /Save as template…/);
  t.notRegex((await mia!.go(item('boat'))).text, /Save as template…/);

  await ana!.go(`${at}/settings/templates`);
  t.regex((await ana!.sendSurely('/templates/delete')).text, /No templates yet\./);
});

test('a task repeats by plain choices, shown on its page, and stops', async (t) => {
  await ana!.go(`${item('report')}/repeat`);
  t.deepEqual(ana!.form('/repeat').fields.getAll('days'), ['FR'], 'the day of its due date');
  t.regex((await ana!.send('/repeat', { days: null })).text, /choose at least one day/);
  t.regex((await ana!.send('/repeat', { days: 'FR' })).text, /every Friday · next on/);
  await ana!.go(`${item('report')}/repeat`);
  const { text } = await ana!.send('/repeat', { unit: 'month', monthDay: '31', mode: 'closed', count: '5' });
  t.regex(text, /every month on day 31, 5 times · next when this one is closed/);
  await ana!.go(`${item('report')}/repeat`);
  t.is(ana!.form('/repeat').fields.get('monthDay'), '31');
  t.regex((await ana!.send('/repeat/stop')).text, /stopped/);
});

test('an expert’s rule is kept as written, and a wrong one is explained at its field', async (t) => {
  await ana!.go(`${item('hull')}/repeat`);
  t.regex((await ana!.send('/repeat', { rule: 'FREQ=HOURLY' })).text, /wrong FREQ; give DAILY, WEEKLY, MONTHLY, YEARLY/);
  t.regex((await ana!.send('/repeat', { rule: 'freq=monthly;byday=-1sa' })).text, /by the rule FREQ=MONTHLY;BYDAY=-1SA/);
  await ana!.go(`${item('hull')}/repeat`);
  t.is(ana!.form('/repeat').fields.get('rule'), 'FREQ=MONTHLY;BYDAY=-1SA');
});
