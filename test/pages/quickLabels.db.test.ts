/** Labels of new items, typed as `~label` or chosen, and lists grouped by label (behaviour §33.16, §33.17). */
import pg from 'pg';
import { fileDatabase } from '../support/database.ts';
import { suite } from '../support/suite.ts';
import { signedIn, type Visitor } from '../support/visitor.ts';
import { emailOf, type WorkWorld, workWorld } from '../support/workWorld.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let work: WorkWorld;
let pool: pg.Pool;
let mia: Visitor;
test.before('a workspace with labels, and another one', async () => {
  const elsewhere = {
    ref: 'boats',
    name: 'Boats',
    members: [
      { user: 'ana', role: 'owner' as const },
      { user: 'mia', role: 'member' as const },
    ],
    labels: [{ name: 'Sail' }],
  };
  work = await workWorld(
    database.url,
    {
      labels: [
        { name: 'Bug' },
        { name: 'Bug report' },
        { name: 'two words', color: 'teal' },
        { name: '<b>9 lives</b>' },
        { name: 'Old', archived: true },
      ],
      items: [
        { ref: 'both', type: 'task', title: 'Has both', labels: ['Bug', 'two words'] },
        { ref: 'one', type: 'task', title: 'Has one', labels: ['two words'] },
        { ref: 'old', type: 'task', title: 'Has old', labels: ['Old'] },
        { ref: 'none', type: 'task', title: 'Has none' },
      ],
    },
    { workspaces: [elsewhere] },
  );
  pool = new pg.Pool({ connectionString: database.url, max: 1 });
  mia = await signedIn(work.web.baseUrl, emailOf('mia'));
});
test.after('stop', async () => {
  await work?.stop();
  await pool?.end();
});

const at = (rest: string) => `/workspaces/${work.refs.id('apollo')}${rest}`;
const labelId = async (name: string): Promise<string> => (await pool.query('select id from labels where name = $1', [name])).rows[0].id;

/** The items with this title: labels by name, version, and the labels of each of their changes. */
async function made(title: string) {
  const { rows } = await pool.query(
    `select array(select l.name from item_labels o join labels l on l.id = o.label_id where o.item_id = i.id order by lower(l.name)) as labels,
       i.version::int, (select json_agg(c.fields -> 'labels' order by c.id) from changes c where c.item_id = i.id) as changes
     from items i where i.title = $1 order by i.id`,
    [title],
  );
  return rows;
}

test('a quick line gives the new item its labels in the same change, once', async (t) => {
  await mia.go(at('?group=none'));
  const { path, fields } = mia.form('/quick');
  fields.set('line', 'Paint ~bug the ~"TWO words" deck ~Bug ~9 "~bug" ~"<B>9 LIVES</b>"');
  await mia.post(path, fields);
  t.regex(mia.at.text, /\d+ Paint the deck ~9 ~bug created/);
  await mia.post(path, fields);
  const labels = ['<b>9 lives</b>', 'Bug', 'two words'];
  t.deepEqual(await made('Paint the deck ~9 ~bug'), [{ labels, version: 1, changes: [[[], labels]] }]);
  await mia.go(mia.at.path);
  await mia.send('/undo');
  t.is((await mia.go(at('/quick?line=x'))).status, 200);
});

test('the preview names the labels, and unknown, archived and unclear ones are refused and underlined', async (t) => {
  const ask = (line: string) => mia.go(at(`/quick?line=${encodeURIComponent(line)}`));
  const shown = await ask('Paint ~two ~"bug report"');
  t.regex(shown.text, /Adds ?Paint ?labeled ?Bug report ?two words/);
  t.regex(shown.html, /data-set="labels" data-value="\d+" data-word="~&quot;bug report&quot;"/);
  for (const [line, said] of [
    ['Paint ~none', /~none matches no label of this workspace\. Correct it/],
    ['Paint ~"no such one"', /~"no such one" matches no label/],
    ['Paint ~old', /~old matches no label/],
    ['Paint ~sail', /~sail matches no label/],
    ['Paint ~b', /~b could be Bug or Bug report: write more of the name/],
    ['~bug', /Add a title/],
  ] as const) {
    await mia.go(at('?group=none'));
    await mia.send('/quick', { line });
    t.is(mia.at.status, 400, line);
    t.regex(mia.at.text, said);
  }
  t.regex((await ask('Paint ~"no such one" ~bug')).html, /Paint <u>~&quot;no such one&quot;<\/u> ~bug/);
  t.deepEqual(await made('Paint'), []);
});

