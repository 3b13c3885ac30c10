/** Goals without a script: the tree, contributions, values over time, and updates with a comment (behaviour §27). */
import { fileDatabase } from '../support/database.ts';
import { type RestWorld, restWorld } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';
import type { Visitor } from '../support/visitor.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let world: RestWorld;
let ana: Visitor;
const at = () => `/workspaces/${world.workspaceId}`;
const pageOf = (id: number) => `${at()}/items/${id}`;

const make: RestWorld['make'] = (...made) => world.make(...made);
const stored: RestWorld['read'] = (id) => world.read(id);
const comments = async (id: number): Promise<string[]> =>
  (await world.owner.get('/comments', { id })).body.comments.map(({ body }: { body: string }) => body);

test.before('an owner', async () => {
  world = await restWorld(database.url, { BASE_URL: 'http://localhost/stint' });
  ana = await world.visitor(world.ownerId);
});
test.after('stop', () => world?.end());

test('goals are listed below their parents, with their contributions', async (t) => {
  const up = await make('goal', { target: 60, current: 34, unit: '% of tickets', targetDate: '2030-05-01' }, { title: 'Online' });
  const low = await make('goal', { parentId: up.id, target: 120, current: 205, unit: 'seconds' }, { title: 'Quick' });
  await make('release', { goalId: up.id }, { title: 'Spring', status: 'done' });
  await make('requirement', { goalId: up.id }, { title: 'Cars' });
  await make('requirement', { goalId: up.id }, { title: 'Left out', status: 'cancelled' });
  await make('task', { goalId: low.id }, { title: 'Measure' });
  const page = await ana.go(`${at()}?type=goal`);
  t.regex(
    page.text,
    /Online.*34 of 60 % of tickets.*1 of 2 done 1 requirement, 1 of 1 release.*Cars.*Spring.*Quick.*205 of 120 seconds.*0 of 1 done 1 task.*Measure/s,
  );
  t.regex(page.html, new RegExp(`aria-label="Part of Online">.*data-item="${low.id}"`, 's'));
  t.false(page.text.includes('Left out'));
  t.is(page.html.match(/data-item=/g)?.length, 2);
  const places = [up, low].map(({ id }) => new RegExp(`/items/${id}\\?in=type%3Dgoal&amp;n=(\\d)&amp;of=2"`).exec(page.html)?.[1]);
  t.deepEqual(places.toSorted(), ['1', '2'], 'each has its position in the list');
  t.is((await ana.go(`${at()}?type=goal&view=list`)).html.includes('aria-label="Part of'), false, 'the flat list is a view, too');
  t.regex((await ana.go(`${at()}?type=goal&search=quick`)).text, /QuickOnline/, 'an item names a parent that is not shown');
  t.regex((await ana.go(`${at()}?view=tree`)).text, /Tasks1ViewListBoard/, 'other types have no tree');
});

test('a value is saved with a comment, both or neither, and its steps are shown', async (t) => {
  const { id, version } = await make('goal', { target: 150, current: 310, unit: 'calls' }, { title: 'Calls' });
  await ana.go(pageOf(id));
  t.regex(ana.at.text, /310 of 150 calls/);
  await ana.send('/change/current', { value: '290', note: 'The leaflet is out.' });
  t.regex(ana.at.path, /notice=changed&undo=|undo=.*notice=changed/);
  t.regex(ana.at.text, /290 of 150 calls.*290.*310/s);
  t.like(await stored(id), { version: version + 1, fields: { current: 290 } });
  t.deepEqual(await comments(id), ['The leaflet is out.']);
  t.true(ana.at.html.includes('Today: 310, Today: 290. Recorded values: 2.'), 'the line in words');
  t.true(ana.at.html.includes('aria-label="290 of 150 calls"'), 'it comes down: a part of the way is done');

  // Another user was faster: nothing is saved, and both values are shown.
  const before = ana.form('/change/current');
  const now = await stored(id);
  await world.owner.save({ ...now, fields: { ...now.fields, current: 280 } });
  const values = new URLSearchParams(before.fields);
  values.set('value', '285');
  values.set('note', 'Counted again.');
  const refused = await ana.post(before.path, values);
  t.is(refused.status, 409);
  t.regex(refused.text, /280.*285, with the comment “Counted again\.”/s);
  t.deepEqual(await comments(id), ['The leaflet is out.']);
  t.is((await stored(id)).fields.current, 280);
  await ana.send('/change/current');
  t.like(await stored(id), { fields: { current: 285 } });
  t.deepEqual((await comments(id)).toSorted(), ['Counted again.', 'The leaflet is out.']);

  // An invalid number is refused with the typed values.
  await ana.go(`${pageOf(id)}/change/current`);
  await ana.send('/change/current', { value: 'many', note: 'Keep this' });
  t.is(ana.at.status, 400);
  t.regex(ana.at.html, /value="many".*>Keep this<\/textarea>/s);
  t.is((await comments(id)).length, 2);

  // Undo restores only the value, and the comment stays.
  await ana.go(pageOf(id));
  await ana.send('/change/current', { value: '200', note: 'Surely' });
  await ana.send('/undo');
  t.is((await stored(id)).fields.current, 285);
  t.true((await comments(id)).includes('Surely'));
});

test('without the right to comment only the value is changed, and without write access nothing', async (t) => {
  const { id } = await make('goal', { target: 10, current: 1 }, { title: 'Limited' });
  const mute = await world.visitor((await world.join('manager', { comments: 'read' })).userId);
  t.false((await mute.go(`${pageOf(id)}/change/current`)).html.includes('name="note"'));
  await mute.send('/change/current', { value: '2' });
  t.is((await stored(id)).fields.current, 2);
  const form = mute.at;
  t.is(form.status, 200);
  await mute.go(`${pageOf(id)}/change/current`);
  const { path, fields } = mute.form('/change/current');
  fields.set('value', '3');
  fields.set('note', 'Sneaked in');
  t.is((await mute.post(path, fields)).status, 403);
  t.is((await stored(id)).fields.current, 2, 'both or none');
  const blind = await world.visitor((await world.join('member', { goals: 'none' })).userId);
  t.regex((await blind.go(`${at()}?type=goal`)).text, /^(?!.*Limited).*Tasks/s);
});
