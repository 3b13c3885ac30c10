/** What-ifs and weeks are computed in a helper thread with a deadline (behaviour §13.19). */
import { ScopeComputer, scopeComputer } from '../../../src/capacity/whatIf/scopeComputer.ts';
import { InvalidRequest } from '../../../src/values/errors.ts';
import { TooExpensive, threadLimits } from '../../../src/values/helperThread.ts';
import { suite } from '../../support/suite.ts';

const test = suite(import.meta.url);

/** 2024-10-07, a Monday. */
const TODAY = 20_003;
const PEOPLE = 300;

/** So many people with a task of 100,000 hours each. */
function scopeOf(people: number) {
  const ids = Array.from({ length: people }, (_, n) => n + 1);
  const task = { workspaceId: 1, title: 'Long', version: 1, status: 'planned', statusLabel: 'Planned', assigneeLeft: false };
  const none = { progressPercent: null, recordedMinutes: 0, priorityRank: null, startDay: null, dueDay: null, completedDay: null };
  const links = { releaseId: null, requirementId: null, parentItemId: null };
  return {
    workspaceId: 1,
    rows: JSON.stringify({
      ...{ from: TODAY, today: TODAY, holidays: [], dependencies: [], containers: [], recorded: [], planned: [] },
      people: ids.map((id) => ({ id, name: `P${id}`, weeklyMinutes: 2400, assignable: true, active: true, calendar: null })),
      tasks: ids.map((id) => ({ id: 1_000 + id, ...task, assigneeId: id, estimatedHours: 100_000, ...none, ...links })),
    }),
  };
}

const unchanged = { tasks: [], people: [], away: [], blockers: [] };

test('a scope that takes too long is refused with what to do; others are computed, without the texts that pages do not show', async (t) => {
  const hurried = new ScopeComputer({ ...threadLimits.scopes, answerMs: 0 });
  const expected = { instanceOf: TooExpensive, message: /choose a smaller scope: this one takes too long to compute/ };
  const wanted = { given: { changes: unchanged }, projectId: null };
  await t.throwsAsync(hurried.tryOn(1, scopeOf(PEOPLE), wanted), expected);
  await t.throwsAsync(hurried.weekOf(1, scopeOf(PEOPLE), 1, '2024-10-07'), expected);

  const changes = { ...unchanged, people: Array.from({ length: 20 }, (_, n) => ({ id: n + 100, weeklyHours: 0 })) };
  const tried = await scopeComputer.tryOn(2, scopeOf(PEOPLE), { given: { changes }, projectId: null });
  t.is(tried.people.length, 50);
  t.is(tried.tasks.length, 60);
  t.is(tried.taskCount, PEOPLE);
  t.like(tried.effects, { projects: { count: 0 }, people: { count: 20 }, tasks: { count: 0 } });
  t.is(tried.before.people.length, 70, 'those whose hours can be tried, and those whose weeks change');
  const week = await scopeComputer.weekOf(2, scopeOf(PEOPLE), 7, '2024-10-07');
  t.like(week, { person: { id: 7 }, week: { allocatedHours: 40 }, taskCount: 1 });
  t.deepEqual(week!.tasks, [{ id: 1_007, minutes: 2400 }]);
  t.is(await scopeComputer.weekOf(2, scopeOf(1), 7, '2024-10-07'), null);
});

test('wrong values are refused with their place', async (t) => {
  const form = { ...unchanged, tasks: [{ id: 1_001, estimatedHours: -1 }] };
  const refused = await t.throwsAsync(scopeComputer.tryOn(2, scopeOf(1), { given: { form }, projectId: null }), {
    instanceOf: InvalidRequest,
  });
  t.deepEqual(refused!.faults[0].path, ['tasks', 0, 'estimatedHours']);
});
