/** All pages show all readers the same forecast of a project: over all work of its people in the account (behaviour §24.17). */
import type { Caller } from '../../../src/access/caller.ts';
import { getCapacity } from '../../../src/capacity/snapshots/getCapacity.ts';
import { getCapacityPage, listProjects, openProject } from '../../../src/capacity/snapshots/getCapacityPage.ts';
import { renewDaily } from '../../../src/capacity/snapshots/snapshotWorkspace.ts';
import { Listener } from '../../../src/database/listen.ts';
import { getItemWithProgressNotes } from '../../../src/items/getItemWithProgressNotes.ts';
import { showItem } from '../../../src/overviews/openItem.ts';
import { showTimeline } from '../../../src/overviews/timeline/showTimeline.ts';
import { listWork } from '../../../src/overviews/workList/listWork.ts';
import { setArchived } from '../../../src/workspaces/adminQueries.ts';
import { suite } from '../../support/suite.ts';
import { runDueJobs } from '../../support/tasks.ts';
import { type Any, act, compute, ownWorld, type Place, place, signedIn, world } from './place.ts';
import { renew } from './renew.ts';

const test = suite(import.meta.url);
ownWorld();

const listener = () => new Listener(world.url);
const SECRET = 'Quiet harbour';

interface Shared extends Place {
  releaseId: number;
  /** Oversees only the workspace of the release. */
  manager: Caller;
  managerId: number;
}

/** A release with 40 h of Ana, who has 40 h more in another workspace that are due first. */
async function shared(): Promise<Shared> {
  const found = await place();
  const { accountId, workspaceId, otherId, userId } = found;
  await world.rows(`update workspaces set name = $2 where id = $1`, [otherId, SECRET]);
  await world.rows(`update users set weekly_minutes = 2400 where account_id = $1`, [accountId]);
  const releaseId = await world.value(
    `insert into items (account_id, workspace_id, type, title, status, status_key, target_date)
     values ($1, $2, 'release', 'Ferry', 'planned', 'planned', current_date + 60) returning id`,
    [accountId, workspaceId],
  );
  const task = (place: number, title: string, release: number | null, due: number) =>
    world.rows(
      `insert into items (account_id, workspace_id, type, title, status, status_key, estimated_hours, assignee_id, release_id, due_date)
       values ($1, $2, 'task', $3, 'planned', 'planned', 40, $4, $5, current_date + $6::integer)`,
      [accountId, place, title, userId, release, due],
    );
  await task(workspaceId, 'Part', releaseId, 50);
  await task(otherId, SECRET, null, 1);
  const managerId = await world.value(
    `insert into users (account_id, email, name, password_hash) values ($1, 'manager' || nextval('users_id_seq') || '@acme.example', 'Mo', 'set') returning id`,
    [accountId],
  );
  await world.rows(`insert into memberships (account_id, workspace_id, user_id, role) values ($1, $2, $3, 'manager')`, [
    accountId,
    workspaceId,
    managerId,
  ]);
  return { ...found, releaseId, managerId, manager: await signedIn(accountId, managerId) };
}

const today = new Date().toISOString().slice(0, 10);
const listed = { type: 'release', group: 'none', sort: 'due', reverse: false, status: ['open'], limit: 50, today };
const pages = { people: 1, projects: 1 };

/** Everything that pages show of the release. */
async function onPages({ workspaceId, releaseId }: Shared, reader: Caller) {
  const capacity = (scope: number) => act(reader, getCapacityPage(listener(), 0), { workspaceId: scope, ...pages });
  const [item, list, timeline, all, one, opened, file] = [
    await act(reader, showItem, { workspaceId, id: releaseId }),
    await act(reader, listWork, { workspaceId, ...listed }),
    await act(reader, showTimeline, { workspaceId, today, from: today, to: '2999-12-31' }),
    await capacity(0),
    await capacity(workspaceId),
    await act(reader, openProject(listener(), 0), { workspaceId, projectId: releaseId }),
    await act(reader, listProjects(listener(), 0), { workspaceId }),
  ];
  const of = (rows: { id: number }[]) => rows.find(({ id }) => id === releaseId) as Record<string, unknown>;
  return {
    shown: {
      item: item.project,
      list: of(list.rows).forecast,
      timeline: of(timeline.rows).forecast,
      all: of(all.outline.projects.rows),
      one: of(one.outline.projects.rows),
      opened: opened.project,
      file: of(file),
    } as Record<string, unknown> as Record<
      string,
      { forecastDate: string; bufferedDate: string; outlook: string; includesHidden?: boolean; only?: unknown }
    >,
    texts: JSON.stringify([item, list, timeline, all, one, opened, file]),
    one: one.outline,
    opened,
  };
}

