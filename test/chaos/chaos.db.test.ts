/** A short run. `npm run chaos` is the long one and also checks times against their limits. */

import { suite } from '../support/suite.ts';
import { isThorough } from '../support/thorough.ts';
import { FAILOVER } from './faults.ts';
import { table } from './report.ts';
import { runChaos } from './run.ts';

const test = suite(import.meta.url);

test('every acknowledged write exists exactly once after faults of processes, PostgreSQL and connections, and a failover', async (t) => {
  t.timeout(240_000, 'the run did not end');
  const report = await runChaos({ seed: 20_260_302, durationMs: isThorough ? 60_000 : 15_000, agents: isThorough ? 4 : 2 });
  t.log(table(`chaos, seed ${report.seed}`, report.rows));
  const details = report.rows.flatMap(({ name, promise }) =>
    promise?.kept === false && !promise.isTime ? [name, ...promise.details] : [],
  );
  t.deepEqual(details, []);
  t.truthy(
    report.rows.find(({ name }) => name.trim() === FAILOVER),
    'no failover took place',
  );
});
