/** Forecasts calculated by hand, from the rows of a workspace to the answer (behaviour §6, §34). Ana works 40 hours a week. */
import type { Forecast } from '../../../src/capacity/forecast/schema.ts';
import { suite } from '../../support/suite.ts';
import { timeWorld } from '../../support/timeWorld.ts';
import { Office } from './anyDay.ts';

const test = suite(import.meta.url);
const world = timeWorld();

const TUESDAY = '2026-12-01';
const FRIDAY = '2026-12-04';

async function office(row: object = {}) {
  const made = await Office.open(world);
  return { made, ana: await made.person('Ana', { weekly_minutes: 2400, ...row }) };
}

const projectOf = ({ projects }: Forecast, id: number) => projects.find((one) => one.id === id)!;
const issuesOf = ({ projects }: Forecast, id: number) => projects.flatMap(({ work }) => work).find((one) => one.id === id)!.issues;

test("a sub-task belongs to its parent task's project, at any depth", async (t) => {
  const { made, ana } = await office();
  const release = await made.item('release', 'Moor', { target_date: '2026-12-18' });
  const work = { assignee_id: ana };
  const task = await made.item('task', 'Berth', { ...work, release_id: release, estimated_hours: 8 });
  const below = await made.item('task', 'Rope', { ...work, parent_item_id: task, estimated_hours: 80 });
  const forecast = await made.forecast(TUESDAY);
  t.like(projectOf(forecast, release), {
    ...{ scopeHours: 88, remainingHours: 88, forecastDate: '2026-12-15', bufferedDate: '2026-12-18', outlook: 'within_capacity' },
  });
  t.deepEqual(
    projectOf(forecast, release).work.map(({ id }) => id),
    [task, below],
  );
  const deeper = await made.item('task', 'Knot', { ...work, parent_item_id: below, estimated_hours: 8 });
  t.like(projectOf(await made.forecast(TUESDAY), release), { scopeHours: 96, forecastDate: '2026-12-16' });
  await world.rows('update items set parent_item_id = null where id = $1', [deeper]);
  t.like(projectOf(await made.forecast(TUESDAY), release), { scopeHours: 88 });
});

test('a sub-task with links of its own belongs to their project; below closed parents it stays, below archived ones it is hidden', async (t) => {
  const { made, ana } = await office();
  const [one, other] = [await made.item('release', 'One'), await made.item('release', 'Other')];
  const milestone = await made.item('milestone', 'Mark');
  const sub = (parent: number, more: object = {}) =>
    made.item('task', 'Sub', { assignee_id: ana, parent_item_id: parent, estimated_hours: 1, ...more });
  const moved = await sub(await made.item('task', 'Of one', { release_id: one }), { release_id: other });
  const ofMoved = await sub(moved);
  const ofCancelled = await sub(await made.item('task', 'Given up', { release_id: one, status: 'cancelled' }));
  const ofDone = await sub(await made.item('task', 'Done', { release_id: one, status: 'done' }), { status: 'done' });
  const ofMilestone = await sub(await made.item('task', 'Marked', { parent_item_id: milestone }));
  const archived = await made.item('task', 'Archived', { release_id: one });
  await sub(await sub(archived));
  await world.rows('update items set archived_at = now() where id = $1', [archived]);
  const forecast = await made.forecast(TUESDAY);
  const workOf = (id: number) => projectOf(forecast, id).work.map((task) => task.id);
  t.deepEqual(
    workOf(one).filter((id) => [moved, ofMoved, ofCancelled, ofDone].includes(id)),
    [ofCancelled, ofDone],
  );
  t.deepEqual(workOf(other), [moved, ofMoved]);
  t.true(workOf(milestone).includes(ofMilestone));
  t.is(workOf(one).length, 4);
});

