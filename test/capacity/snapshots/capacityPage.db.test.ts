/** The capacity page reads a page of people and one of projects from the newest snapshot, independent of the number of tasks. */
import { worstFirst } from '../../../src/capacity/forecast/outline.ts';
import { type CapacityPage, getCapacityPage, listOverseen } from '../../../src/capacity/snapshots/getCapacityPage.ts';
import { applyWhatIf } from '../../../src/capacity/whatIf/applyWhatIf.ts';
import { Listener } from '../../../src/database/listen.ts';
import { Forbidden } from '../../../src/values/errors.ts';
import { suite } from '../../support/suite.ts';
import { act, again, compute, ownWorld, type Place, place, world } from './place.ts';

const test = suite(import.meta.url);
ownWorld();

/** No test here waits for a snapshot. */
const listener = () => new Listener(world.url);

/** Releases 1 to 70. The last one is late, and the one before has no task. */
async function releases({ accountId, workspaceId, userId }: Place) {
  await world.rows(
    `with made as (
       insert into items (account_id, workspace_id, type, title, status, status_key, target_date)
       select $1, $2, 'release', 'Release ' || n, 'planned', 'planned', case when n = 70 then current_date else date '2999-01-01' end
       from generate_series(1, 70) n returning id, title)
     insert into items (account_id, workspace_id, type, title, status, status_key, estimated_hours, assignee_id, release_id)
     select $1, $2, 'task', 'Task', 'planned', 'planned', case when made.title = 'Release 70' then 400 else 1 end, $3, made.id
     from made where made.title <> 'Release 69'`,
    [accountId, workspaceId, userId],
  );
}

const look = (found: Place, workspaceId: number, pages = { people: 1, projects: 1 }): Promise<CapacityPage> =>
  act(found.owner, getCapacityPage(listener(), 0), { workspaceId, ...pages });

test('projects come in pages, late ones first, with a total; a page beyond the last shows the last', async (t) => {
  const found = await place();
  await releases(found);
  await compute(found, found.workspaceId);
  await compute(found, 0);
  const { overseen, name, outline } = await look(found, found.workspaceId);
  t.true(overseen);
  t.deepEqual([{ name }], await world.rows('select name from workspaces where id = $1', [found.workspaceId]));
  t.is(outline!.projects.rows.length, 60);
  t.is(outline!.projects.pages, 2);
  t.is(outline!.projects.rows[0]!.title, 'Release 70');
  t.false('work' in outline!.projects.rows[0]!);
  t.is(outline!.head.projectCount, 70);
  t.is(
    Object.values(outline!.head.counts).reduce((sum, count) => sum + count, 0),
    70,
  );
  t.is(outline!.head.counts.overcommitted, 1);
  t.deepEqual(
    outline!.head.over.first.map(({ name }) => name),
    ['Ana'],
  );
  t.is(outline!.people.rows[0]!.weeks.length, 8);
  t.deepEqual([...outline!.marks], []);
  await world.rows(`update users set kind = 'service' where id = $1`, [found.userId]);
  const mark = { id: found.userId, kind: 'service', left: null };
  t.deepEqual([...(await look(found, found.workspaceId)).outline!.marks.values()], [mark], 'an older snapshot lacks the kind');
  for (const projects of [2, 1_000]) {
    const last = (await look(found, found.workspaceId, { people: 1_000, projects })).outline!;
    t.is(last.projects.page, 2);
    t.is(last.projects.rows.length, 10);
    t.is(last.projects.rows.at(-1)!.title, 'Release 69');
    t.is(last.people.page, 1);
  }
});

test("the scope of all workspaces names each project's workspace, and needs the right to oversee", async (t) => {
  const found = await place();
  await releases(found);
  await compute(found, 0);
  const { outline } = await look(found, 0);
  t.deepEqual([...new Set(outline!.projects.rows.map(({ workspace }) => workspace))], ['Apollo']);
  await t.throwsAsync(look(found, 987_654), { instanceOf: Forbidden });
  await world.rows('delete from memberships where user_id = $1', [found.userId]);
  await t.throwsAsync(look(found, found.workspaceId), { instanceOf: Forbidden });
  t.deepEqual(await look(found, 0), { overseen: false, name: null, outline: null });
});

