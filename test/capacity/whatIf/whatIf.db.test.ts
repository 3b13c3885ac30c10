/** What-if forecasts and the parts of a week, against the database as the pages read them. */
import { applyWhatIf, explainWeek } from '../../../src/capacity/whatIf/applyWhatIf.ts';
import { tryForm, tryWhatIf } from '../../../src/capacity/whatIf/whatIf.ts';
import { saveItem } from '../../../src/items/saveItem.ts';
import { addDays, mondayOf } from '../../../src/values/dates.ts';
import { Forbidden, InvalidRequest } from '../../../src/values/errors.ts';
import { suite } from '../../support/suite.ts';
import { type Any, act, ownWorld, type Place, place, world } from '../snapshots/place.ts';

const test = suite(import.meta.url);
ownWorld();

const today = () => new Date().toISOString().slice(0, 10);
const plain = (view: Any) => JSON.parse(JSON.stringify({ ...view, tasks: [...view.tasks] }));

async function save({ owner, workspaceId }: Place, type: string, title: string, fields: object): Promise<number> {
  const saved = await act(owner, saveItem, { workspaceId, record: { type, title, description: '', status: 'planned', fields } });
  return saved.item?.id ?? saved.id;
}

test('what-if gives the forecast that saving would give, and stores nothing', async (t) => {
  const here = await place();
  const { owner, userId, workspaceId } = here;
  await world.rows('update users set weekly_minutes = 1200 where id = $1', [userId]);
  const releaseId = await save(here, 'release', 'One', { targetDate: addDays(today(), 20) });
  const first = await save(here, 'task', 'First', { releaseId, assigneeId: userId, estimatedHours: 40 });
  const second = await save(here, 'task', 'Second', { releaseId, assigneeId: userId, estimatedHours: 30, dueDate: addDays(today(), 9) });
  const due = addDays(today(), 15);
  const change = { estimatedHours: 12, dueDate: due, progressPercent: 25 };
  const before = await world.rows(
    'select version, fields_of.* from items, lateral (select estimated_hours, due_date) fields_of where id = any($1) order by id',
    [[first, second]],
  );

  const tried = await act(owner, tryWhatIf, { workspaceId, tasks: [{ id: first, ...change }], people: [] });
  t.not(tried.after.projects[0].forecastDate, tried.before.projects[0].forecastDate);
  t.is(tried.after.projects[0].remainingHours, 39);
  t.deepEqual(
    tried.tasks.filter(({ id }: Any) => id >= first).map(({ id, projectId }: Any) => [id, projectId]),
    [
      [first, releaseId],
      [second, releaseId],
    ],
  );
  t.true(tried.mayWrite);
  t.deepEqual(
    await world.rows(
      'select version, fields_of.* from items, lateral (select estimated_hours, due_date) fields_of where id = any($1) order by id',
      [[first, second]],
    ),
    before,
  );
  t.deepEqual(await world.rows('select count(*)::integer as n from capacity_snapshots', []), [{ n: 0 }]);

  await world.rows('update items set estimated_hours = 12, due_date = $2, progress_percent = 25 where id = $1', [first, due]);
  const now = await act(owner, tryWhatIf, { workspaceId, tasks: [], people: [] });
  t.deepEqual(plain(now.before), plain(tried.after));
  t.deepEqual(plain(now.after), plain(now.before));
});

test("what-if can change a person's hours, the assignee and the start", async (t) => {
  const here = await place();
  const { owner, userId, workspaceId } = here;
  await world.rows('update users set weekly_minutes = 2400 where id = $1', [userId]);
  const releaseId = await save(here, 'release', 'One', { targetDate: '2099-01-01' });
  const id = await save(here, 'task', 'Long', { releaseId, assigneeId: userId, estimatedHours: 80 });
  const dates = async (given: object) => {
    const { before, after } = await act(owner, tryWhatIf, { workspaceId, tasks: [], people: [], ...given });
    return [before.projects[0].forecastDate, after.projects[0].forecastDate];
  };
  const [now, slower] = await dates({ people: [{ id: userId, weeklyHours: 10 }] });
  t.true(slower > now);
  const start = addDays(now, 30);
  const [, later] = await dates({ tasks: [{ id, startDate: start }] });
  t.true(later > start);
  const { after } = await act(owner, tryWhatIf, { workspaceId, tasks: [{ id, assigneeId: null }], people: [] });
  t.like(after.projects[0], { outlook: 'needs_data', forecastDate: null });
});

const unchanged = { tasks: [], people: [], away: [], blockers: [] };

