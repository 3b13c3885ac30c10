/** Forecasts larger than one read: they are streamed at the reader's speed and end with the reader's rights. */
import type { Caller } from '../../../src/access/caller.ts';
import { getCapacity } from '../../../src/capacity/snapshots/getCapacity.ts';
import { type Missing, readSnapshot, requestSnapshot } from '../../../src/capacity/snapshots/queries.ts';
import { Listener } from '../../../src/database/listen.ts';
import type { TaggedJson } from '../../../src/operations/json.ts';
import { rowsWithoutTriggers } from '../../support/rowsAt.ts';
import { suite } from '../../support/suite.ts';
import { contextOf } from '../../support/tasks.ts';
import { act, ownWorld, place, signedIn, world } from './place.ts';

const test = suite(import.meta.url);
ownWorld();

/** Their titles fill the pieces of more than one read. */
const TASKS = 1_200;

/** A workspace with more tasks than one read, and a function that recomputes its forecast. */
async function largePlace() {
  const found = await place();
  await rowsWithoutTriggers(
    world.url,
    `with release as (
       insert into items (account_id, workspace_id, type, title, status, status_key) values ($1, $2, 'release', 'Large', 'planned', 'planned') returning id)
     insert into items (account_id, workspace_id, type, title, status, status_key, estimated_hours, release_id)
     select $1, $2, 'task', repeat('ä', 290) || n, 'planned', 'planned', 1, release.id from release, generate_series(1, ${TASKS}) n`,
    [found.accountId, found.workspaceId],
  );
  const missing = (await readSnapshot(world.db.pool(), found.owner, { workspaceId: found.workspaceId, known: [] })) as Missing;
  const forecastId = await requestSnapshot(world.db.pool(), missing);
  const compute = async () => {
    const { computations, signal } = contextOf(world);
    await computations.snapshot({ forecastId, since: new Date().toISOString() }, signal);
  };
  await compute();
  return { ...found, forecastId, compute };
}

/** An answer of which the first piece has been read. */
async function begun(caller: Caller, workspaceId: number): Promise<{ first: string; rest: AsyncGenerator<string> }> {
  const answer = (await act(caller, getCapacity(new Listener(world.url)), { workspaceId })) as TaggedJson<object>;
  const rest = answer.all();
  return { first: (await rest.next()).value as string, rest };
}

async function wholeOf({ first, rest }: { first: string; rest: AsyncGenerator<string> }) {
  let text = first;
  for await (const piece of rest) text += piece;
  return JSON.parse(text);
}

const snapshotsOf = (forecastId: number): Promise<number> =>
  world.value('select count(*)::int from capacity_snapshots where forecast_id = $1', [forecastId]);
/** Makes the forecast's times older. */
const age = (forecastId: number, by: string) =>
  world.rows('update capacity_snapshots set as_of = as_of - $2::interval, took_ms = 0 where forecast_id = $1', [forecastId, by]);

test('a streaming answer stays complete while a newer snapshot replaces it, and the old one is deleted a minute later', async (t) => {
  const { owner, workspaceId, forecastId, compute } = await largePlace();
  const reading = await begun(owner, workspaceId);
  await age(forecastId, '10 minutes');
  await compute();
  t.is(await snapshotsOf(forecastId), 2);
  t.is((await wholeOf(reading)).projects[0].work.length, TASKS);
  await age(forecastId, '2 minutes');
  await compute();
  t.is(await snapshotsOf(forecastId), 2);
});

test('an answer whose snapshot was deleted breaks off, so that it never looks complete', async (t) => {
  const { owner, workspaceId, forecastId } = await largePlace();
  const reading = await begun(owner, workspaceId);
  await world.rows('delete from capacity_snapshots where forecast_id = $1', [forecastId]);
  await t.throwsAsync(wholeOf(reading), { message: /replaced while it was read/ });
});

test('a reader who signs out, is no longer a member or loses the workspace to the archive during an answer gets no more of it', async (t) => {
  const large = await largePlace();
  const { accountId, workspaceId } = large;
  const reader = async () => {
    const user = `insert into users (account_id, email, name) values ($1, gen_random_uuid() || '@acme.example', 'Cy') returning id`;
    const userId = await world.value(user, [accountId]);
    await world.rows(`insert into memberships (account_id, workspace_id, user_id, role) values ($1, $2, $3, 'owner')`, [
      ...[accountId, workspaceId, userId],
    ]);
    return { userId, caller: await signedIn(accountId, userId) };
  };
  const revocations: [text: string, idOf: (userId: number) => number][] = [
    ['delete from sessions where user_id = $1', (userId) => userId],
    ['delete from memberships where user_id = $1', (userId) => userId],
    ['update workspaces set archived_at = now() where id = $1', () => workspaceId],
  ];
  for (const [text, idOf] of revocations) {
    const { userId, caller } = await reader();
    const reading = await begun(caller, workspaceId);
    await world.rows(text, [idOf(userId)]);
    await t.throwsAsync(wholeOf(reading), { message: /no access|expired or revoked/i }, text);
  }
});
