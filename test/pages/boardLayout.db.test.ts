/** What boards remember for each person, and boards by label (behaviour §38.4, §38.5). */
import { fileDatabase } from '../support/database.ts';
import { suite } from '../support/suite.ts';
import { signedIn, type Visitor } from '../support/visitor.ts';
import { emailOf, type WorkWorld, workWorld } from '../support/workWorld.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let work: WorkWorld;
const path = () => work.at.slice(work.web.baseUrl.length);
test.before('tasks with labels', async () => {
  const task = (ref: string, more = {}) => ({ ref, type: 'task', title: `Title ${ref}`, ...more }) as const;
  work = await workWorld(database.url, {
    labels: [{ name: 'Blue' }, { name: 'Red' }],
    items: [
      task('c', { fields: { dueDate: '2030-01-01' }, labels: ['Red'] }),
      task('a', { fields: { dueDate: '2030-01-02' }, labels: ['Red', 'Blue'] }),
      task('b', { fields: { dueDate: '2030-01-03' } }),
      task('z', { status: 'done' }),
      ...Array.from({ length: 33 }, (_, n) => ({ ref: `r${n}`, type: 'requirement', title: `Long column ${n}` }) as const),
    ],
  });
});
test.after('stop', () => work?.stop());

const board = ({ html }: Pick<Visitor['at'], 'html'>) => /aria-label="Tasks by (\w+)"/.exec(html)![1];
const cards = ({ html }: Pick<Visitor['at'], 'html'>) => [...html.matchAll(/<h3 dir="auto"><a[^>]*>Title (\w)</g)].map(([, ref]) => ref);
/** The cards of a column by its title. */
const column = ({ html }: Pick<Visitor['at'], 'html'>, title: string) =>
  cards({ html: new RegExp(`data-title="${title}".*?</ul>`, 's').exec(html)![0] });
const id = (html: string, name: string) => new RegExp(`data-column="(\\d+)" data-title="${name}"`).exec(html)![1]!;

test('grouping, order and open columns are remembered for the person, workspace and type', async (t) => {
  const mia = await signedIn(work.web.baseUrl, emailOf('mia'));
  const open = `${path()}?view=board`;
  await mia.go(open);
  t.is(board(mia.at), 'status');
  t.deepEqual(cards(mia.at), ['c', 'a', 'b']);
  await mia.send('/board', { sort: 'title' }, (fields) => !fields.has('open'));
  t.deepEqual(cards(mia.at), ['a', 'b', 'c']);
  await mia.go(open);
  await mia.send('/board', {}, (fields) => fields.get('open') === 'done');
  t.deepEqual(column(mia.at, 'Done'), ['z']);
  t.deepEqual(cards(await mia.go(open)), ['a', 'b', 'c', 'z'], 'both are kept');
  await mia.send('/board', { group: 'assignee' }, (fields) => !fields.has('open'));
  t.is(board(await mia.go(open)), 'assignee');
  t.is(board(await mia.go(`${open}&group=priority`)), 'priority', 'the address wins');
  t.regex((await mia.go(`${path()}?view=board&type=release`)).html, /aria-label="Releases by status"/);
  const max = await signedIn(work.web.baseUrl, emailOf('max'));
  t.is(board(await max.go(open)), 'status');
  await mia.go(path());
  t.notRegex(mia.at.html, /aria-label="Tasks by/, 'lists are not changed');
});

test('a column shows 30 cards, and the others on request', async (t) => {
  const mia = await signedIn(work.web.baseUrl, emailOf('mia'));
  const shown = () => mia.at.html.match(/>Long column \d+</g)!.length;
  await mia.go(`${path()}?view=board&type=requirement&group=priority`);
  t.is(shown(), 30);
  const [, href] = /<a href="\/stint([^"]+)"[^>]*>Show 3 more</.exec(mia.at.html)!;
  await mia.go(href!.replaceAll('&amp;', '&'));
  t.is(shown(), 33);
  t.regex(mia.at.html, /aria-label="Requirements by priority"/);
  t.notRegex(mia.at.html, />Show \d+ more</);
});

test('a saved view keeps its own arrangement', async (t) => {
  const mia = await signedIn(work.web.baseUrl, emailOf('mia'));
  await mia.go(`${path()}?view=board&group=priority&sort=id`);
  await mia.send('/views', { name: 'By priority', query: 'view=board&group=priority&sort=id' });
  t.is(board(mia.at), 'priority');
  t.deepEqual(cards(mia.at), ['c', 'a', 'b']);
  t.throws(() => mia.form('/board'), undefined, 'its menus are links');
});

test('unknown values are ignored, and too long ones change nothing', async (t) => {
  const vic = await signedIn(work.web.baseUrl, emailOf('vic'));
  for (const [name, value] of [
    ['group', 'planet'],
    ['sort', '-nothing'],
    ['group', 'x'.repeat(500)],
  ] as const) {
    await vic.go(`${path()}?view=board`);
    await vic.send('/board', { [name]: value }, (fields) => !fields.has('open'));
    t.is(vic.at.status, 200);
    t.is(board(vic.at), 'status');
  }
  t.is((await vic.go(`/workspaces/999999?view=board`)).status, 403);
});

test('columns by label: the first label by name, and none; a moved card gets the label of the column', async (t) => {
  const max = await signedIn(work.web.baseUrl, emailOf('max'));
  const open = `${path()}?view=board&group=label`;
  await max.go(open);
  t.deepEqual([column(max.at, 'Blue'), column(max.at, 'Red'), column(max.at, 'No label')], [['a'], ['c'], ['b']]);
  const [blue, red] = [id(max.at.html, 'Blue'), id(max.at.html, 'Red')];
  const move = async (ref: string, value: string, version: number) => {
    await max.go(open);
    const action = `/workspaces/${work.refs.id('apollo')}/items/${work.refs.id(ref)}/change/label`;
    const { fields } = max.form('/bulk', (one) => one.has('value'));
    fields.set('value', value);
    fields.set('version', String(version));
    return max.post(action, fields);
  };
  await move('b', blue, 1);
  await move('c', '', 1);
  await move('a', red, 1);
  await max.go(open);
  t.deepEqual([column(max.at, 'Blue'), column(max.at, 'Red'), column(max.at, 'No label')], [['b'], ['a'], ['c']]);
  t.is((await move('a', blue, 1)).status, 409, 'an old version');
  t.is((await move('a', '999999', 2)).status, 400);
  await max.go(open);
  t.deepEqual(column(max.at, 'Red'), ['a']);
});
