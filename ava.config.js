/** How the files of the tests are run. Most wait more than they compute, for PostgreSQL, browsers, clocks and processes that start, so that
 *  more of them run at once than there are cores; the longest begin first, so that no core is left idle by one of them at the end. */
import { availableParallelism } from 'node:os';

/** Each file has a process of its own, and some start browsers. */
const MOST_AT_ONCE = 8;

const longest = [
  'chaos/chaos.db',
  'start.db',
  'workers/reminders.db',
  'mcp/once.db',
  'workers/worker.db',
  'access/outside.db',
  'workers/restart.db',
  'start/dev.db',
];

const rank = (file) => {
  const found = longest.findIndex((name) => file.endsWith(`/test/${name}.test.ts`));
  return found < 0 ? longest.length : found;
};

export default {
  files: ['test/**/*.test.ts'],
  extensions: ['ts'],
  concurrency: Math.min(2 * availableParallelism(), MOST_AT_ONCE),
  timeout: '3m',
  workerThreads: false,
  sortTestFiles: (a, b) => rank(a) - rank(b) || a.localeCompare(b),
};