test("My day's line and the palette read labels of the task's workspace", async (t) => {
  const id = work.refs.id('apollo');
  await mia.go('/');
  t.regex((await mia.go(`/my/line?in=${id}&text=${encodeURIComponent('2h order rope ~bug')}`)).text, /labeled Bug/);
  await mia.go('/');
  await mia.send('/my/line', { text: 'Order rope ~bug', in: String(id) });
  t.regex(mia.at.text, /Order rope created/);
  t.like(await made('Order rope'), [{ labels: ['Bug'], version: 1 }]);
  await mia.go('/');
  await mia.send('/my/line', { text: 'Order rope ~bug', in: String(work.refs.id('boats')) });
  t.is(mia.at.status, 400);
  t.regex(mia.at.text, /~bug matches no label of this workspace/);
  t.regex((await mia.go(`/search?q=${encodeURIComponent('Order rope ~two')}&at=${id}`)).text, /Create task Order rope.*two words/);
});

test('the form of a new item offers labels in use, and refuses those of another workspace', async (t) => {
  await mia.go(at('/new?type=requirement'));
  t.regex(mia.at.html, /<select name="labels" multiple/);
  t.false(mia.at.html.includes('>Old</option>'));
  const [bug, two, sail] = [await labelId('Bug'), await labelId('two words'), await labelId('Sail')];
  await mia.send('/items', { title: 'Grow', labels: [bug, sail] });
  t.is(mia.at.status, 400);
  t.regex(mia.at.html, new RegExp(`<option value="${bug}" selected>`), 'the choice is kept');
  t.deepEqual(await made('Grow'), []);
  for (const labels of ['0', 'x', `${bug}`.repeat(30)]) {
    await mia.send('/items', { title: 'Grow', labels });
    t.is(mia.at.status, 400, labels);
  }
  await mia.send('/items', { title: 'Grow ~two', labels: [bug, two], words: 'yes' });
  t.like(await made('Grow'), [{ labels: ['Bug', 'two words'], version: 1 }]);
});

test('members who may not write get no labels on items', async (t) => {
  const vic = await signedIn(work.web.baseUrl, emailOf('vic'));
  t.is((await vic.go(at('/quick?line=x+~bug'))).status, 403);
});

test('a list groups by the first label of each item, and new work of a group gets its label', async (t) => {
  await mia.go(at('?group=label&sort=title'));
  const heads = [...mia.at.html.matchAll(/>(Has \w+)<\/a>|id="g-(\w+)"/g)].map(([, title, id]) => title ?? id);
  const [bug, two, old] = [await labelId('Bug'), await labelId('two words'), await labelId('Old')];
  const kept = heads.filter((one) => one?.startsWith('Has') || [bug, two, old, 'none'].includes(one!));
  t.deepEqual(kept, [bug, 'Has both', old, 'Has old', two, 'Has one', 'none', 'Has none']);
  t.throws(() => mia.form('/quick', (fields) => fields.get('labelId') === old), undefined, 'an archived label');
  await mia.send('/quick', { line: 'In its group ~bug' }, (fields) => fields.get('labelId') === two);
  t.like(await made('In its group'), [{ labels: ['Bug', 'two words'] }]);
  const first = await mia.go(at('?group=label&view=board'));
  t.is(first.status, 200);
});
