/** Which people, agents and keys can read other people's time and earlier texts of comments after a move (behaviour §42.7). */
import { explainWeek } from '../../src/capacity/whatIf/applyWhatIf.ts';
import { listChanges } from '../../src/changes/listChanges.ts';
import { readTimeSince } from '../../src/cli/timeQueries.ts';
import { addComment } from '../../src/comments/addComment.ts';
import { deleteComment, editComment } from '../../src/comments/ownComments.ts';
import { rowsOfWorkspace } from '../../src/erasure/rowQueries.ts';
import { exportAccount } from '../../src/import/exportAccount.ts';
import type { Reader } from '../../src/import/exportQueries.ts';
import { tables } from '../../src/import/zip/csvQueries.ts';
import { removeItem } from '../../src/items/archiveItems.ts';
import { moveItems, previewMove } from '../../src/moves/moveItems.ts';
import { getLeaving } from '../../src/overviews/leaving.ts';
import { myDay } from '../../src/overviews/myDay.ts';
import { myMonth } from '../../src/overviews/myMonth.ts';
import { myTimesheet } from '../../src/overviews/myTimesheet.ts';
import { myWeek } from '../../src/overviews/myWeek.ts';
import { showItem } from '../../src/overviews/openItem.ts';
import { searchEverywhere } from '../../src/overviews/searchEverywhere.ts';
import { getSignedIn } from '../../src/overviews/signedIn.ts';
import { dropMember } from '../../src/plans/leave.ts';
import { timeLines, timeReport } from '../../src/time/report.ts';
import { stopMembersTimer } from '../../src/time/timer.ts';
import { trackTime } from '../../src/time/trackTime.ts';
import { settled } from '../support/following.ts';
import { ask, call, connect, hold, openToAgents } from '../support/mcpWorld.ts';
import { refusal } from '../support/operationWorld.ts';
import { clientOf } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';
import { type Any, movesWorld } from './movesWorld.ts';

const test = suite(import.meta.url);

const moves = movesWorld();
const { sql, act, session } = moves;

const DAY = new Date().toISOString().slice(0, 10);
const span = { from: DAY, to: DAY };

/** Two workspaces `source` and `target`, and people who are members of one or both. Members don't oversee time. */
async function twoPlaces() {
  const { fixtures, accountId } = moves.world;
  const [source, target] = [await fixtures.workspace(accountId, 'Source'), await fixtures.workspace(accountId, 'Target')];
  const person = async (there: string | null, here: string | null) => {
    const id = await fixtures.user(accountId);
    if (there) await fixtures.member(source, id, there);
    if (here) await fixtures.member(target, id, here);
    return id;
  };
  const people = {
    /** Recorded 45 minutes, and can't see the target. */
    left: await person('member', null),
    /** Recorded 30 minutes. */
    both: await person('member', 'member'),
    /** Moves the item to where they are an owner. */
    mover: await person('member', 'owner'),
    ownerOfBoth: await person('owner', 'owner'),
    ownerOfSource: await person('owner', 'member'),
    ownerOfTarget: await person(null, 'owner'),
    viewer: await person('viewer', 'viewer'),
  };
  const [{ id: taken }] = await sql(
    `insert into items (account_id, workspace_id, type, title, status, status_key) values ($1, $2, 'task', 'Moves', 'planned', 'planned') returning id`,
    [accountId, source],
  );
  return { source, target, people, itemId: Number(taken) };
}
type Places = Awaited<ReturnType<typeof twoPlaces>>;

const log = (userId: number, itemId: number, minutes: number) =>
  act(userId, trackTime, { action: 'log', itemId, minutes, date: DAY, note: '' });

async function move(userId: number, workspaceId: number, targetId: number, ids: number[]) {
  const { seen } = await act(userId, previewMove, { workspaceId, ids, targetId, below: true });
  return act(userId, moveItems, { workspaceId, ids, targetId, below: true, seen });
}

const sum = (rows: readonly { minutes: number }[]) => rows.reduce((all, { minutes }) => all + minutes, 0);

/** Null where the answer is a refusal. */
const orNull = (work: Promise<number>): Promise<number | null> =>
  work.catch((error) => (error.code === 'forbidden' ? null : Promise.reject(error)));