test('of a form with every field, what-if applies only changed fields and ignores deleted items', async (t) => {
  const here = await place();
  const { owner, userId, workspaceId } = here;
  await world.rows('update users set weekly_minutes = 2230 where id = $1', [userId]);
  const due = addDays(today(), 9);
  const id = await save(here, 'task', 'Mine', { assigneeId: userId, estimatedHours: 4, dueDate: due });
  const asItIs = { id, estimatedHours: 4, assigneeId: userId, progressPercent: null, startDate: null, dueDate: due };
  const gone = { id: 999_999_999, estimatedHours: 1 };
  const people = [{ id: userId, weeklyHours: 37.17 }];
  const tried = async (task: object, hours = people) =>
    (await act(owner, tryForm, { workspaceId, tasks: [task, gone], people: hours })).changes;
  t.deepEqual(await tried(asItIs), { ...unchanged });
  t.deepEqual(await tried({ ...asItIs, estimatedHours: 5, dueDate: null }), {
    ...unchanged,
    tasks: [{ id, estimatedHours: 5, dueDate: null }],
  });
  t.deepEqual(await tried(asItIs, [{ id: userId, weeklyHours: 12 }]), { ...unchanged, people: [{ id: userId, weeklyHours: 12 }] });
  for (const wrong of [{ estimatedHours: Number.NaN }, { dueDate: 'soon' }, { progressPercent: 101 }]) {
    const refused = await t.throwsAsync(tried({ ...asItIs, ...wrong }), { instanceOf: InvalidRequest });
    t.deepEqual(refused!.faults[0].path, ['tasks', 0, Object.keys(wrong)[0]!]);
  }
});

const leavers = {
  deactivated: 'update users set active = false where id = $1',
  left: 'delete from memberships where user_id = $1',
} as const;

for (const [left, leave] of Object.entries(leavers)) {
  test(`an assignee who is ${left} is kept: a form with every field changes only what the user changed, in what-if and when saved`, async (t) => {
    const here = await place();
    const { owner, colleagueId, workspaceId } = here;
    const id = await save(here, 'task', 'Theirs', { assigneeId: colleagueId, estimatedHours: 4 });
    await world.rows(leave, [colleagueId]);
    const form = { id, estimatedHours: 4, assigneeId: colleagueId, progressPercent: null, startDate: null, dueDate: null };
    const tried = async (task: object) => act(owner, tryForm, { workspaceId, tasks: [{ ...form, ...task }], people: [] });
    const { changes, tasks, assignable } = await tried({});
    t.deepEqual(changes.tasks, []);
    t.deepEqual(tasks.find((task: Any) => task.id === id).kept, { id: colleagueId, name: 'Bo', left });
    t.false(assignable.some((person: Any) => person.id === colleagueId));
    t.deepEqual((await tried({ estimatedHours: 5 })).changes.tasks, [{ id, estimatedHours: 5 }]);
    await act(owner, applyWhatIf, { workspaceId, tasks: [{ id, version: 1, estimatedHours: 5 }], people: [] });
    t.deepEqual(await world.rows('select assignee_id, estimated_hours from items where id = $1', [id]), [
      { assignee_id: colleagueId, estimated_hours: 5 },
    ]);
  });
}

test('an assignee who may no longer be assigned is kept, too', async (t) => {
  const here = await place();
  const { owner, colleagueId, workspaceId } = here;
  const id = await save(here, 'task', 'Theirs', { assigneeId: colleagueId });
  await world.rows(`update memberships set role = 'viewer' where user_id = $1`, [colleagueId]);
  const { tasks } = await act(owner, tryForm, { workspaceId, tasks: [{ id, assigneeId: colleagueId }], people: [] });
  t.deepEqual(tasks.find((task: Any) => task.id === id).kept, { id: colleagueId, name: 'Bo', left: null });
});

test('an item outside the scope is refused like one that does not exist', async (t) => {
  const here = await place();
  const { owner, otherId, workspaceId, userId } = here;
  const elsewhere = await save({ ...here, workspaceId: otherId }, 'task', 'Elsewhere', { assigneeId: userId });
  const done = await save(here, 'task', 'Done', {});
  await world.rows(`update items set status = 'done', status_key = 'done', completed_at = now() where id = $1`, [done]);
  const refusal = async (id: number) =>
    (await t.throwsAsync(act(owner, tryWhatIf, { workspaceId, tasks: [{ id, estimatedHours: 1 }], people: [] }), {
      instanceOf: InvalidRequest,
    }))!.message;
  t.is(await refusal(elsewhere), await refusal(999_999_999));
  t.is(await refusal(done), await refusal(999_999_999));
  const mine = await save(here, 'task', 'Mine', {});
  await t.throwsAsync(act(owner, tryWhatIf, { workspaceId, tasks: [{ id: mine, assigneeId: 999_999_999 }], people: [] }), {
    instanceOf: InvalidRequest,
  });
});