test('after a save the page says that its figures are out of date until a snapshot includes it, and can wait for that', async (t) => {
  const found = await place();
  const { owner, workspaceId, itemId } = found;
  const forecastId = await compute(found, workspaceId);
  const onPagesId = await compute(found, 0);
  await world.rows('update capacity_snapshots set took_ms = 0 where account_id = $1', [found.accountId]);
  const { saved } = await act(owner, applyWhatIf, { workspaceId, tasks: [{ id: itemId, version: 1, estimatedHours: 5 }], people: [] });
  const at = { workspaceId, people: 1, projects: 1 };
  const outdated = async (given: object) => (await act(owner, getCapacityPage(listener(), 0), { ...at, ...given })).outline.outdated;
  t.false(await outdated({}), 'only the page of the user who saved says so');
  t.true(await outdated({ saved }));
  t.true(await outdated({ saved, wait: true }), 'the time is over');
  t.false(await outdated({ saved: { ...saved, era: '999' } }), 'of a database that was restored');

  const hears = listener();
  const waiting = act(owner, getCapacityPage(hears, 60_000), { ...at, saved, wait: true });
  const [{ now }] = await world.rows('select clock_timestamp()::text as now');
  t.is(await again(forecastId, now), 'computed');
  t.true(await outdated({ saved }), 'the dates of projects are of the account');
  t.is(await again(onPagesId, now), 'computed');
  t.false((await waiting).outline.outdated, 'it comes with the snapshot');
  t.false(await outdated({ saved }));
  await hears.close();
});

test('scopes that the user oversees are found by a part of their name, the first fifty by name', async (t) => {
  const found = await place();
  const [other] = await world.rows('select name from workspaces where id = $1', [found.otherId]);
  const listed = async (q: string) => (await act(found.owner, listOverseen, { q })).workspaces.map(({ id }: { id: number }) => id);
  t.deepEqual((await listed('')).sort(), [found.workspaceId, found.otherId].sort());
  t.true((await listed(other.name.toUpperCase())).includes(found.otherId));
  t.deepEqual(await listed('%'), []);
  await world.rows(
    `with w as (insert into workspaces (account_id, name) select account_id, '50% of ' || n from workspaces, generate_series(1, 51) n where id = $1 returning account_id, id, name)
     insert into memberships (account_id, workspace_id, user_id, role) select account_id, id, $2, case when name like '% 7' then 'member' else 'owner' end from w`,
    [found.workspaceId, found.userId],
  );
  const { workspaces, more } = await act(found.owner, listOverseen, { q: '50% OF ' });
  t.deepEqual([workspaces.length, more], [50, false], 'a member of one oversees it not');
  t.true((await act(found.owner, listOverseen, { q: '' })).more);
});

test('a snapshot without prepared pages is recomputed for a page', async (t) => {
  const found = await place();
  const forecastId = await compute(found, found.workspaceId);
  await compute(found, 0);
  t.is(await again(forecastId), 'fresh');
  await world.rows('delete from capacity_pages p using capacity_snapshots s where s.id = p.snapshot_id and s.forecast_id = $1', [
    forecastId,
  ]);
  await world.rows('update capacity_snapshots set took_ms = 0 where forecast_id = $1', [forecastId]);
  const waiting = await look(found, found.workspaceId);
  t.is(waiting.outline, null);
  t.true(waiting.overseen);
  t.is(await again(forecastId), 'computed');
  t.truthy((await look(found, found.workspaceId)).outline);
});

test('projects of the same outlook are sorted by lateness against their target, then those without a date, each by number', (t) => {
  const project = (id: number, outlook: 'at_risk' | 'no_scope', targetDate: string | null, forecastDate: string | null) => ({
    id,
    outlook,
    targetDate,
    forecastDate,
  });
  const ordered = worstFirst([
    project(5, 'no_scope', null, null),
    project(4, 'no_scope', null, null),
    project(3, 'at_risk', '2026-03-01', '2026-03-01'),
    project(2, 'at_risk', '2026-03-01', '2026-03-09'),
    project(1, 'at_risk', '2026-03-01', null),
  ]);
  t.deepEqual(
    ordered.map(({ id }) => id),
    [2, 3, 1, 4, 5],
  );
});
