/** Forecasts exclude people who have left (behaviour §6.29): computed in the database and read over REST. */
import { getCapacity } from '../../../src/capacity/snapshots/getCapacity.ts';
import { openProject } from '../../../src/capacity/snapshots/getCapacityPage.ts';
import { explainWeek } from '../../../src/capacity/whatIf/applyWhatIf.ts';
import { tryWhatIf } from '../../../src/capacity/whatIf/whatIf.ts';
import { getItemWithProgressNotes } from '../../../src/items/getItemWithProgressNotes.ts';
import { saveItem } from '../../../src/items/saveItem.ts';
import { showItem } from '../../../src/overviews/openItem.ts';
import { listWork } from '../../../src/overviews/workList/listWork.ts';
import { dropMember, setActive } from '../../../src/plans/leave.ts';
import { addDays, mondayOf } from '../../../src/values/dates.ts';
import { Forbidden } from '../../../src/values/errors.ts';
import { suite } from '../../support/suite.ts';
import { type Any, act, compute, ownWorld, type Place, place, world } from './place.ts';
import { renew } from './renew.ts';

const test = suite(import.meta.url);
ownWorld();

const week = addDays(mondayOf(new Date().toISOString().slice(0, 10)), 7);

async function save({ owner, workspaceId }: Place, type: string, title: string, fields: object): Promise<number> {
  const saved = await act(owner, saveItem, { workspaceId, record: { type, title, description: '', status: 'planned', fields } });
  return saved.item?.id ?? saved.id;
}

/** A release with a task of the owner and one of Bo. */
async function sharedRelease(here: Place): Promise<{ releaseId: number; theirs: number }> {
  const releaseId = await save(here, 'release', 'One', { targetDate: '2999-01-01' });
  await save(here, 'task', 'Mine', { releaseId, assigneeId: here.userId, estimatedHours: 8 });
  const theirs = await save(here, 'task', 'Theirs', {
    releaseId,
    assigneeId: here.colleagueId,
    estimatedHours: 8,
    startDate: week,
    dueDate: week,
  });
  return { releaseId, theirs };
}

const read = async ({ owner }: Place, workspaceId: number): Promise<Any> => {
  const { pieces } = await act(owner, getCapacity({} as Any, 0), { workspaceId });
  return JSON.parse(pieces.join(''));
};

const leaving = {
  deactivated: (at: Place) => act(at.owner, setActive, { userId: at.colleagueId, active: false }),
  'removed from the workspace': (at: Place) => act(at.owner, dropMember, { workspaceId: at.workspaceId, userId: at.colleagueId }),
};

for (const [how, leave] of Object.entries(leaving)) {
  test(`when a person is ${how}, the next forecast excludes their open tasks: needs_data, no hours in their weeks`, async (t) => {
    const here = await place();
    const { releaseId, theirs } = await sharedRelease(here);
    await compute(here, here.workspaceId);
    t.is((await read(here, here.workspaceId)).projects[0].outlook, 'within_capacity');

    await leave(here);
    await world.rows('update capacity_snapshots set took_ms = 0 where account_id = $1', [here.accountId]);
    await renew(world, here.workspaceId);

    const { projects, people } = await read(here, here.workspaceId);
    t.like(projects[0], { id: releaseId, outlook: 'needs_data', forecastDate: null, bufferedDate: null, dataIncomplete: true });
    t.like(
      projects[0].work.find(({ id }: Any) => id === theirs),
      { assigneeId: here.colleagueId, forecastDate: null, issues: ['assignee_left'] },
    );
    const weeks = people.find(({ id }: Any) => id === here.colleagueId).weeks;
    t.deepEqual([...new Set(weeks.map(({ allocatedHours }: Any) => allocatedHours))], [0]);
    const made = await act(here.owner, explainWeek, { workspaceId: here.workspaceId, personId: here.colleagueId, week });
    t.deepEqual(made.tasks, []);
  });
}

test('across several workspaces a task counts as unassigned only where its assignee is no member', async (t) => {
  const here = await place();
  const { theirs } = await sharedRelease(here);
  const there = { ...here, workspaceId: here.otherId };
  const { releaseId } = await sharedRelease(there);
  await act(here.owner, dropMember, { workspaceId: here.workspaceId, userId: here.colleagueId });
  await compute(here, 0);
  const { projects, people } = await read(here, 0);
  const [left, kept] = [projects.find(({ id }: Any) => id !== releaseId), projects.find(({ id }: Any) => id === releaseId)];
  t.deepEqual(left.work.find(({ id }: Any) => id === theirs).issues, ['assignee_left']);
  t.is(left.outlook, 'needs_data');
  t.is(kept.outlook, 'within_capacity');
  const weeks = people.find(({ id }: Any) => id === here.colleagueId).weeks;
  t.is(weeks.find((one: Any) => one.week === week).allocatedHours, 8);
});