test('the target of a release is the deadline of sub-tasks without a due date', async (t) => {
  const { made, ana } = await office();
  const release = await made.item('release', 'Moor', { target_date: '2026-12-11' });
  const task = await made.item('task', 'Berth', { release_id: release });
  const sub = await made.item('task', 'Rope', { assignee_id: ana, parent_item_id: task, estimated_hours: 80 });
  const { projects, people } = await made.forecast(TUESDAY);
  t.true(projects[0]!.work.find(({ id }) => id === sub)!.late);
  // 80 hours on nine working days: four in the first week.
  t.like(people[0]!.weeks[0], { allocatedHours: 35.55 });
});

test('recorded time lowers what is left of a task without progress', async (t) => {
  const { made, ana } = await office();
  const release = await made.item('release', 'Moor', { target_date: '2026-12-11' });
  const of = { release_id: release, assignee_id: ana };
  const one = await made.item('task', 'One', { ...of, estimated_hours: 20 });
  const other = await made.item('task', 'Other', { ...of, estimated_hours: 30 });
  const colleague = await made.person('Bo', { weekly_minutes: 2400 });
  await made.record(one, ana, '2026-12-02', 15 * 60);
  await made.record(one, colleague, '2026-12-03', 2 * 60);
  const forecast = await made.forecast(FRIDAY);
  t.like(projectOf(forecast, release), {
    remainingHours: 33,
    forecastDate: '2026-12-10',
    outlook: 'within_capacity',
    weightedProgress: 34,
  });
  t.like(forecast.people[0]!.weeks[0], { recordedHours: 15, allocatedHours: 5.5, overextended: false });
  await world.rows('update items set progress_percent = 0 where id = $1', [one]);
  t.like(projectOf(await made.forecast(FRIDAY), release), { remainingHours: 50 });
  await world.rows('update items set progress_percent = null where id = $1', [one]);
  await made.record(one, ana, '2026-12-03', 3 * 60);
  const used = await made.forecast(FRIDAY);
  t.like(projectOf(used, release), { remainingHours: 30, forecastDate: '2026-12-09' });
  t.deepEqual([issuesOf(used, one), issuesOf(used, other)], [['over_estimate'], []]);
});

/** A release with tasks of people, read by the dates that are checked. */
async function dates(made: Office, today: string, target: string, tasks: readonly (object | null)[]) {
  const release = await made.item('release', 'Moor', { target_date: target });
  for (const row of tasks) await made.item('task', 'Work', { release_id: release, ...row });
  const { forecastDate, bufferedDate, outlook } = projectOf(await made.forecast(today), release);
  return [forecastDate, bufferedDate, outlook];
}

test('changed hours: 20 a week become 30 in four days', async (t) => {
  const { made, ana } = await office({ weekly_minutes: 1200 });
  const row = { account_id: made.accountId, user_id: ana, starts_on: '2026-12-07', weekly_minutes: 1800, weekdays: 31 };
  await world.rows(
    'insert into working_hours (account_id, user_id, starts_on, weekly_minutes, weekdays) values ($1, $2, $3, $4, $5)',
    Object.values(row),
  );
  // 4 h a day until Friday: 12. From Monday 6 h a day: 24 by Thursday. With 50 h: 12, 30, and 8 by Tuesday.
  const task = { assignee_id: ana, estimated_hours: 36 };
  t.deepEqual(await dates(made, '2026-12-02', '2026-12-18', [task]), ['2026-12-10', '2026-12-14', 'within_capacity']);
});

test('a worker from Monday to Wednesday with 24 hours', async (t) => {
  const { made, ana } = await office({ weekly_minutes: 1440, weekdays: 7 });
  // 8 h on Tuesday, Wednesday, Monday, Tuesday. 40 h: also Wednesday.
  const task = { assignee_id: ana, estimated_hours: 32 };
  t.deepEqual(await dates(made, TUESDAY, '2026-12-09', [task]), ['2026-12-08', '2026-12-09', 'within_capacity']);
});

