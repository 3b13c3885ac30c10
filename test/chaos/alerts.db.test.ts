/** `npm run chaos -- --alerts`, as a test. */

import { suite } from '../support/suite.ts';
import { runAlerts } from './alerts.ts';
import { broken, table } from './report.ts';

const test = suite(import.meta.url);

test('each alert fires in its situation, and no worker alert fires while the database is down', async (t) => {
  t.timeout(240_000, 'the run did not end');
  const rows = await runAlerts();
  t.log(table('alerts that do not ring as they should', rows));
  t.deepEqual(
    broken(rows).map(({ name, promise }) => [name, ...promise!.details]),
    [],
  );
});