/** The release in GET /capacity. */
async function inRest({ releaseId }: Shared, reader: Caller, workspaceId: number) {
  const { scopeNote, projects } = JSON.parse((await act(reader, getCapacity(listener(), 0), { workspaceId })).pieces.join(''));
  return { scopeNote, date: projects.find(({ id }: { id: number }) => id === releaseId).forecastDate as string };
}

test('a release has the same dates on every page for all who oversee it, and says for whom it includes hidden work', async (t) => {
  const found = await shared();
  await compute(found, 0);
  await compute(found, found.workspaceId);
  await compute({ ...found, owner: found.manager }, 0);
  const [ofOwner, ofManager] = [await onPages(found, found.owner), await onPages(found, found.manager)];
  const { forecastDate, bufferedDate, outlook } = ofOwner.shown.item!;
  for (const { shown } of [ofOwner, ofManager])
    for (const [where, one] of Object.entries(shown)) t.like(one, { forecastDate, bufferedDate, outlook }, where);
  const hidden = ({ shown }: typeof ofOwner) => Object.entries(shown).map(([where, one]) => [where, one.includesHidden]);
  for (const [where, is] of hidden(ofOwner)) t.is(is ?? false, false, String(where));
  for (const [where, is] of hidden(ofManager)) t.is(is, where === 'file' ? undefined : true, String(where));
  t.true(ofManager.one.hidden, 'also said of the figures of people');

  const only = await inRest(found, found.owner, found.workspaceId);
  t.true(only.date < forecastDate, 'the other work is due first');
  for (const { shown } of [ofOwner, ofManager]) {
    t.deepEqual(shown.one!.only, { forecastDate: only.date }, 'what only this workspace gives');
    t.deepEqual(shown.opened!.only, { forecastDate: only.date });
    t.falsy(shown.all!.only);
  }
  const [task] = ofManager.opened.project.work;
  t.is(task.forecastDate, forecastDate, 'tasks of an opened project are of the same forecast');
  t.is(ofManager.opened.people.get(found.userId).name, 'Ana');

  t.false(ofManager.texts.includes(SECRET), 'no title or workspace of the other work');
  t.false(/workspaceIds|workspace_ids/.test(ofManager.texts), 'nor their numbers');
});

