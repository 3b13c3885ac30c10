/** The fields of work items: their types and valid values (behaviour §4.2, §4.3, §4.5). */
import { type ItemType, itemTypes } from '../../src/access/rights.ts';
import { fileDatabase } from '../support/database.ts';
import { draftOf, type RestWorld, restWorld } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let world: RestWorld;
test.before('a world', async () => {
  world = await restWorld(database.url);
});
test.after('stop', () => world?.end());

/** The table of behaviour §4.2. itemLinks.db.test.ts covers links. */
const everywhere = ['statusKey', 'priorityKey', 'assigneeId', 'progressPercent', 'estimatedHours', 'startDate'];
const own: Record<ItemType, string[]> = {
  task: ['dueDate', 'acceptance'],
  requirement: ['dueDate', 'targetDate', 'acceptance', 'reach', 'impact', 'confidence', 'effort', 'reachPeriod'],
  goal: ['targetDate', 'actualDate', 'level', 'unit', 'target', 'current'],
  release: ['targetDate', 'actualDate', 'versionLabel'],
  milestone: ['targetDate', 'dueDate', 'actualDate'],
};
const values = (): Record<string, unknown> => ({
  statusKey: 'planned',
  priorityKey: 'high',
  assigneeId: world.ownerId,
  progressPercent: 12.5,
  estimatedHours: 0.25,
  startDate: '2026-01-05',
  dueDate: '2026-02-28',
  targetDate: '2028-02-29',
  actualDate: '2026-03-01',
  acceptance: 'It works.\n\tAnd 😀.',
  reach: 1e6,
  impact: 0,
  confidence: 100,
  effort: 0.5,
  reachPeriod: '2026-Q4',
  level: 'company',
  unit: '%',
  target: -5.5,
  current: 0.0000012345,
  versionLabel: 'v1.0-β',
});

for (const type of itemTypes) {
  test(`a ${type} accepts its own fields and returns all of them, unset ones as null`, async (t) => {
    const given = Object.fromEntries(Object.entries(values()).filter(([name]) => everywhere.includes(name) || own[type].includes(name)));
    const saved = await world.owner.save(draftOf(type, given));
    t.like(saved, { type, version: 1, title: 'T', status: 'planned' });
    t.false('ownerId' in saved);
    t.like(saved.fields, { ...given, assigneeName: 'Ana', goalId: null });
    t.is(Object.keys(saved.fields).length, 27);
    const read = await world.owner.get('/item', { id: saved.id });
    t.deepEqual(read.body, saved);
    const page = await world.owner.get('/items', { type, after: saved.id - 1, limit: 1 });
    t.deepEqual(page.body.items, [saved]);
  });

  test(`each field of a ${type} changes alone or with one of another kind, and all others stay`, async (t) => {
    const given = Object.entries(values()).filter(([name]) => everywhere.includes(name) || own[type].includes(name));
    let known = await world.owner.save(draftOf(type));
    const save = async (change: { fields: Record<string, unknown>; title?: string }) => {
      const { id, version, title, description, status, fields } = known;
      const expected = { ...known, ...change, version: version + 1, fields: { ...fields, ...change.fields } };
      known = await world.owner.save({ id, version, type, title, description, status, ...change });
      if ('assigneeId' in change.fields) expected.fields.assigneeName = 'Ana';
      t.deepEqual(known, expected);
    };
    for (const [name, value] of given.filter(([one]) => one !== 'statusKey')) await save({ fields: { [name]: value } });
    await save({ fields: { estimatedHours: 2 }, title: 'Two' });
    await save({ fields: { progressPercent: 20, startDate: '2026-01-06' } });
    await save({ fields: {}, title: 'Three' });
  });

  test(`a ${type} refuses a value in a field of other types, and accepts null there`, async (t) => {
    const foreign = Object.entries(values()).filter(([name]) => !everywhere.includes(name) && !own[type].includes(name));
    t.true(foreign.length > 0);
    for (const [name, value] of foreign) {
      const answer = await world.owner.post('/items/save', { record: draftOf(type, { [name]: value }) });
      t.is(answer.status, 400, name);
      t.regex(answer.body.error, new RegExp(`^record\\.fields\\.${name}: `));
    }
    await world.owner.save(draftOf(type, Object.fromEntries(foreign.map(([name]) => [name, null]))));
  });
}

test('an amount within its bounds is stored exactly, and refused by name beyond them', async (t) => {
  const tiny = [-1e-6, 9e-7, -5e-324];
  const bounds: [ItemType, string, number[], number[]][] = [
    ['task', 'estimatedHours', [0, 1e-6, 0.1, 1_000_000], [...tiny, -1, 1_000_000.5, 1e308]],
    ['task', 'progressPercent', [0, 1e-6, 33.3, 100], [...tiny, -0.1, 100.1]],
    ['requirement', 'confidence', [0, 1e-6, 100], [...tiny, -1, 101]],
    ...['reach', 'impact', 'effort'].map((name): (typeof bounds)[number] => [
      'requirement',
      name,
      [0, 1e-6, 1e12],
      [...tiny, -1, 1e13, 1e308],
    ]),
    ...['target', 'current'].map((name): (typeof bounds)[number] => [
      'goal',
      name,
      [-1e12, -1e-6, 0, 1e12],
      [...tiny.slice(1), -1e13, 1e308],
    ]),
  ];
  for (const [type, name, good, bad] of bounds) {
    for (const value of good) t.is((await world.owner.save(draftOf(type, { [name]: value }))).fields[name], value);
    for (const value of bad) {
      const answer = await world.owner.post('/items/save', { record: draftOf(type, { [name]: value }) });
      t.is(answer.status, 400);
      t.regex(answer.body.error, new RegExp(`${name}: `));
    }
  }
});