test('a person who begins in three weeks', async (t) => {
  const { made, ana } = await office({ weekly_minutes: 0 });
  await world.rows(
    `insert into working_hours (account_id, user_id, starts_on, weekly_minutes, weekdays) values ($1, $2, '2026-12-21', 2400, 31)`,
    [made.accountId, ana],
  );
  t.deepEqual(await dates(made, TUESDAY, '2026-12-23', [{ assignee_id: ana, estimated_hours: 16 }]), [
    '2026-12-22',
    '2026-12-23',
    'within_capacity',
  ]);
});

test('public holidays of Lisbon on 1 and 8 December', async (t) => {
  const { made, ana } = await office({ holiday_region: 'XX-LISBON' });
  await world.rows(
    `insert into holidays (region, day, half, name) values ('XX-LISBON', '2026-12-01', false, 'Restoration'), ('XX-LISBON', '2026-12-08', false, 'Conception')`,
  );
  // 8 h from Wednesday to Friday and on Monday; with 40 h also on Wednesday.
  const task = { assignee_id: ana, estimated_hours: 32 };
  t.deepEqual(await dates(made, TUESDAY, '2026-12-08', [task]), ['2026-12-07', '2026-12-09', 'at_risk']);
});

test('a deactivated assignee', async (t) => {
  const { made, ana } = await office();
  const gone = await made.person('Gone', { weekly_minutes: 2400, active: false });
  const release = await made.item('release', 'Moor', { target_date: '2026-12-18' });
  const left = await made.item('task', 'Left', { release_id: release, assignee_id: gone, estimated_hours: 8 });
  await made.item('task', 'Ours', { release_id: release, assignee_id: ana, estimated_hours: 8 });
  const forecast = await made.forecast(TUESDAY);
  t.like(projectOf(forecast, release), { forecastDate: null, outlook: 'needs_data', dataIncomplete: true, remainingHours: 16 });
  t.deepEqual(issuesOf(forecast, left), ['assignee_left']);
});

test('a task that is half done', async (t) => {
  const { made, ana } = await office();
  const task = { assignee_id: ana, estimated_hours: 32, progress_percent: 50 };
  t.deepEqual(await dates(made, TUESDAY, '2026-12-03', [task]), ['2026-12-02', '2026-12-03', 'within_capacity']);
});

test('two projects of one person: the earlier target goes first', async (t) => {
  const { made, ana } = await office();
  const [later, sooner] = [
    await made.item('release', 'Later', { target_date: '2026-12-11' }),
    await made.item('milestone', 'Sooner', { target_date: '2026-12-04' }),
  ];
  await made.item('task', 'A', { release_id: later, assignee_id: ana, estimated_hours: 24 });
  await made.item('task', 'B', { parent_item_id: sooner, assignee_id: ana, estimated_hours: 24 });
  const forecast = await made.forecast(TUESDAY);
  t.like(projectOf(forecast, sooner), { forecastDate: '2026-12-03', bufferedDate: '2026-12-04', outlook: 'within_capacity' });
  t.like(projectOf(forecast, later), { forecastDate: '2026-12-08', bufferedDate: '2026-12-10', outlook: 'within_capacity' });
});

test('work with a start date', async (t) => {
  const { made, ana } = await office();
  const task = { assignee_id: ana, estimated_hours: 16, start_date: '2026-12-09' };
  t.deepEqual(await dates(made, TUESDAY, '2026-12-10', [task]), ['2026-12-10', '2026-12-11', 'at_risk']);
});

test('unassigned, overdue and done work', async (t) => {
  const { made, ana } = await office();
  const release = await made.item('release', 'Moor', { target_date: '2026-12-02' });
  const late = await made.item('task', 'Late', { release_id: release, assignee_id: ana, estimated_hours: 8, due_date: '2026-11-27' });
  await made.item('task', 'Done', { release_id: release, status: 'done', estimated_hours: 8, completed_at: '2026-11-20T12:00Z' });
  const forecast = await made.forecast(TUESDAY);
  t.like(projectOf(forecast, release), { forecastDate: TUESDAY, bufferedDate: '2026-12-02', weightedProgress: 50 });
  t.deepEqual(issuesOf(forecast, late), ['overdue']);
  t.like(forecast.people[0]!.weeks[0], { allocatedHours: 8 });
  const unassigned = await made.item('task', 'Unassigned', { release_id: release, estimated_hours: 8 });
  const unclear = await made.forecast(TUESDAY);
  t.like(projectOf(unclear, release), { forecastDate: null, outlook: 'needs_data' });
  t.deepEqual(issuesOf(unclear, unassigned), ['no_assignee']);
});

