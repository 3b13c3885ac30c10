/** How the files of the tests are run. Most wait more than they compute, for PostgreSQL, browsers, clocks and processes that start: so more
 *  of them run at once than there are cores. */
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

/** Each file has a process of its own, and some start browsers. */
const MOST_AT_ONCE = 8;

/** They run in the order of their names, except for the longest unit tests and those that take half a minute or more of clocks, kills and
 *  restarts: these stand here with the name before which they begin. Early, so that none is left over at the end while other cores are
 *  idle, and apart, for each starts one process after another; most beside the browsers, which need what they leave of the processor. */
const begin = {
  // Behind a few others: what they compiled is at hand then for the thirty processes that it starts.
  'chaos/chaos.db': 'accounts/',
  'start.db': 'attacks/',
  'chaos/alerts.db': 'capacity/',
  'web.db': 'comments/',
  'regexes.unit': 'comments/',
  'webhooks/resolve.unit': 'comments/',
  'start/dev.db': 'import/',
  'pages/everyPage.browser': 'import/',
  'workers/reminders.db': 'pages/',
  'workers/worker.db': 'pages/d',
  'workers/restart.db': 'pages/k',
  'workers/clocks.db': 'pages/p',
};

/** test/run.ts runs these from source, after the bundled ones. */
const later = (process.env.STINT_TESTS_LATER ?? '').split(' ').filter(Boolean);

const compiledSources = fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url));

function place(file) {
  const name = file.replace(/^.*\/test\//, '').replace(/\.test\.ts$/, '');
  return begin[name] ?? name;
}

export default {
  files: ['test/**/*.test.ts', ...later.map((file) => `!${file}`)],
  extensions: ['ts'],
  concurrency: Math.min(2 * availableParallelism(), MOST_AT_ONCE),
  timeout: '10m',
  workerThreads: false,
  // Processes load compiled sources from the last run.
  environmentVariables: { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? compiledSources },
  sortTestFiles: (a, b) => (place(a) < place(b) ? -1 : 1),
};