test('only users who oversee a workspace can use what-if or open a week', async (t) => {
  const here = await place();
  const { owner, userId, workspaceId } = here;
  await world.rows(`update memberships set role = 'member' where user_id = $1 and workspace_id = $2`, [userId, workspaceId]);
  await t.throwsAsync(act(owner, tryWhatIf, { workspaceId, tasks: [], people: [] }), { instanceOf: Forbidden });
  await t.throwsAsync(act(owner, explainWeek, { workspaceId, personId: userId, week: today() }), { instanceOf: Forbidden });
});

test('the parts of a week sum to its figures: tasks by share, recorded and planned time by item', async (t) => {
  const here = await place();
  const { owner, userId, workspaceId, otherId } = here;
  await world.rows('update users set weekly_minutes = 2400 where id = $1', [userId]);
  const week = addDays(mondayOf(today()), 7);
  const big = await save(here, 'task', 'Big', { assigneeId: userId, estimatedHours: 20, startDate: week, dueDate: addDays(week, 8) });
  const small = await save(here, 'task', 'Small', { assigneeId: userId, estimatedHours: 6, startDate: week, dueDate: addDays(week, 4) });
  await save(here, 'task', 'Without a date', { assigneeId: userId, estimatedHours: 400 });
  await save({ ...here, workspaceId: otherId }, 'task', 'Elsewhere', {
    assigneeId: userId,
    estimatedHours: 20,
    startDate: week,
    dueDate: addDays(week, 4),
  });
  await world.rows(
    `insert into time_entries (account_id, workspace_id, user_id, item_id, kind, day, minutes, note) select account_id, workspace_id, $2, id, 'manual', $3, 90, '' from items where id = $1`,
    [small, userId, addDays(week, 1)],
  );
  const told = await act(owner, explainWeek, { workspaceId, personId: userId, week: addDays(week, 3) });
  t.is(told.week.week, week);
  t.is(
    told.tasks.reduce((sum: number, { minutes }: Any) => sum + minutes, 0),
    Math.round(told.week.allocatedHours * 60),
  );
  t.is(told.tasks.find(({ id }: Any) => id === big).minutes, Math.floor((1200 * 5) / 7));
  t.is(told.tasks.find(({ id }: Any) => id === small).minutes, 360 - 90);
  t.false(told.tasks.some(({ title }: Any) => title === 'Elsewhere'));
  t.deepEqual(told.recorded, [{ item: { id: small, workspaceId, title: 'Small' }, minutes: 90 }]);
  t.deepEqual(told.planned, []);
  const all = await act(owner, explainWeek, { workspaceId: 0, personId: userId, week });
  t.true(all.tasks.some(({ title }: Any) => title === 'Elsewhere'));
});

test('what-if tries an absence, and adding and removing blockers; nothing is stored', async (t) => {
  const here = await place();
  const { owner, userId, workspaceId } = here;
  await world.rows('update users set weekly_minutes = 2400 where id = $1', [userId]);
  const releaseId = await save(here, 'release', 'One', { targetDate: addDays(today(), 60) });
  const task = (title: string) => save(here, 'task', title, { releaseId, assigneeId: userId, estimatedHours: 8 });
  const [first, second] = [await task('First'), await task('Second')];
  const tried = async (over: object) => act(owner, tryWhatIf, { workspaceId, tasks: [], people: [], ...over });
  const monday = addDays(mondayOf(today()), 7);

  const ill = await tried({ away: [{ id: userId, from: today(), to: addDays(monday, 6) }] });
  t.true(ill.before.tasks.get(second) < monday || ill.before.tasks.get(second) <= addDays(monday, 1));
  t.is(ill.after.tasks.get(second), addDays(monday, 8), 'the second task finishes on the second day back');
  t.is(ill.after.people.find(({ id }: Any) => id === userId).weeks[1].availableHours, 0);

  const waits = await tried({ blockers: [{ id: first, blockedBy: [second] }] });
  t.true(waits.after.tasks.get(second) < waits.after.tasks.get(first));
  await world.rows('insert into item_dependencies (account_id, workspace_id, item_id, blocker_id, lag_days) values ($1, $2, $3, $4, 2)', [
    here.accountId,
    workspaceId,
    first,
    second,
  ]);
  const stored = await tried({});
  t.true(stored.before.tasks.get(first) > waits.after.tasks.get(first), 'the stored lag counts');
  const free = await tried({ blockers: [{ id: first, blockedBy: [] }] });
  t.is(free.after.tasks.get(first), waits.before.tasks.get(first));
  const cycle = await tried({ blockers: [{ id: second, blockedBy: [first] }] });
  t.is(cycle.after.projects[0].outlook, 'needs_data');
  t.is(await world.value('select count(*)::int from absences where user_id = $1', [userId]), 0);

  for (const blockedBy of [[first], [999_999_999]])
    await t.throwsAsync(tried({ blockers: [{ id: first, blockedBy }] }), { instanceOf: InvalidRequest });
  await t.throwsAsync(tried({ away: [{ id: userId, from: '2026-03-02', to: '2026-03-01' }] }), { instanceOf: InvalidRequest });
});

