/** Labels and dependencies on an item's page and in the settings (behaviour §33.9–§33.11). */
import { fileDatabase } from '../../support/database.ts';
import { Fixtures } from '../../support/restWorld.ts';
import { suite } from '../../support/suite.ts';
import { type Shown, signedIn, type Visitor } from '../../support/visitor.ts';
import { emailOf, type WorkWorld, workWorld } from '../../support/workWorld.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let work: WorkWorld;
let fixtures: Fixtures;
const people = {} as Record<'ana' | 'max' | 'mia' | 'vic', Visitor>;
test.before('items with labels', async () => {
  work = await workWorld(database.url, {
    labels: [{ name: 'Blue', color: 'teal', description: 'Like the sea' }, { name: 'Red' }, { name: 'Old', archived: true }],
    items: [
      { ref: 'one', type: 'task', title: 'Paint the hull', labels: ['Blue', 'Old'] },
      { ref: 'two', type: 'task', title: 'Launch' },
      { ref: 'goal', type: 'goal', title: 'Secret goal' },
      { ref: 'dock', type: 'milestone', title: 'Dock free', status: 'done' },
    ],
    members: [{ user: 'eve', role: 'member', access: { goals: 'none' } }],
  });
  fixtures = new Fixtures(database.url);
  for (const ref of ['ana', 'max', 'mia', 'vic'] as const) people[ref] = await signedIn(work.web.baseUrl, emailOf(ref));
});
test.after('stop', async () => {
  await fixtures?.close();
  await work?.stop();
});

const at = (ref: string, more = '') => work.item(ref).slice(work.web.baseUrl.length) + more;
const settings = () => `${work.at.slice(work.web.baseUrl.length)}/settings/labels`;
const depends = ({ html }: Shown) => html.split('id="dependencies"')[1]?.split('</section>')[0] ?? '';
const adding = (fields: URLSearchParams) => fields.has('blocker');
const words = (html: string) => html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
const labelIds = async () =>
  Object.fromEntries((await fixtures.sql('select id, name from labels')).map(({ id, name }) => [name, String(id)]));

test('the menu shows labels in use and the archived ones that the item has; saving changes them, and undo brings them back', async (t) => {
  const { mia } = people;
  const ids = await labelIds();
  await mia.go(at('one'));
  t.regex(words(mia.at.html), /Labels Change labels of Paint the hull: Blue Old/);
  await mia.go(at('two', '/labels'));
  t.notRegex(mia.at.html, />Old</);
  await mia.go(at('one', '/labels'));
  t.regex(mia.at.html, /title="Like the sea"/);
  const saved = await mia.send('/labels', { labels: [ids.Red!], new: ' Green <b> ' });
  t.regex(words(saved.html), /Labels Change labels of Paint the hull: Green &lt;b&gt; Red/);
  t.regex(saved.text, /Mia added the labels Green <b> Red and removed the labels Blue Old/);
  t.regex(saved.html, /Green &lt;b&gt;/);
  const undone = await mia.send('/undo');
  t.is(undone.status, 400, 'an archived label cannot be added');
  await people.ana.go(settings());
  await people.ana.send('/labels/archive', {}, (fields) => fields.get('name') === 'Old');
  await mia.go(at('one'));
  await mia.go(at('one', '/labels'));
  await mia.send('/labels', { labels: [ids.Blue!] });
  const back = await mia.send('/undo');
  t.regex(back.text, /Undone\./);
  t.regex(words(back.html), /Labels Change labels of Paint the hull: Green &lt;b&gt; Red/);
});

test('a label saved in two tabs: the second is refused and shows the menu again', async (t) => {
  const { mia, max } = people;
  const ids = await labelIds();
  await Promise.all([mia.go(at('two', '/labels')), max.go(at('two', '/labels'))]);
  t.is((await mia.send('/labels', { labels: [ids.Red!] })).status, 200);
  const refused = await max.send('/labels', { labels: [ids.Blue!] });
  t.is(refused.status, 409);
  t.regex(refused.text, /Item \d+ is at version \d+: read it again/);
});