test('a task that waits for another, with a lag of two days', async (t) => {
  const { made, ana } = await office();
  const bo = await made.person('Bo', { weekly_minutes: 2400 });
  const release = await made.item('release', 'Moor', { target_date: '2026-12-18' });
  const first = await made.item('task', 'First', { release_id: release, assignee_id: ana, estimated_hours: 16 });
  const next = await made.item('task', 'Next', { release_id: release, assignee_id: bo, estimated_hours: 8 });
  await made.block(next, first, 2);
  const forecast = await made.forecast(TUESDAY);
  // First on Tuesday and Wednesday, a lag of Thursday and Friday, Next on Monday. With 25 % more: until Thursday, Friday and Monday, Tuesday 8, Wednesday 2.
  t.like(projectOf(forecast, release), { forecastDate: '2026-12-07', bufferedDate: '2026-12-09' });
});

test('the buffer decides about the risk', async (t) => {
  const { made, ana } = await office();
  const task = { assignee_id: ana, estimated_hours: 32 };
  t.deepEqual(await dates(made, TUESDAY, '2026-12-04', [task]), ['2026-12-04', '2026-12-07', 'at_risk']);
  t.deepEqual((await dates(made, TUESDAY, '2026-12-03', [{ ...task, estimated_hours: 100 }]))[2], 'overcommitted');
});

test('an epic whose tasks count with releases has their sums and dates on pages', async (t) => {
  const { made, ana } = await office();
  const epic = await made.item('requirement', 'Epic', { target_date: '2026-12-03' });
  const part = await made.item('requirement', 'Part', { parent_id: epic });
  const [one, other] = [await made.item('release', 'One', { target_date: '2026-12-11' }), await made.item('release', 'Other')];
  const of = { assignee_id: ana, estimated_hours: 16 };
  await made.item('task', 'A', { ...of, requirement_id: epic, release_id: one });
  const task = await made.item('task', 'B', { requirement_id: part, release_id: other, status: 'done', estimated_hours: 8 });
  await made.item('task', 'C', { ...of, parent_item_id: task });
  await made.item('task', 'D', { ...of, requirement_id: epic, release_id: other, status: 'cancelled' });
  const shown = async () => (await made.shown(TUESDAY)).find(({ id }) => id === epic)!;
  // A on Tuesday and Wednesday, C on Thursday and Friday; with 25 % more until Monday.
  t.like(await shown(), {
    ...{ scopeHours: 40, remainingHours: 32, weightedProgress: 20, targetDate: '2026-12-03' },
    ...{ forecastDate: '2026-12-04', bufferedDate: '2026-12-07', outlook: 'overcommitted', explained: { elsewhere: 3 } },
  });
  t.like(projectOf(await made.forecast(TUESDAY), epic), { outlook: 'no_scope', scopeHours: 0, work: [] });
  const shipped = await made.item('release', 'Shipped', { status: 'done' });
  await made.item('task', 'E', { requirement_id: epic, release_id: shipped, status: 'done', estimated_hours: 8 });
  t.like(await shown(), { scopeHours: 48, remainingHours: 32, explained: { elsewhere: 4 } });
  await made.item('task', 'Unclear', { requirement_id: part, release_id: other });
  t.like(await shown(), { outlook: 'needs_data', forecastDate: null, explained: { elsewhere: 5, rest: { forecastDate: '2026-12-04' } } });
  await made.item('task', 'Own', { requirement_id: epic, assignee_id: ana, estimated_hours: 8 });
  t.like(await shown(), { scopeHours: 8, explained: { elsewhere: null } });
});
