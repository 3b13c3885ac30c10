/** A short run. `npm run chaos` is the long one and also checks times against their limits. */
import { suite } from '../support/suite.ts';
import { isThorough } from '../support/thorough.ts';
import { broken, table } from './report.ts';
import { runChaos } from './run.ts';

const test = suite(import.meta.url);

test('every acknowledged write exists exactly once after faults of processes, PostgreSQL and connections, and a failover', async (t) => {
  t.timeout(240_000, 'the run did not end');
  const { checks } = await runChaos({ seed: 20_260_302, durationMs: isThorough ? 60_000 : 15_000, agents: isThorough ? 4 : 2 });
  t.log(table(checks));
  t.deepEqual(broken(checks.filter(({ isTime }) => !isTime)), []);
});
