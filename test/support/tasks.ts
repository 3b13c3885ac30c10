/** The tasks of a worker in this process: single ones, or all due jobs. */
import { Logger, runOnce } from 'graphile-worker';
import type { Config } from '../../src/config.ts';
import { makeLogger } from '../../src/log.ts';
import { ComputingThreads } from '../../workers/computing/threads.ts';
import { queuePool } from '../../workers/pools.ts';
import { lanes, type TaskContext, taskList } from '../../workers/tasks.ts';
import type { World } from './timeWorld.ts';
import { TEST_SECRET } from './world.ts';

/** By database. A thread takes longer to start than most forecasts to compute. */
const threads = new Map<string, ComputingThreads>();

function threadsOf({ url }: World): ComputingThreads {
  const shared = threads.get(url) ?? new ComputingThreads(url);
  threads.set(url, shared);
  return shared;
}

/** The context of a task. */
export const contextOf = (world: World): TaskContext =>
  ({
    db: world.db,
    config: { mail: {}, auditDays: 400, secretKey: TEST_SECRET, webhookPrivateAddresses: true } as Config,
    log: makeLogger('silent', 'worker'),
    computations: threadsOf(world),
    outbound: { held: false },
    observeDelivery() {},
    observeRewrite() {},
    signal: new AbortController().signal,
  }) as TaskContext;

/** Runs every due job, and the jobs that they add. */
export async function runDueJobs(world: World): Promise<void> {
  const context = contextOf(world);
  const pgPool = queuePool(world.url, 3);
  try {
    await runOnce({
      pgPool,
      taskList: taskList(Object.assign({}, ...Object.values(lanes)), context),
      noHandleSignals: true,
      logger: new Logger(() => () => {}),
    });
  } finally {
    await pgPool.end();
  }
}