type Reading = (places: Places, userId: number) => Promise<number | null>;

async function textOf(pieces: AsyncIterable<string | Buffer>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += String(piece);
  return text;
}

async function readerOf({ source, target }: Places, userId: number): Promise<Reader> {
  const rows = await sql(
    `select workspace_id::integer as id from memberships where user_id = $1 and workspace_id = any($2) and rights & (1 << 26) <> 0`,
    [userId, [source, target]],
  );
  return { userId, overseen: rows.map(({ id }) => id) };
}

async function exported({ target }: Places, reader: Reader | undefined): Promise<Any[]> {
  const text = await moves.db.transaction((tx) =>
    textOf(exportAccount(tx, { accountId: moves.world.accountId, workspaceId: target, ...(reader && { reader }) })),
  );
  return JSON.parse(text).accounts[0].workspaces[0].timeEntries;
}

const explained = async ({ people: { left, both } }: Places, caller: number, workspaceId: number) => {
  let minutes = 0;
  for (const personId of [left, both]) {
    const answer = await act(caller, explainWeek, { workspaceId, personId, week: DAY }).catch((error) =>
      error.code === 'forbidden' ? null : Promise.reject(error),
    );
    if (answer) minutes += sum(answer.recorded) + Math.round(answer.week.recordedHours * 60);
  }
  return minutes;
};

/** Minutes of other people that each reader shows in the target, after the move. */
const readings: Record<string, Reading> = {
  'item page': async ({ target, itemId }, userId) => (await act(userId, showItem, { workspaceId: target, id: itemId })).time.all,
  'report by person': ({ target }, userId) =>
    orNull(act(userId, timeReport, { workspaceId: target, ...span, by: 'person' }).then(({ groups }) => sum(groups))),
  'report total': ({ target }, userId) =>
    orNull(act(userId, timeReport, { workspaceId: target, ...span, by: 'item' }).then(({ total }) => total)),
  csv: ({ target }, userId) => act(userId, timeLines, { workspaceId: target, ...span }).then(sum),
  'capacity of a week': (places, userId) => explained(places, userId, places.target),
  'export, JSON': async (places, userId) => sum(await exported(places, await readerOf(places, userId))),
  'export, CSV': async (places, userId) => {
    const table = tables.find(({ name }) => name === 'time')!;
    const rows = await table.read(moves.db.pool(), places.target, { item: 0, id: 0 }, await readerOf(places, userId));
    return rows.map(({ entry }) => JSON.parse(entry)).reduce((all, cells) => all + cells[6], 0);
  },
};

const NO_ONE_ELSE = { null: null, zero: 0 };

test('other people’s time is read in the target by those alone who oversee the workspace in which it was recorded', async (t) => {
  const places = await twoPlaces();
  const { source, target, people, itemId } = places;
  await log(people.left, itemId, 45);
  await log(people.both, itemId, 30);
  await move(people.mover, source, target, [itemId]);
  for (const [name, read] of Object.entries(readings)) {
    for (const who of ['mover', 'ownerOfTarget', 'viewer'] as const)
      t.true(Object.values(NO_ONE_ELSE).includes(await read(places, people[who])), `${name}: ${who}`);
  }
  // Later time is the target's.
  await log(people.both, itemId, 7);
  for (const [name, read] of Object.entries(readings))
    for (const who of ['mover', 'ownerOfTarget'] as const)
      t.is(await read(places, people[who]), name === 'capacity of a week' ? 14 : 7, `${name}: ${who}, of later time`);
  const all = async (name: string) => readings[name]!(places, people.ownerOfBoth);
  t.is(await all('item page'), 82);
  t.is(await all('export, JSON'), 82);
  t.is(await all('export, CSV'), 82);
  t.is((await act(people.ownerOfBoth, showItem, { workspaceId: target, id: itemId })).time.own, 0);
});

