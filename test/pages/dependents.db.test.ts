/** Moving dependent items without a script: what is offered and moved, for whom, and what stays (behaviour §33.18). */
import { fileDatabase } from '../support/database.ts';
import { type RestWorld, restWorld } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';
import type { Visitor } from '../support/visitor.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let world: RestWorld;
let ana: Visitor;
let viewer: Visitor;
let narrow: Visitor;
let stranger: Visitor;

test.before('a workspace, a viewer, and a member who writes tasks and neither reads releases nor writes requirements', async () => {
  world = await restWorld(database.url, { BASE_URL: 'http://localhost/stint' });
  ana = await world.visitor(world.ownerId);
  viewer = await world.visitor((await world.join('viewer')).userId);
  const narrowId = await world.fixtures.user(world.accountId);
  await world.fixtures.member(world.workspaceId, narrowId, 'member', { releases: 'none', requirements: 'read' });
  narrow = await world.visitor(narrowId);
  stranger = await world.visitor(await world.fixtures.user(await world.fixtures.account()));
});
test.after('stop', () => world?.end());

type Item = Awaited<ReturnType<RestWorld['make']>>;
const at = () => `/workspaces/${world.workspaceId}`;
const blocks = (item: { id: number }, blocker: { id: number }, lag = 0) =>
  world.fixtures.sql(
    `insert into item_dependencies (account_id, workspace_id, item_id, blocker_id, lag_days) values ($1, $2, $3, $4, $5)`,
    [world.accountId, world.workspaceId, item.id, blocker.id, lag],
  );
const task = (title: string, startDate: string | null, dueDate: string | null): Promise<Item> =>
  world.make('task', { startDate, dueDate }, { title });
const datesOf = async (item: { id: number }) => {
  const { fields } = await world.read(item.id);
  return [fields.startDate, fields.dueDate ?? fields.targetDate];
};
const page = (...items: { id: number }[]) => `${at()}/dependents?back=${at()}&${items.map(({ id }) => `ids=${id}`).join('&')}`;

async function setDates(visitor: Visitor, item: Item, start: string, end: string) {
  await visitor.go(`${at()}/items/${item.id}/change/due-dates?back=${at()}`);
  await visitor.send('/change/due-dates', { value: null, start, end }, (fields) => fields.has('start'));
}

/** Monday 2030-03-04 to Friday, then two that wait in turn, the second after two more working days. */
async function chain() {
  const keel = await task('Lay the keel', '2030-03-04', '2030-03-08');
  const hull = await task('Weld the hull', '2030-03-11', '2030-03-13');
  const mast = await task('Step the mast', null, '2030-03-18');
  await blocks(hull, keel);
  await blocks(mast, hull, 2);
  return { keel, hull, mast };
}

test('after a later end the toast offers to move what depends on it; one form moves all, and one undo restores all', async (t) => {
  const { keel, hull, mast } = await chain();
  await setDates(ana, keel, '2030-03-04', '2030-03-12');
  const link = /href="\/stint([^"]*\/dependents[^"]*)"[^>]*>Move 2 dependent items/.exec(ana.at.html)?.[1];
  t.truthy(link, ana.at.text);
  await ana.go(link!.replaceAll('&amp;', '&'));
  t.regex(ana.at.text, new RegExp(`#${hull.id} Weld the hull.*#${mast.id} Step the mast.*Move 2 items`));
  await ana.send('/dependents');
  t.is(ana.at.path.replace(/\?.*/, ''), at());
  t.regex(ana.at.text, /2 tasks updated/);
  t.notRegex(ana.at.text, /dependent item/);
  t.deepEqual(await datesOf(hull), ['2030-03-13', '2030-03-15']);
  t.deepEqual(await datesOf(mast), [null, '2030-03-20']);
  await ana.send('/undo');
  t.deepEqual(
    [await datesOf(hull), await datesOf(mast)],
    [
      ['2030-03-11', '2030-03-13'],
      [null, '2030-03-18'],
    ],
  );
  t.deepEqual(await datesOf(keel), ['2030-03-04', '2030-03-12']);
});