test('dates are valid calendar days', async (t) => {
  for (const day of ['0001-01-01', '2024-02-29', '9999-12-31']) {
    t.is((await world.owner.save(draftOf('task', { dueDate: day }))).fields.dueDate, day);
  }
  for (const day of [
    '2026-02-29',
    '2026-04-31',
    '2026-13-01',
    '2026-00-10',
    '0000-01-01',
    '10000-01-01',
    '2026-1-1',
    '20260101',
    ' 2026-01-01',
  ]) {
    const answer = await world.owner.post('/items/save', { record: draftOf('task', { dueDate: day }) });
    t.is(answer.status, 400, day);
    t.regex(answer.body.error, /dueDate: /);
  }
});

test('a start is not after the due date or the target date, also with stored dates', async (t) => {
  for (const end of ['dueDate', 'targetDate']) {
    const pair = (startDate: string | null, day: string | null) => ({ startDate, [end]: day });
    const saved = await world.owner.save(draftOf('milestone', pair('2026-05-01', '2026-05-01')));
    const update = { ...draftOf('milestone'), id: saved.id, version: 1 };
    for (const fields of [pair('2026-05-02', '2026-05-01'), { startDate: '2026-05-02' }, { [end]: '2026-04-30' }]) {
      const answer = await world.owner.post('/items/save', { record: { ...update, fields } });
      t.is(answer.status, 400);
      t.regex(answer.body.error, /startDate/);
    }
    t.is((await world.owner.save({ ...update, fields: { startDate: '2026-06-01', [end]: null } })).version, 2);
  }
});

test('texts have maximum lengths, counted in code points', async (t) => {
  const title = '😀'.repeat(300);
  const saved = await world.owner.save(draftOf('task', { acceptance: 'é'.repeat(50_000) }, { title, description: '😀'.repeat(50_000) }));
  t.is(saved.title, title);
  t.is([...saved.description].length, 50_000);
  t.is((await world.owner.save(draftOf('release', { versionLabel: '😀'.repeat(2_000) }))).fields.versionLabel.length, 4_000);
});

test('texts are returned as sent', async (t) => {
  const title = ' <b>"It\'s" \\ % _ $$ </b> \u200b\ufeff ';
  const description = '\r\n\t\u0001\u0085\u202e\u2028é e\u0301 \u{10ffff} null {"a":1}';
  t.like(await world.owner.save(draftOf('task', {}, { title, description })), { title, description });
});

test('the name of an assignee is read-only', async (t) => {
  const { userId } = await world.join('member');
  const saved = await world.owner.save(draftOf('task', { assigneeId: world.ownerId, assigneeName: null }));
  const update = (fields: object) => ({ ...draftOf('task', fields), id: saved.id, version: saved.version });
  t.deepEqual(await world.owner.save(update({ assigneeName: 'Ana' })), saved);
  t.deepEqual(await world.owner.save(update({ assigneeName: null })), saved);
  for (const fields of [{ assigneeName: 'Bob' }, { assigneeName: '' }, { assigneeId: userId, assigneeName: 'Bob' }]) {
    const answer = await world.owner.post('/items/save', { record: update(fields) });
    t.is(answer.status, 400);
    t.regex(answer.body.error, /assigneeName: /);
  }
});

test('assignees and owners are active members who may write tasks; an existing one may stay', async (t) => {
  const { fixtures, accountId, workspaceId, join, owner } = world;
  const [viewer, barred, member] = [await join('viewer'), await join('member', { tasks: 'read' }), await join('member')];
  const inactive = await fixtures.user(accountId, 'Gone', false);
  await fixtures.member(workspaceId, inactive);
  const outsider = await fixtures.user(accountId);
  for (const userId of [viewer.userId, barred.userId, inactive, outsider, 999_999]) {
    const asAssignee = await owner.post('/items/save', { record: draftOf('task', { assigneeId: userId }) });
    t.is(asAssignee.status, 400);
    t.regex(asAssignee.body.error, /^record\.fields\.assigneeId: /);
    const asOwner = await owner.post('/items/save', { record: draftOf('task', {}, { ownerId: userId }) });
    t.is(asOwner.status, 400);
    t.regex(asOwner.body.error, /^record\.ownerId: /);
  }
  const saved = await owner.save(draftOf('task', { assigneeId: member.userId }, { ownerId: member.userId }));
  await fixtures.sql('update users set active = false where id = $1', [member.userId]);
  const kept = { ...draftOf('task', { assigneeId: member.userId, estimatedHours: 1 }), id: saved.id, version: 1, ownerId: member.userId };
  t.like(await owner.save(kept), { version: 2, ownerId: member.userId });
});