test('reports and capacity of the workspace that an item left still count its time, with its title for those who see it', async (t) => {
  const places = await twoPlaces();
  const { source, target, people, itemId } = places;
  await log(people.left, itemId, 45);
  const before = await act(people.ownerOfSource, timeReport, { workspaceId: source, ...span, by: 'item' });
  await move(people.mover, source, target, [itemId]);
  const after = (caller: number) => act(caller, timeReport, { workspaceId: source, ...span, by: 'item' });
  t.like((await after(people.ownerOfSource)).groups[0], { minutes: 45, label: 'Moves', workspaceId: target });
  t.is((await after(people.ownerOfSource)).total, before.total);
  await sql('delete from memberships where workspace_id = $1 and user_id = $2', [target, people.ownerOfSource]);
  t.deepEqual((await after(people.ownerOfSource)).groups, [{ label: null, itemId: null, workspaceId: null, minutes: 45 }]);
  t.is(await explained(places, people.ownerOfSource, source), 90);
  const { recorded } = await act(people.ownerOfSource, explainWeek, { workspaceId: source, personId: people.left, week: DAY });
  t.deepEqual(recorded, [{ item: null, minutes: 45 }], 'rights in the source do not show titles in the target');
  const refused = await refusal(after(people.mover));
  t.is(refused.code, 'forbidden');
});

/** The sum of days and of entries, which must be the same. */
function ofBoth({ days, entries }: { days: ReadonlyMap<string, number>; entries: { minutes: number }[] }): number {
  const [ofDays, ofEntries] = [[...days.values()].reduce((all, minutes) => all + minutes, 0), sum(entries)];
  if (ofDays !== ofEntries) throw new Error(`${ofDays} minutes of days, ${ofEntries} of entries`);
  return ofDays;
}

/** Minutes of their own that a person reads. */
const ownReadings: Record<string, (userId: number) => Promise<number>> = {
  report: (userId) => act(userId, timeReport, { workspaceId: 0, ...span, by: 'item' }).then(({ total }) => total),
  csv: (userId) => act(userId, timeLines, { workspaceId: 0, ...span }).then(sum),
  week: (userId) => act(userId, myWeek, { date: DAY, zone: 'UTC', itemId: null }).then(ofBoth),
  day: (userId) => act(userId, myDay, { day: DAY, zone: 'UTC' }).then(ofBoth),
  month: (userId) =>
    act(userId, myMonth, { date: DAY, zone: 'UTC' }).then(({ weeks }) =>
      weeks.flat().reduce((all: number, { recorded }: Any) => all + recorded, 0),
    ),
  timesheet: (userId) =>
    act(userId, myTimesheet, { date: DAY }).then(({ rows }) =>
      rows.reduce((all: number, { cells }: Any) => all + sum([...cells.values()]), 0),
    ),
  frame: async (userId) => (await act(await session(userId), getSignedIn, { showing: 0 })).frame.weekMinutes,
};

test('people read their own time wherever its item is, without the item if they can’t see it', async (t) => {
  const { source, target, people, itemId } = await twoPlaces();
  await log(people.left, itemId, 45);
  await log(people.both, itemId, 30);
  const { id: agentId, key } = await connect(moves.world.fixtures, people.left, { workspaces: [source] });
  t.truthy(agentId);
  await openToAgents(moves.world.fixtures, source);
  await openToAgents(moves.world.fixtures, target);
  await move(people.mover, source, target, [itemId]);
  for (const [name, read] of Object.entries(ownReadings)) {
    t.is(await read(people.left), 45, `${name}: the item is out of sight`);
    t.is(await read(people.both), 30, `${name}: the item is in sight`);
  }
  const agent = { url: moves.world.api.base.replace(/\/api\/v1$/, '/mcp'), key };
  const own = await ask(agent, 'svc_my_time', { period: 'day', date: DAY });
  t.is(own.totalMinutes, 45);
  t.deepEqual(
    own.entries.map((one: Any) => [one.workspaceId, one.itemId, one.itemTitle, one.minutes]),
    [[source, undefined, undefined, 45]],
  );
  // They correct it by the same rights.
  const [entryId] = own.entries.map(({ id }: Any) => id);
  const correct = { action: 'correct', entryId, reason: 'Wrong.' };
  t.like((await act(people.left, trackTime, { ...correct, revision: 1, minutes: 44 })).entry, { workspaceId: source, itemId: null });
  await act(people.left, trackTime, { ...correct, revision: 2, minutes: 45 });
  t.is((await refusal(act(people.both, trackTime, { ...correct, revision: 3, minutes: 40 }))).code, 'forbidden');
  const [shown] = (await act(people.both, myWeek, { date: DAY, zone: 'UTC', itemId: null })).entries;
  t.like(shown, { workspaceId: target, itemTitle: 'Moves' });
  // An agent that reaches neither of both reads nothing.
  const elsewhere = await connect(moves.world.fixtures, people.left, { workspaces: [moves.world.workspaceId] });
  t.like(await call({ ...agent, key: elsewhere.key }, 'svc_my_time', { period: 'day', date: DAY }), {
    isError: true,
    value: { error: { code: 'forbidden' } },
  });
  // Of the new workspace alone: for both of them, who left the source.
  await sql('delete from memberships where workspace_id = $1 and user_id = $2', [source, people.both]);
  for (const [name, read] of Object.entries(ownReadings)) t.is(await read(people.both), 30, `${name}: only the target`);
});

