/** How the tests run. Most wait more than they compute, for PostgreSQL, browsers and processes that start: so more groups of them run at once
 *  than there are cores. */
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

/** Each group has a process of its own, and some start browsers. */
const MOST_AT_ONCE = 8;

const compiledSources = fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url));

/** The checker of regular expressions has a binary for some machines, which needs a quarter of the CPU. By default it would start Java. */
const system = { linux: 'linux', darwin: 'macos', win32: 'windows' }[process.platform];
const hasBinary = existsSync(new URL(`node_modules/recheck-${system}-${process.arch}/package.json`, import.meta.url));

export default {
  files: ['test/**/*.test.ts', 'test/groups/**/*.ts'],
  extensions: ['ts'],
  concurrency: Math.min(2 * availableParallelism(), MOST_AT_ONCE),
  // Tests of a process run one after another: each has its machine for itself as far as possible, also under load.
  serial: true,
  timeout: '10m',
  workerThreads: false,
  environmentVariables: {
    // Processes load compiled sources from the last run.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? compiledSources,
    RECHECK_BACKEND: process.env.RECHECK_BACKEND ?? (hasBinary ? 'native' : 'pure'),
  },
};
