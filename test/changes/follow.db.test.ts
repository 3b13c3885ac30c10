/** Followers of changes: one change that can't be processed stops no other (behaviour §16.11). */
import pg from 'pg';
import { type Follower, follow, PageSize } from '../../src/changes/follow.ts';
import { sql } from '../../src/database/sql.ts';
import { makeLogger } from '../../src/log.ts';
import { settled } from '../support/following.ts';
import { suite } from '../support/suite.ts';
import { timeWorld } from '../support/timeWorld.ts';

const test = suite(import.meta.url);
const world = timeWorld();

async function write(count: number): Promise<number[]> {
  const { accountId, workspaceId, itemId, userId } = await world.team();
  const rows = await world.rows(
    `insert into changes (account_id, workspace_id, item_id, actor_id, via, kind, version)
     select $1, $2, $3, $4, 'page', 'item.updated', n from generate_series(1, $5::int) n returning id`,
    [accountId, workspaceId, itemId, userId, count],
  );
  await settled(world.db);
  return rows.map(({ id }) => id);
}

/** A follower whose pages with one of these changes fail. Collects the ids of the others, and the sizes of all pages. */
function failing(bad: readonly number[], fail: Follower['see']) {
  const [seen, sizes]: [number[], number[]] = [[], []];
  const follower: Follower = {
    name: 'live',
    async see(tx, rows, after) {
      sizes.push(rows.length);
      if (rows.some(({ id }) => bad.includes(id))) await fail(tx, rows, after);
      seen.push(...rows.map(({ id }) => id));
    },
  };
  return { follower, seen, sizes };
}

function logged() {
  const skipped: number[] = [];
  const log = Object.assign(makeLogger('silent', 'worker'), { error: ({ change }: { change: number }) => skipped.push(change) });
  return { skipped, size: new PageSize(log as never) };
}

/** Follows as a worker does, which tries again after a failure. */
async function catchUp(follower: Follower, size: PageSize, attempts: number): Promise<void> {
  for (let n = 0; n < attempts; n++) await follow(world.db, follower, size).catch(() => {});
}

const tooLong: Follower['see'] = async (tx) => {
  await tx.query(sql.unsafe`select set_config('statement_timeout', '20', true)`);
  await tx.query(sql.unsafe`select pg_sleep(10)`);
};

test('changes that take too long are skipped and logged; all others are processed once, in order', async (t) => {
  await follow(world.db, failing([], tooLong).follower);
  const ids = await write(120);
  const bad = [ids[30]!, ids[31]!, ids[90]!];
  const { follower, seen, sizes } = failing(bad, tooLong);
  const { skipped, size } = logged();
  await catchUp(follower, size, 40);
  t.deepEqual(skipped, bad);
  t.deepEqual(
    seen,
    ids.filter((id) => !bad.includes(id)),
  );
  t.true(sizes.indexOf(1) > 1, 'smaller pages first');
});

test('a change is processed if an earlier attempt failed because the server was busy', async (t) => {
  const [id] = await write(1);
  const { size, skipped } = logged();
  await catchUp(failing([id!], tooLong).follower, size, 2);
  const { follower, seen } = failing([], tooLong);
  await catchUp(follower, size, 2);
  t.deepEqual(seen, [id!]);
  t.deepEqual(skipped, []);
});

test('no change is skipped while the database fails', async (t) => {
  const [id] = await write(1);
  const { size, skipped } = logged();
  const lost = Object.assign(new pg.DatabaseError('terminating connection', 0, 'error'), { severity: 'FATAL', code: '57P01' });
  for (const error of [lost, new Error('Connection terminated unexpectedly'), Object.assign(lost, { severity: 'ERROR', code: '55P03' })]) {
    const { follower } = failing([id!], () => Promise.reject(error));
    await catchUp(follower, size, 5);
  }
  const { follower, seen } = failing([], tooLong);
  await catchUp(follower, size, 1);
  t.deepEqual(seen, [id!]);
  t.deepEqual(skipped, []);
});

test('pages grow while they are full and quick', async (t) => {
  const ids = await write(800);
  const { follower, sizes } = failing([], tooLong);
  await follow(world.db, follower);
  t.deepEqual(sizes, [50, 100, 200, 400, 50]);
  t.is(
    sizes.reduce((sum, size) => sum + size),
    ids.length,
  );
});

test('a failing page rolls back, and a follower without a size skips nothing', async (t) => {
  const ids = await write(3);
  const killed = failing([ids[1]!], () => Promise.reject(new Error('killed')));
  for (let n = 0; n < 5; n++) await t.throwsAsync(follow(world.db, killed.follower), { message: 'killed' });
  const { follower, seen } = failing([], tooLong);
  await follow(world.db, follower);
  t.deepEqual(seen, ids);
});
