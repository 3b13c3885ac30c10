/** A file's tests. The file runs alone, or with others in one process as part of a group (test/groups).
 *
 *  ```ts
 *  const test = suite(import.meta.url);
 *  test.before('a server', async () => { web = await startWeb(database.url); });
 *  test.after('stop', () => web.stop());
 *  test('a stale version is refused', async (t) => { … });
 *  ```
 *
 *  Tests of a process run one after another. `before` hooks run before the suite's first test, `after` hooks before the next suite's. */
import { fileURLToPath } from 'node:url';
import ava, { type ExecutionContext } from 'ava';
import { isThorough } from './thorough.ts';

type Run = (t: ExecutionContext) => unknown;
/** With or without a title, which only readers need. */
type Hook = (...given: [title: string, run: Run] | [run: Run]) => void;

export interface Suite {
  (title: string, run: Run): void;
  /** A test for `npm run test:long` only. */
  long(title: string, run: Run): void;
  before: Hook;
  beforeEach: Hook;
  after: Hook;
  /** Runs after all `after` hooks. */
  cleanup(run: () => unknown): void;
}

interface Hooks {
  before: Run[];
  beforeEach: Run[];
  after: Run[];
  cleanup: (() => unknown)[];
}

let declared: Suite | undefined;
let open: { hooks: Hooks; ready: Promise<void> } | undefined;

/** The suite whose file is being loaded, for helpers that add hooks. */
export function currentSuite(): Suite {
  if (!declared || open) throw new Error('Call this at the top level of the file, after `const test = suite(import.meta.url)`.');
  return declared;
}

export function suite(url: string): Suite {
  // Not while this module loads: ava accepts no tests after a file's first tick, and imports of a file may await.
  if (!declared) ava.after.always('leave the last suite', (t) => leave(t as ExecutionContext));
  const hooks: Hooks = { before: [], beforeEach: [], after: [], cleanup: [] };
  const prefix = ava.meta.file === url ? '' : `${nameOf(url)} › `;
  const test = (title: string, run: Run) =>
    ava.serial(prefix + title, async (t) => {
      await enter(hooks, t);
      for (const hook of hooks.beforeEach) await hook(t);
      await run(t);
    });
  const hook =
    (kind: 'before' | 'beforeEach' | 'after'): Hook =>
    (...given) =>
      hooks[kind].push(given.at(-1) as Run);
  declared = Object.assign(test, {
    long: isThorough ? test : () => {},
    before: hook('before'),
    beforeEach: hook('beforeEach'),
    after: hook('after'),
    cleanup: (run: () => unknown) => hooks.cleanup.push(run),
  });
  return declared;
}

/** file:///…/test/items/decide.unit.test.ts -> items/decide.unit */
const nameOf = (url: string) => fileURLToPath(url).replace(/^.*\/test\/(.+)\.test\.ts$/, '$1');

/** Every test of a suite waits for its `before` hooks, and fails if one of them failed. */
async function enter(hooks: Hooks, t: ExecutionContext): Promise<void> {
  if (open?.hooks !== hooks) {
    await leave(t);
    open = { hooks, ready: inOrder(hooks.before, t) };
  }
  await open.ready;
}

async function leave(t: ExecutionContext): Promise<void> {
  if (!open) return;
  const { ready, hooks } = open;
  open = undefined;
  await ready.catch(() => {});
  await inOrder([...hooks.after, ...hooks.cleanup], t);
}

async function inOrder(runs: Run[], t: ExecutionContext): Promise<void> {
  for (const run of runs) await run(t);
}