test('blockers are added by number, shown in both directions with status, and removed', async (t) => {
  const { mia } = people;
  const [one, goal, dock] = ['one', 'goal', 'dock'].map((ref) => work.refs.id(ref));
  await mia.go(at('two'));
  await mia.send('/dependencies', { blocker: `#${dock}`, lagDays: '3' });
  t.regex(words(depends(mia.at)), new RegExp(`Blocked by ${dock} Dock free 3 working days later Done`));
  t.notRegex(mia.at.text, /Waits for/, 'it is done');
  await mia.send('/dependencies', { blocker: String(one) }, adding);
  t.regex(words(mia.at.html), /Dependencies Waits for 1 item/);
  t.regex(mia.at.text, new RegExp(`Mia added the blocker #${one}`));
  const blocker = await mia.go(at('one'));
  t.regex(words(depends(blocker)), /Blocks \d+ Launch Planned/);
  const cycle = await mia.send('/dependencies', { blocker: String(work.refs.id('two')) }, adding);
  t.is(cycle.status, 400);
  t.regex(cycle.text, /waits for item \d+ already, directly or through others/);
  for (const [given, message] of [
    ['999999', /No item has this number; give another number/],
    ['x', /Give the number of an item, such as #33/],
    [String(work.refs.id('one')), /An item cannot wait for itself/],
  ] as const) {
    await mia.go(at('one'));
    const refused = await mia.send('/dependencies', { blocker: given }, adding);
    t.is(refused.status, 400, given);
    t.regex(refused.text, message);
  }
  await mia.go(at('two'));
  const removed = await mia.send('/dependencies', {}, (fields) => fields.get('remove') === String(one));
  t.regex(removed.text, new RegExp(`Mia removed the blocker #${one}`));
  t.regex(words((await mia.send('/undo')).html), /Waits for 1 item/);
  await people.ana.go(at('one'));
  await people.ana.send('/dependencies', { blocker: String(goal) }, adding);
  t.regex(depends(people.ana.at), /Secret goal/);
  const eve = await signedIn(work.web.baseUrl, emailOf('eve'));
  const seen = await eve.go(at('one'));
  t.notRegex(seen.text, new RegExp(`Secret goal|#${goal}|Blocked by`));
  const guessed = await eve.send('/dependencies', { blocker: String(goal) }, adding);
  t.regex(guessed.text, /No item has this number; give another number/);
});

test('labels are added and removed in bulk, all or none, and undone together', async (t) => {
  const { max } = people;
  const ids = await labelIds();
  const bulk = at('one').replace(/items.*/, '');
  const versions = await fixtures.sql('select id, version from items where id = any($1) order by id', [
    [work.refs.id('one'), work.refs.id('two')],
  ]);
  const query = versions.map(({ id, version }) => `ids=${id}.${version}`).join('&');
  const labelled = async () =>
    (await fixtures.sql('select item_id, name from item_labels o join labels l on l.id = o.label_id order by 1, 2')).map(
      ({ item_id, name }) => `${item_id} ${name}`,
    );
  const before = await labelled();
  await max.go(`${bulk}bulk?change=labels&${query}`);
  t.regex(max.at.text, /Labels of 2 items/);
  const done = await max.send('/bulk', { add: [ids.Blue!], remove: [ids.Red!] });
  t.is(done.status, 200);
  const [one, two] = [work.refs.id('one'), work.refs.id('two')];
  t.deepEqual(
    (await labelled()).filter((line) => /Blue|Red/.test(line)),
    [`${one} Blue`, `${two} Blue`],
  );
  t.is((await max.send('/undo')).status, 200);
  t.deepEqual(await labelled(), before);
  await max.go(`${bulk}bulk?change=labels&${query}`);
  const stale = await max.send('/bulk', { add: [ids.Blue!] });
  t.is(stale.status, 409);
  t.deepEqual(await labelled(), before);
});

test('viewers see labels and dependencies without controls', async (t) => {
  const { vic } = people;
  await vic.go(at('two'));
  t.regex(words(vic.at.html), /Labels Red/);
  t.regex(depends(vic.at), /Dock free/);
  t.notRegex(vic.at.html, /\/dependencies"|\/labels"/);
});

test('managers rename, color, archive and merge labels; members see no such page', async (t) => {
  const { max, mia } = people;
  const ids = await labelIds();
  t.is((await mia.go(settings())).status, 403);
  await max.go(settings());
  t.regex(max.at.text, /Blue Like the sea/);
  const is = (name: string) => (fields: URLSearchParams) => fields.get('id') === ids[name];
  const renamed = await max.send('/labels/change', { name: 'Azure', color: 'violet', description: '' }, is('Blue'));
  t.regex(renamed.html, /<span class="label c3">Azure<\/span>/);
  const taken = await max.send('/labels/change', { name: 'RED' }, is('Blue'));
  t.is(taken.status, 400);
  t.regex(taken.text, /There already is a label 'RED'; choose another name/);
  await max.go(settings());
  await max.send('/labels/add', { name: 'Late' });
  t.regex(max.at.html, />Late</);
  t.false(max.at.html.includes('name="mergeInto"'), 'one form to merge, not one for each label');
  await max.go(`${settings()}?merge=${ids.Red}`);
  await max.sendSurely('/labels/merge', { mergeInto: ids.Blue! }, is('Red'));
  t.notRegex(max.at.html, />Red</);
  await max.go(at('two'));
  t.regex(words(max.at.html), /Labels Change labels of Launch: Azure/);
});