test('nothing is offered where nothing starts too early, nor for work that is done', async (t) => {
  const { keel, hull } = await chain();
  await setDates(ana, keel, '2030-03-05', '2030-03-08');
  t.notRegex(ana.at.text, /dependent item/);
  await ana.go(`${at()}/items/${hull.id}/change/status?back=${at()}`);
  await ana.send('/change/status', { value: 'done' });
  await setDates(ana, keel, '2030-03-05', '2030-03-12');
  t.notRegex(ana.at.text, /dependent item/);
  t.regex((await ana.go(page(keel))).text, /No dependent item has to move/);
});

test('items that changed after the dialog was opened are asked about again, and nothing moves', async (t) => {
  const { keel, hull, mast } = await chain();
  await setDates(ana, keel, '2030-03-04', '2030-03-12');
  await ana.go(page(keel));
  const { path, fields } = ana.form('/dependents');
  await setDates(ana, mast, '2030-03-14', '2030-03-18');
  const before = [await datesOf(hull), await datesOf(mast)];
  const answer = await ana.post(path, fields);
  t.is(answer.status, 409);
  t.regex(answer.text, /Items have changed since you opened this/);
  t.deepEqual([await datesOf(hull), await datesOf(mast)], before);
  await ana.send('/dependents');
  t.deepEqual(await datesOf(mast), ['2030-03-20', '2030-03-22']);
});

test('hidden items stay without a hint, items the caller may only read are named', async (t) => {
  const keel = await task('Lay the keel', '2030-03-04', '2030-03-12');
  const secret = await world.make('release', { targetDate: '2030-03-06' }, { title: 'Secret voyage' });
  const fixed = await world.make('requirement', { targetDate: '2030-03-06' }, { title: 'Know the deck' });
  const hull = await task('Weld the hull', '2030-03-11', '2030-03-13');
  const behind = await task('Paint the hull', '2030-03-07', '2030-03-07');
  for (const item of [secret, fixed, hull]) await blocks(item, keel);
  await blocks(behind, secret);
  await narrow.go(page(keel));
  t.notRegex(narrow.at.html, /Secret voyage|Paint the hull/);
  t.regex(narrow.at.text, /Move 1 item.*cannot move:\s*#\d+ Know the deck/);
  await narrow.send('/dependents');
  t.deepEqual(await datesOf(hull), ['2030-03-13', '2030-03-15']);
  t.deepEqual(
    [await datesOf(secret), await datesOf(fixed), await datesOf(behind)],
    [
      [null, '2030-03-06'],
      [null, '2030-03-06'],
      ['2030-03-07', '2030-03-07'],
    ],
  );
  await ana.go(page(keel));
  for (const title of ['Secret voyage', 'Know the deck', 'Paint the hull']) t.true(ana.at.text.includes(title), title);
});

test('viewers move nothing; hidden and absent items, other accounts and bad numbers get no list', async (t) => {
  const { keel, hull } = await chain();
  await setDates(ana, keel, '2030-03-04', '2030-03-12');
  await ana.go(page(keel));
  const { path, fields } = ana.form('/dependents');
  await viewer.go(page(keel));
  t.regex(viewer.at.text, /No dependent item has to move.*cannot move/);
  const own = new URLSearchParams(fields);
  own.set(...(['_csrf', viewer.form('/sign-out').fields.get('_csrf') ?? ''] as const));
  t.not((await viewer.post(path, own)).status, 200);
  const secret = await world.make('release', { targetDate: '2030-03-06' }, { title: 'Secret voyage' });
  const answers = [
    await narrow.go(page(secret)),
    await narrow.go(page({ id: 999_999_999 })),
    await stranger.go(page(keel)),
    await ana.go(page()),
    await ana.go(`${page()}&ids=x`),
  ];
  t.deepEqual(
    answers.map(({ status }) => status),
    [403, 403, 403, 400, 400],
  );
  t.deepEqual(await datesOf(hull), ['2030-03-11', '2030-03-13']);
});