test('a workspace that is archived or erased hides others’ time that was recorded there for good; people keep their own', async (t) => {
  const places = await twoPlaces();
  const { source, target, people, itemId } = places;
  await log(people.both, itemId, 30);
  await move(people.mover, source, target, [itemId]);
  await sql('update workspaces set archived_at = now() where id = $1', [source]);
  const forOperator = async () =>
    (await readTimeSince(moves.db.pool(), { since: DAY, user: people.both })).map((row) => [row.workspaceId, row.minutes]);
  t.is(await readings['item page']!(places, people.ownerOfBoth), 0);
  t.is(await ownReadings.report!(people.both), 30);
  t.deepEqual(await forOperator(), [[source, 30]]);
  for (const step of rowsOfWorkspace(moves.world.accountId, source))
    for (let from: number | null = 0; from !== null; ) {
      const at: number = from;
      from = await moves.db.transaction((tx) => step(tx, at));
    }
  t.deepEqual(await sql('select from workspaces where id = $1', [source]), []);
  t.deepEqual(await forOperator(), [[target, 30]]);
  t.is(await readings['item page']!(places, people.ownerOfBoth), 0);
  t.is(await readings['report total']!(places, people.ownerOfBoth), 0);
  for (const [name, read] of Object.entries(ownReadings)) t.is(await read(people.both), 30, name);
  const [entry] = await exported(places, undefined);
  t.like(entry, { minutes: 30, writtenElsewhere: true });
});

test('moving on keeps where time was recorded; moving back restores everything', async (t) => {
  const places = await twoPlaces();
  const { source, target, people, itemId } = places;
  const third = await moves.world.fixtures.workspace(moves.world.accountId, 'Third');
  await moves.world.fixtures.member(third, people.ownerOfBoth, 'owner');
  await log(people.left, itemId, 45);
  const state = () =>
    sql(
      `select e.workspace_id::integer as at, e.written_in::integer as written, p.workspace_id::integer as counts, p.moved_to::integer as moved
       from time_entries e join time_parts p on p.entry_id = e.id where e.item_id = $1 order by e.id`,
      [itemId],
    );
  const before = await state();
  await move(people.ownerOfBoth, source, target, [itemId]);
  await log(people.both, itemId, 30);
  await move(people.ownerOfBoth, target, third, [itemId]);
  t.deepEqual(await state(), [
    { at: third, written: source, counts: source, moved: third },
    { at: third, written: target, counts: target, moved: third },
  ]);
  await move(people.ownerOfBoth, third, source, [itemId]);
  t.deepEqual(await state(), [...before, { at: source, written: target, counts: target, moved: source }]);
});

test('time corrected to another item counts where that item is; a correction marks both forecasts', async (t) => {
  const { source, target, people, itemId } = await twoPlaces();
  const { entry } = await log(people.both, itemId, 30);
  await move(people.mover, source, target, [itemId]);
  await sql('delete from capacity_marks');
  const corrected = { action: 'correct', entryId: entry.id, reason: 'Wrong.' };
  await act(people.both, trackTime, { ...corrected, revision: 1, minutes: 20 });
  const marks = await sql('select workspace_id::integer as id from capacity_marks order by 1');
  t.deepEqual(
    marks.map(({ id }) => id),
    [source, target],
  );
  t.deepEqual(await sql('select workspace_id::integer as id, minutes from time_parts where entry_id = $1', [entry.id]), [
    { id: source, minutes: 20 },
  ]);
  const [{ id: other }] = await sql(
    `insert into items (account_id, workspace_id, type, title, status, status_key) values ($1, $2, 'task', 'Other', 'planned', 'planned') returning id`,
    [moves.world.accountId, target],
  );
  await act(people.both, trackTime, { ...corrected, revision: 2, itemId: Number(other) });
  t.deepEqual(await sql('select workspace_id::integer as id, moved_to from time_parts where entry_id = $1', [entry.id]), [
    { id: target, moved_to: null },
  ]);
});

