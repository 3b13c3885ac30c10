/** How the tests run. Most wait more than they compute, for PostgreSQL, browsers and processes that start: so more groups of them run at once
 *  than there are cores. */
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

/** Each group has a process of its own, and some start browsers. */
const MOST_AT_ONCE = 8;

const compiledSources = fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url));

export default {
  files: ['test/**/*.test.ts', 'test/groups/**/*.ts'],
  extensions: ['ts'],
  concurrency: Math.min(2 * availableParallelism(), MOST_AT_ONCE),
  // Tests of a process run one after another: each has its machine for itself as far as possible, also under load.
  serial: true,
  timeout: '10m',
  workerThreads: false,
  // Processes load compiled sources from the last run.
  environmentVariables: { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? compiledSources },
};
