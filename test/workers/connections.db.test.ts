/** The connections that a worker holds, as PostgreSQL counts them. */
import { freshDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { suite } from '../support/suite.ts';
import { type Queue, queueOf, runningWorker } from '../support/workers.ts';

const test = suite(import.meta.url);

const held = `select count(*)::integer as count from pg_stat_activity where datname = current_database() and application_name = 'stint worker'`;

/** The maximum until the condition is true. */
async function mostHeld(queue: Queue, condition: string): Promise<number> {
  let most = 0;
  const look = async () => {
    const [{ count, over }] = await queue.rows(`select count, (${condition}) as over from (${held}) h`);
    most = Math.max(most, count);
    return over as boolean;
  };
  if (!(await eventually(look, Boolean))) throw new Error(`Never true: ${condition}`);
  return most;
}

for (const [poolSize, declare] of [
  [3, test],
  [10, test.long],
] as const) {
  declare(
    `with DATABASE_POOL_SIZE=${poolSize} a busy worker holds at most ${poolSize + 2} connections and an idle one at most 4`,
    async (t) => {
      const url = await freshDatabase(t);
      const queue = await queueOf(t, url);
      await runningWorker(t, url, { env: { DATABASE_POOL_SIZE: String(poolSize) } });
      await queue.rows(`select graphile_worker.add_job('remind_long_timer', json_build_object('entryId', n)),
      graphile_worker.add_job('mail_notification', json_build_object('notificationId', n)),
      graphile_worker.add_job('deliver_webhook', json_build_object('webhookId', n)),
      graphile_worker.add_job('snapshot_workspace', json_build_object('workspaceId', n))
      from generate_series(1, 100) n`);
      const most = await mostHeld(queue, 'select count(*) = 0 from graphile_worker.jobs where run_at <= now()');
      t.true(most > 2 && most <= poolSize + 2, `${most} were held`);
      await queue.until(`select count <= 4 as few from (${held}) h`);
      // Until each lane's next heartbeat.
      const [{ at }] = await queue.rows('select max(seen_at)::text as at from workers');
      t.true((await mostHeld(queue, `select min(seen_at) > '${at}'::timestamptz from workers`)) <= 4);
    },
  );
}

test('a worker prints its log only, no warnings of libraries', async (t) => {
  const { lines } = await runningWorker(t, await freshDatabase(t));
  t.deepEqual(
    lines.filter((line) => !line.startsWith('{')),
    [],
  );
});