test('a preview counts people whose time the mover may read, and no others', async (t) => {
  const { source, target, people, itemId } = await twoPlaces();
  await log(people.left, itemId, 45);
  const preview = (userId: number) => act(userId, previewMove, { workspaceId: source, ids: [itemId], targetId: target, below: true });
  t.deepEqual((await preview(people.mover)).people, []);
  t.deepEqual((await preview(people.ownerOfBoth)).people, [
    '1 person recorded time on these items and can’t see them in Target. Their time still counts where it was recorded.',
  ]);
  t.is((await preview(people.ownerOfBoth)).refusals.length, 0);
});

test('a timer that runs on a moved item is seen and stopped by owners of the workspace in which it was started', async (t) => {
  const { source, target, people, itemId } = await twoPlaces();
  await act(people.both, trackTime, { action: 'start', itemId });
  await move(people.mover, source, target, [itemId]);
  const timers = async (userId: number) => (await act(userId, showItem, { workspaceId: target, id: itemId })).othersTimers.length;
  t.is(await timers(people.mover), 0);
  t.is(await timers(people.ownerOfTarget), 0);
  t.is(await timers(people.ownerOfBoth), 1);
  t.is(await timers(people.ownerOfSource), 1);
  const asked = { workspaceId: target, id: itemId, userId: people.both };
  const none = await refusal(act(await session(people.ownerOfTarget), stopMembersTimer, { ...asked, userId: people.mover }));
  const hidden = await refusal(act(await session(people.ownerOfTarget), stopMembersTimer, asked));
  t.deepEqual([hidden.code, hidden.message], [none.code, none.message]);
  t.is((await refusal(act(await session(people.viewer), stopMembersTimer, asked))).code, 'forbidden');
  const [{ version }] = await sql('select version from items where id = $1', [itemId]);
  const removal = (userId: number) => refusal(act(userId, removeItem, { id: itemId, version }));
  t.regex((await removal(people.ownerOfTarget)).message, /a timer of another person is running/);
  t.regex((await removal(people.ownerOfBoth)).message, /a timer of Person \d+ \(user \d+\) is running/);
  await act(await session(people.ownerOfSource), stopMembersTimer, asked);
  t.is(await timers(people.ownerOfBoth), 0);
});

test('before a removal, a timer that was started elsewhere is counted only for people with access there; the removal stops it', async (t) => {
  const { source, target, people, itemId } = await twoPlaces();
  await act(people.both, trackTime, { action: 'start', itemId });
  await move(people.mover, source, target, [itemId]);
  const asked = { workspaceId: target, userId: people.both };
  const timers = async (userId: number) => (await act(userId, getLeaving, asked)).timers;
  t.deepEqual([await timers(people.ownerOfTarget), await timers(people.ownerOfBoth)], [0, 1]);
  await act(people.ownerOfTarget, dropMember, asked);
  t.deepEqual(await sql('select id from time_entries where user_id = $1 and minutes is null', [people.both]), []);
});

test('callers do not wait for the writes of a person whose timer or membership they do not run', async (t) => {
  const { source, target, people, itemId } = await twoPlaces();
  await act(people.both, trackTime, { action: 'start', itemId });
  await move(people.mover, source, target, [itemId]);
  const outsider = await moves.world.fixtures.user(await moves.world.fixtures.account());
  const release = await hold(moves.url, `select from users where id in (${people.both}, ${outsider}) for no key update`);
  t.teardown(release);
  const owner = await session(people.ownerOfTarget);
  const asked = { workspaceId: target, id: itemId };
  t.is((await refusal(act(owner, stopMembersTimer, { ...asked, userId: people.both }))).code, 'conflict');
  t.is((await refusal(act(owner, stopMembersTimer, { ...asked, userId: outsider }))).code, 'conflict');
  t.is((await refusal(act(owner, dropMember, { workspaceId: target, userId: outsider }))).code, 'invalid_request');
});

