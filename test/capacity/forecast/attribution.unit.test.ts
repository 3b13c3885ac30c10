import { suite } from '../../support/suite.ts';
import { ANA, Answer, container, release, type Task, task } from './inputs.ts';

const test = suite(import.meta.url);

const RELEASE = 10;
const OTHER_RELEASE = 11;
const TOP = 20;
const MIDDLE = 21;
const LEAF = 22;
const MILESTONE = 30;

const containers = [
  release(RELEASE, null),
  release(OTHER_RELEASE, null),
  container(TOP, 'requirement'),
  container(MIDDLE, 'requirement', { parentId: TOP }),
  container(LEAF, 'requirement', { parentId: MIDDLE }),
  container(MILESTONE, 'milestone'),
];

/** The project that holds the task, or null. */
function projectOf(links: Partial<Task>, changed: typeof containers = containers): number | null {
  const answer = new Answer({ containers: changed, tasks: [task(1, { estimatedHours: 1, ...links })] });
  const holders = answer.all.projects.filter(({ work }) => work.length > 0);
  return holders.length === 0 ? null : holders.map(({ id }) => id).reduce((one) => one);
}

const with_ = (id: number, over: Partial<(typeof containers)[number]>) =>
  containers.map((each) => (each.id === id ? { ...each, ...over } : each));

test('a task belongs first to its own release', (t) => {
  t.is(projectOf({ releaseId: RELEASE, requirementId: LEAF, milestoneId: MILESTONE }, with_(LEAF, { releaseId: OTHER_RELEASE })), RELEASE);
});

test("without its own release a task belongs to its requirement's release", (t) => {
  t.is(projectOf({ requirementId: LEAF, milestoneId: MILESTONE }, with_(LEAF, { releaseId: OTHER_RELEASE })), OTHER_RELEASE);
});

test("a requirement's release is the nearest one among its parents", (t) => {
  const both = with_(TOP, { releaseId: RELEASE }).map((each) => (each.id === MIDDLE ? { ...each, releaseId: OTHER_RELEASE } : each));
  t.is(projectOf({ requirementId: LEAF }, both), OTHER_RELEASE);
  t.is(projectOf({ requirementId: LEAF }, with_(TOP, { releaseId: RELEASE })), RELEASE);
});

test('without any release a task belongs to its topmost requirement, before its milestone', (t) => {
  t.is(projectOf({ requirementId: LEAF, milestoneId: MILESTONE }), TOP);
});

test('without release and requirement a task belongs to its milestone', (t) => {
  t.is(projectOf({ milestoneId: MILESTONE }), MILESTONE);
});

test('a task without links belongs to no project', (t) => {
  t.is(projectOf({}), null);
});

test('a task counts in one project only', (t) => {
  const answer = new Answer({
    containers,
    tasks: [task(1, { estimatedHours: 5, releaseId: RELEASE, requirementId: TOP, milestoneId: MILESTONE })],
  });
  t.is(
    answer.all.projects.reduce((sum, { scopeHours }) => sum + scopeHours, 0),
    5,
  );
});

test('projects are the open releases, milestones, and requirements without a parent or a release above, by id', (t) => {
  const ids = (changed: typeof containers) => new Answer({ containers: changed }).all.projects.map(({ id }) => id);
  t.deepEqual(ids(containers.toReversed()), [RELEASE, OTHER_RELEASE, TOP, MILESTONE]);
  t.deepEqual(ids(with_(TOP, { releaseId: RELEASE })), [RELEASE, OTHER_RELEASE, MILESTONE]);
  t.deepEqual(ids(with_(RELEASE, { status: 'done' })), [OTHER_RELEASE, TOP, MILESTONE]);
  t.deepEqual(ids(with_(MILESTONE, { status: 'cancelled' })), [RELEASE, OTHER_RELEASE, TOP]);
  t.deepEqual(ids(with_(RELEASE, { status: 'approved' })), [RELEASE, OTHER_RELEASE, TOP, MILESTONE]);
});

test('closing the topmost requirement does not turn the ones below it into projects', (t) => {
  t.is(projectOf({ requirementId: LEAF }, with_(TOP, { status: 'done' })), null);
});

test('cancelled tasks count nowhere', (t) => {
  const tasks = [task(1, { releaseId: RELEASE, status: 'cancelled', estimatedHours: 8, dueDate: '2026-03-06' })];
  const answer = new Answer({ containers, tasks });
  t.like(answer.project(RELEASE), { outlook: 'no_scope', scopeHours: 0, work: [] });
  t.is(answer.week(ANA, '2026-03-02').allocatedHours, 0);
});

test('open tasks of a closed container count in the weeks and keep their order, but get no due date from a target', (t) => {
  const shut = release(40, '2026-03-06', { status: 'done' });
  const tasks = [
    task(1, { releaseId: 40, estimatedHours: 8, dueDate: '2026-03-04' }),
    // Without a date the task comes last, after the open release's task.
    task(2, { releaseId: 40, estimatedHours: 40 }),
    task(3, { releaseId: RELEASE, estimatedHours: 8 }),
  ];
  const answer = new Answer({ containers: [shut, release(RELEASE, '2026-03-31')], tasks });
  t.deepEqual(
    answer.all.projects.map(({ id }) => id),
    [RELEASE],
  );
  t.is(answer.work(3).forecastDate, '2026-03-05');
  // 8 h due on Wednesday, 8 h simulated on Friday, and 8/20 of the 8 h that are spread up to 31 March at 1/20 a day.
  t.is(answer.week(ANA, '2026-03-02').allocatedHours, 8 + 8 + 1.2);
  t.is(answer.week(ANA, '2026-03-09').allocatedHours, 32 + 2);
});

test('a closed task of a closed container counts nowhere', (t) => {
  const answer = new Answer({
    people: [{ id: 5, name: 'Gone', weeklyMinutes: 600, assignable: false, active: false }],
    containers: [release(40, null, { status: 'done' })],
    tasks: [task(1, { releaseId: 40, assigneeId: 5, status: 'done', estimatedHours: 8 })],
  });
  t.deepEqual([answer.all.projects, answer.all.people], [[], []]);
});