test('in what-if, a task of a person who has left gets a date once it is reassigned', async (t) => {
  const here = await place();
  const { theirs } = await sharedRelease(here);
  await act(here.owner, setActive, { userId: here.colleagueId, active: false });
  const { workspaceId, userId, owner } = here;
  const tried = async (task: object) =>
    (await act(owner, tryWhatIf, { workspaceId, tasks: [{ id: theirs, ...task }], people: [] })).after.projects[0];
  t.is((await tried({ assigneeId: userId })).outlook, 'within_capacity');
  t.is((await tried({ estimatedHours: 4 })).outlook, 'needs_data');
  t.is((await tried({ assigneeId: null })).outlook, 'needs_data');
});

const notesOf = async ({ owner, workspaceId }: Place, projectId: number): Promise<Any> =>
  (await act(owner, openProject({} as Any, 0), { workspaceId, projectId })).project;

test('tasks without a date are counted by person and reason, without archived tasks and tasks below archived items', async (t) => {
  const here = await place();
  const { releaseId } = await sharedRelease(here);
  const { colleagueId, userId } = here;
  const requirementId = await save(here, 'requirement', 'Gone', {});
  const below = await save(here, 'task', 'Below', { requirementId, releaseId, assigneeId: colleagueId, estimatedHours: 8 });
  const archived = await save(here, 'task', 'Archived', { releaseId, assigneeId: colleagueId, estimatedHours: 8 });
  await save(here, 'task', 'Unclear', { releaseId, assigneeId: userId });
  await act(here.owner, setActive, { userId: colleagueId, active: false });
  await world.rows('update items set archived_at = now() where id = any($1)', [[requirementId, archived]]);
  t.deepEqual(await world.rows('select shown from items where id = $1', [below]), [{ shown: false }]);
  await compute(here, 0);
  const { explained } = await notesOf(here, releaseId);
  const left = [{ name: 'Bo', tasks: 1, deactivated: true }];
  t.deepEqual(explained.missing, { noEstimate: 1, unassigned: 0, noHours: 0, left, waiting: null });
  t.truthy(explained.rest.forecastDate);
});

test('pages name people in explanations only to users who oversee the workspace; REST and agents explain nothing', async (t) => {
  const here = await place();
  const { releaseId } = await sharedRelease(here);
  const { workspaceId, colleagueId, owner } = here;
  const other = await world.value(`insert into users (account_id, email, name) values ($1, $2, 'Cy') returning id`, [
    here.accountId,
    `cy${here.accountId}@acme.example`,
  ]);
  await world.rows(`insert into memberships (account_id, workspace_id, user_id, role) values ($1, $2, $3, 'member')`, [
    here.accountId,
    workspaceId,
    other,
  ]);
  await act(owner, setActive, { userId: colleagueId, active: false });
  await compute(here, workspaceId);
  await compute(here, 0);
  const shown = async (caller: Any) => {
    const { project } = await act(caller, showItem, { workspaceId, id: releaseId });
    const { rows } = await act(caller, listWork, { workspaceId, type: 'release', today: week });
    return [project?.explained, rows[0].forecast?.explained];
  };
  for (const explained of await shown(owner)) t.deepEqual(explained.missing.left, [{ name: 'Bo', tasks: 1, deactivated: true }]);
  const member = { kind: 'user', userId: other };
  const seen = await shown(member);
  for (const explained of seen) t.like(explained, { missing: null, bottleneck: null, weeks: null });
  t.notRegex(JSON.stringify(seen), /Bo|deactivated/);
  await world.rows(`update workspaces set forecasts = 'oversight' where id = $1`, [workspaceId]);
  t.deepEqual(await shown(member), [undefined, undefined]);
  await t.throwsAsync(act(member as Any, openProject({} as Any, 0), { workspaceId, projectId: releaseId }), { instanceOf: Forbidden });
  t.notRegex(JSON.stringify(await read(here, workspaceId)), /explained|deactivated/);
  const agent = await here.agent({ tasks: 'read', requirements: 'read', releases: 'read', milestones: 'read' });
  const told = JSON.stringify(await act(agent, getItemWithProgressNotes, { id: releaseId }));
  t.regex(told, /needs_data/);
  t.notRegex(told, /explained|deactivated/);
});

test("a project of a workspace that the user doesn't oversee is refused like one that does not exist", async (t) => {
  const here = await place();
  const { releaseId } = await sharedRelease({ ...here, workspaceId: here.otherId });
  const refusal = async (projectId: number) => (await t.throwsAsync(notesOf(here, projectId), { instanceOf: Forbidden }))!.message;
  t.is(await refusal(releaseId), await refusal(999_999_999));
});
