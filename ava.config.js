/** How the tests run. They often wait for PostgreSQL, browsers and processes that start, so more groups run at once than there are cores. */
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

/** Groups a core. Each has a process of its own. */
const AT_ONCE = 2.5;
const MOST_AT_ONCE = 8;

const compiledSources = fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url));

/** The checker of regular expressions has a binary for some machines, which needs a quarter of the CPU. By default it would start Java. */
const system = { linux: 'linux', darwin: 'macos', win32: 'windows' }[process.platform];
const hasBinary = existsSync(new URL(`node_modules/recheck-${system}-${process.arch}/package.json`, import.meta.url));

const longest = /groups\/(browser-.*|pages-.*|access|mcp|processes|items)\.ts$/;

export default {
  files: ['test/**/*.test.ts', 'test/groups/**/*.ts'],
  extensions: ['ts'],
  concurrency: Math.min(AT_ONCE * availableParallelism(), MOST_AT_ONCE),
  // The longest first.
  sortTestFiles: (a, b) => Number(longest.test(b)) - Number(longest.test(a)) || (a < b ? -1 : 1),
  timeout: '10m',
  workerThreads: false,
  environmentVariables: {
    // Processes load compiled sources from the last run.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? compiledSources,
    RECHECK_BACKEND: process.env.RECHECK_BACKEND ?? (hasBinary ? 'native' : 'pure'),
  },
};