test('time that a reader may not see is no part of the limit of the sums on an item', async (t) => {
  const { source, target, people, itemId } = await twoPlaces();
  await log(people.both, itemId, 30);
  await move(people.mover, source, target, [itemId]);
  await sql(`set stint.restoring = 'on'; insert into time_entries (account_id, workspace_id, user_id, item_id, kind, day, minutes, written_in)
    select ${moves.world.accountId}, ${target}, ${people.left}, ${itemId}, 'manual', '2026-03-02', 0, ${source} from generate_series(1, 5001);
    reset stint.restoring`);
  const time = async (userId: number) => (await act(userId, showItem, { workspaceId: target, id: itemId })).time;
  t.deepEqual(await time(people.both), { own: 30, all: null, more: false });
  t.deepEqual(await time(people.ownerOfTarget), { own: 0, all: 0, more: false });
  t.true((await time(people.ownerOfBoth)).more);
});

test('earlier texts of comments are read by owners of the workspace in which they were written, not by those of the target', async (t) => {
  const { source, target, people, itemId } = await twoPlaces();
  const write = async (userId: number, body: string) => (await act(userId, addComment, { workspaceId: source, id: itemId, body })).id;
  const edited = await write(people.both, 'Early edited');
  await sql(`update comments set original_body = 'Early original' where id = $1`, [edited]);
  const whole = await write(people.both, 'Rewritten only');
  await sql(`update comments set original_body = 'Shown original' where id = $1`, [whole]);
  const deleted = await write(people.both, 'Early deleted');
  await act(people.both, editComment, { workspaceId: source, id: edited, body: 'Late' });
  await act(people.both, deleteComment, { workspaceId: source, id: deleted });
  const textsOf = async (workspaceId: number, userId: number) => {
    const { commentTexts, notes } = await act(userId, showItem, { workspaceId, id: itemId });
    return [...Object.values(commentTexts ?? {}), ...(notes ?? []).flatMap((note: Any) => note.originalBody ?? [])].sort();
  };
  const all = ['Early deleted', 'Early edited', 'Early original', 'Shown original'];
  const own = { both: ['Shown original'], mover: ['Shown original'], ownerOfSource: all, ownerOfBoth: all };
  for (const [who, texts] of Object.entries(own))
    t.deepEqual(await textsOf(source, people[who as keyof typeof own]), texts, `before: ${who}`);
  await move(people.mover, source, target, [itemId]);
  for (const [who, texts] of Object.entries({ ...own, ownerOfTarget: ['Shown original'], viewer: ['Shown original'] }))
    t.deepEqual(await textsOf(target, people[who as keyof typeof people]), texts, `after: ${who}`);
  // A later edit hides the text from then on as in any workspace: owners of the target read it.
  await act(people.both, editComment, { workspaceId: target, id: whole, body: 'Late, too' });
  t.deepEqual(await textsOf(target, people.ownerOfTarget), ['Rewritten only', 'Shown original']);
  t.deepEqual(await textsOf(target, people.ownerOfSource), ['Early deleted', 'Early edited', 'Early original']);
  await move(people.ownerOfBoth, target, source, [itemId]);
  t.deepEqual(await textsOf(source, people.ownerOfSource), ['Early deleted', 'Early edited', 'Early original']);
  await sql('update workspaces set archived_at = now() where id = $1', [target]);
  t.deepEqual(await textsOf(source, people.ownerOfBoth), ['Early deleted', 'Early edited', 'Early original']);
});