test('members without oversight see the same dates where the workspace allows it, without people', async (t) => {
  const found = await shared();
  const { accountId, workspaceId, releaseId, owner } = found;
  await compute(found, 0);
  await world.rows(`update items set estimated_hours = null where account_id = $1 and workspace_id = $2 and type = 'task'`, [
    ...[accountId, workspaceId],
  ]);
  await world.rows(
    `insert into items (account_id, workspace_id, type, title, status, status_key, estimated_hours, assignee_id, release_id)
     values ($1, $2, 'task', 'Rest', 'planned', 'planned', 20, $3, $4)`,
    [accountId, workspaceId, found.userId, releaseId],
  );
  await world.rows('delete from capacity_snapshots where account_id = $1', [accountId]);
  await compute(found, 0);
  const memberId = await world.value(`insert into users (account_id, email, name) values ($1, 'min@acme.example', 'Min') returning id`, [
    accountId,
  ]);
  const join = (place: number) =>
    world.rows(`insert into memberships (account_id, workspace_id, user_id, role) values ($1, $2, $3, 'member')`, [
      accountId,
      place,
      memberId,
    ]);
  await join(workspaceId);
  const member = await signedIn(accountId, memberId);
  const seen = async (reader: Caller) => {
    const [item, list, timeline] = [
      await act(reader, showItem, { workspaceId, id: releaseId }),
      await act(reader, listWork, { workspaceId, ...listed }),
      await act(reader, showTimeline, { workspaceId, today, from: today, to: '2999-12-31' }),
    ];
    const of = (rows: { id: number; forecast: Any }[]) => rows.find(({ id }) => id === releaseId)?.forecast;
    return [item.project, of(list.rows), of(timeline.rows)];
  };
  const whole = await seen(owner);
  t.truthy(whole[0].explained.missing, 'something to leave out');
  for (const [n, one] of (await seen(member)).entries()) {
    const { bufferedDate, outlook, explained } = whole[n];
    t.like(one, { bufferedDate, outlook, includesHidden: true, explained: { rest: explained.rest, missing: null, bottleneck: null } });
    t.notRegex(JSON.stringify(one), /Ana/);
  }
  await join(found.otherId);
  for (const one of await seen(member)) t.false(one.includesHidden, 'members of both read all work');
  await world.rows(`update workspaces set forecasts = 'oversight' where id = $1`, [workspaceId]);
  t.deepEqual((await seen(member)).filter(Boolean), []);
});

test('REST and agents have the forecast of what their caller oversees, and say so', async (t) => {
  const found = await shared();
  const { manager, workspaceId, releaseId, owner } = found;
  await compute(found, 0);
  await compute(found, workspaceId);
  await compute({ ...found, owner: manager }, 0);
  const [mine, whole] = [await inRest(found, manager, 0), await inRest(found, owner, 0)];
  t.true(mine.date < whole.date);
  t.regex(mine.scopeNote, /^Counts all workspaces that you oversee\. Work, time and plans elsewhere are not counted\./);
  const ofOne = await inRest(found, manager, workspaceId);
  t.is(ofOne.date, mine.date);
  t.regex(ofOne.scopeNote, /^Counts this workspace only\./);
  const { progress } = await act(manager, getItemWithProgressNotes, { id: releaseId, includeOriginals: false });
  t.like(progress, { forecastDate: mine.date, scopeNote: ofOne.scopeNote });
});

test('pages have workers compute a missing forecast, show none until then, and keep it renewed', async (t) => {
  const found = await shared();
  const { workspaceId, otherId, releaseId, manager, accountId } = found;
  const dateOn = async (): Promise<string | undefined> =>
    (await act(manager, showItem, { workspaceId, id: releaseId })).project?.forecastDate;
  t.is(await dateOn(), undefined);
  for (let asked = false; !asked; )
    [{ asked }] = await world.rows('select exists (select from capacity_forecasts where account_id = $1) as asked', [accountId]);
  await runDueJobs(world);
  const before = await dateOn();
  t.truthy(before);
  await world.rows(`update items set estimated_hours = 80 where title = $1 and account_id = $2`, [SECRET, accountId]);
  await world.rows('update capacity_snapshots set took_ms = 0 where account_id = $1', [accountId]);
  await renew(world, otherId);
  t.true((await dateOn())! > before!, 'work of a workspace that the reader does not see');

  await world.db.transaction((tx) => setArchived(tx, { accountId }, otherId, true));
  t.is(await dateOn(), undefined, 'other workspaces than before');
  await renew(world, otherId);
  await runDueJobs(world);
  t.true((await dateOn())! < before!, 'without the archived workspace');
});

test('the daily forecasts include the one of pages for accounts with several workspaces', async (t) => {
  const found = await shared();
  await renewDaily(world.db, new AbortController().signal);
  const [{ ids }] = await world.rows(
    `select f.workspace_ids as ids from capacity_forecasts f join graphile_worker._private_jobs j on (j.payload ->> 'forecastId')::bigint = f.id
     where f.account_id = $1 and f.workspace_id = 0`,
    [found.accountId],
  );
  t.deepEqual(ids.map(Number), [found.workspaceId, found.otherId]);
});
