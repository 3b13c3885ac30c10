/** `npm run chaos -- --alerts`, as a test. */
import { suite } from '../support/suite.ts';
import { runAlerts } from './alerts.ts';
import { broken } from './report.ts';

const test = suite(import.meta.url);

test('each alert fires in its situation, and no worker alert fires while the database is down', async (t) => {
  t.timeout(240_000, 'the run did not end');
  t.deepEqual(broken((await runAlerts()).checks), []);
});