test('keys, agents, search, feeds and exports have no earlier text, before and after a move', async (t) => {
  const { source, target, people, itemId } = await twoPlaces();
  const { id } = await act(people.both, addComment, { workspaceId: source, id: itemId, body: 'Early words' });
  await sql(`update comments set original_body = 'Early original' where id = $1`, [id]);
  await act(people.both, editComment, { workspaceId: source, id, body: 'Late words' });
  await move(people.ownerOfBoth, source, target, [itemId]);
  await settled(moves.db);
  const owner = people.ownerOfBoth;
  const client = clientOf(moves.world.api, await moves.world.fixtures.key(owner), target);
  await openToAgents(moves.world.fixtures, target);
  const { key } = await connect(moves.world.fixtures, owner, { workspaces: [target] });
  const agent = { url: moves.world.api.base.replace(/\/api\/v1$/, '/mcp'), key };
  const answers: Record<string, () => Promise<unknown>> = {
    '/item': () => client.get('/item', { id: itemId }).then(({ body }) => body),
    '/comments': () => client.get('/comments', { id: itemId }).then(({ body }) => body),
    '/changes': () => client.get('/changes').then(({ body }) => body),
    svc_get_item: () => ask(agent, 'svc_get_item', { id: itemId, history: true, includeOriginals: true }),
    svc_find_work: () => ask(agent, 'svc_find_work', { workspaceId: target, search: 'Early' }),
    search: () => act(owner, searchEverywhere, { q: 'Early' }),
    'export of the operator': () =>
      moves.db.transaction((tx) => textOf(exportAccount(tx, { accountId: moves.world.accountId, workspaceId: target }))),
    'CSV of an export': async () => {
      const reader = { userId: owner, overseen: [source, target] };
      return Promise.all(tables.map(({ read }) => read(moves.db.pool(), target, { item: 0, id: 0 }, reader)));
    },
  };
  for (const [name, answer] of Object.entries(answers)) {
    const text = JSON.stringify(await answer());
    t.false(text.includes('Early words') || text.includes('Early original'), name);
  }
  t.true(JSON.stringify(await answers['/comments']!()).includes('Late words'));
});

test('history in an export names nothing out of reach of the person, and has no row of a workspace that an item has left', async (t) => {
  const { source, target, people, itemId } = await twoPlaces();
  const newItem = async (type: string, title: string) => {
    const [{ id }] = await sql(
      `insert into items (account_id, workspace_id, type, title, status, status_key) values ($1, $2, $3, $4, 'planned', 'planned') returning id`,
      [moves.world.accountId, source, type, title],
    );
    return Number(id);
  };
  const [above, blocker, goal] = [await newItem('requirement', 'Above'), await newItem('task', 'Blocker'), await newItem('goal', 'Goal')];
  await sql('update items set requirement_id = $2, goal_id = $3 where id = $1', [itemId, above, goal]);
  await sql('insert into item_dependencies (account_id, workspace_id, item_id, blocker_id, lag_days) values ($1, $2, $3, $4, 0)', [
    moves.world.accountId,
    source,
    itemId,
    blocker,
  ]);
  await move(people.mover, source, target, [itemId]);
  await settled(moves.db);
  const history = tables.find(({ name }) => name === 'history')!;
  const fieldsFor = async (userId: number) => {
    const rows = await history.read(moves.db.pool(), target, { item: 0, id: 0 }, { userId, overseen: [] });
    return rows.map(({ entry }) => JSON.parse(JSON.parse(entry).at(-1)));
  };
  for (const userId of [people.ownerOfTarget, people.ownerOfBoth]) {
    const api = JSON.parse(String((await act(userId, listChanges, { workspaceId: target, itemId })).text));
    t.deepEqual(
      await fieldsFor(userId),
      api.changes.map(({ fields }: Any) => fields),
    );
  }
  const [row, ...more] = await fieldsFor(people.ownerOfTarget);
  const { workspaceId, requirementId, goalId, blockedBy } = row;
  t.deepEqual([workspaceId, requirementId, goalId, blockedBy, more], [[null, target], [null, null], [null, null], undefined, []]);
});

test('an export has no original of an edited comment', async (t) => {
  const { source, people, itemId } = await twoPlaces();
  const { id } = await act(people.both, addComment, { workspaceId: source, id: itemId, body: 'B' });
  await sql(`update comments set original_body = 'Early original' where id = $1`, [id]);
  const text = () => moves.db.transaction((tx) => textOf(exportAccount(tx, { accountId: moves.world.accountId, workspaceId: source })));
  t.true((await text()).includes('Early original'));
  await act(people.both, editComment, { workspaceId: source, id, body: 'C' });
  t.false((await text()).includes('Early original'));
});