test('a blocker without an estimate leaves the project without a date in the stored forecast, too', async (t) => {
  const here = await place();
  const { owner, userId, workspaceId } = here;
  const releaseId = await save(here, 'release', 'One', { targetDate: addDays(today(), 60) });
  const blocker = await save(here, 'task', 'Unknown', { assigneeId: userId });
  const waiting = await save(here, 'task', 'Waits', { releaseId, assigneeId: userId, estimatedHours: 8 });
  await world.rows('insert into item_dependencies (account_id, workspace_id, item_id, blocker_id) values ($1, $2, $3, $4)', [
    here.accountId,
    workspaceId,
    waiting,
    blocker,
  ]);
  const outlook = async () => (await act(owner, tryWhatIf, { workspaceId, tasks: [], people: [] })).before.projects[0];
  t.like(await outlook(), {
    outlook: 'needs_data',
    forecastDate: null,
    explained: { missing: { waiting: { tasks: 1, blockers: [blocker] } } },
  });
  await world.rows(`update items set archived_at = now() where id = $1`, [blocker]);
  t.not((await outlook()).forecastDate, null, 'an archived blocker no longer blocks');
});

/** Without the triggers of items, which take long for so many. */
const fast = `with fast as materialized (select set_config('session_replication_role', 'replica', true))`;
const addRequirements = `
  ${fast} insert into items (account_id, workspace_id, type, title, status, status_key, priority_key)
  select $1, $2, 'requirement', 'R' || n, 'planned', 'planned', 'normal' from fast, generate_series(1, 6000) n`;

test('containers without tasks do not count in what-if, but can be tried as blockers; too many with tasks are refused', async (t) => {
  const here = await place();
  const { owner, userId, accountId, workspaceId } = here;
  const releaseId = await save(here, 'release', 'One', {});
  const id = await save(here, 'task', 'Mine', { releaseId, assigneeId: userId, estimatedHours: 4 });
  await world.rows(addRequirements, [accountId, workspaceId]);
  const tried = (over = {}) => act(owner, tryWhatIf, { workspaceId, tasks: [], people: [], ...over });
  t.deepEqual(
    (await tried()).before.projects.map((project: Any) => project.id),
    [releaseId],
  );
  const blocker = await world.value('select min(id)::integer from items where workspace_id = $1 and type = $2', [
    workspaceId,
    'requirement',
  ]);
  t.is((await tried({ blockers: [{ id, blockedBy: [blocker] }] })).after.tasks.get(id), null, 'a blocker without tasks has no date');

  await world.rows(
    `${fast} insert into items (account_id, workspace_id, type, title, status, status_key, priority_key)
    select $1, $2, 'release', 'V' || n, 'planned', 'planned', 'normal' from fast, generate_series(1, 2600) n`,
    [accountId, workspaceId],
  );
  await world.rows(
    `${fast}, links as (select type, id, row_number() over (partition by type order by id) as n from items where workspace_id = $2 and type <> 'task')
    insert into items (account_id, workspace_id, type, title, status, status_key, priority_key, requirement_id, release_id)
    select $1, $2, 'task', 'T' || r.n, 'planned', 'planned', 'normal', r.id, v.id
    from fast, links r join links v on v.n = r.n where r.type = 'requirement' and v.type = 'release'`,
    [accountId, workspaceId],
  );
  const refused = await t.throwsAsync(tried(), { instanceOf: InvalidRequest });
  t.regex(refused!.message, /choose a smaller scope/);
});

test('a week names the 50 largest of its tasks and counts all', async (t) => {
  const here = await place();
  const { owner, userId, accountId, workspaceId } = here;
  await world.rows('update users set weekly_minutes = 2400 where id = $1', [userId]);
  const week = addDays(mondayOf(today()), 7);
  await world.rows(
    `insert into items (account_id, workspace_id, type, title, status, status_key, priority_key, assignee_id, estimated_hours, start_date, due_date)
    select $1, $2, 'task', 'T' || n, 'planned', 'planned', 'normal', $3, n, $4::date, $4::date + 4 from generate_series(1, 60) n`,
    [accountId, workspaceId, userId, week],
  );
  const { tasks, taskCount } = await act(owner, explainWeek, { workspaceId, personId: userId, week });
  t.is(taskCount, 60);
  t.deepEqual(
    tasks.map(({ title }: Any) => title),
    Array.from({ length: 50 }, (_, n) => `T${60 - n}`),
  );
});
