/** Code as a few files instead of the 1,350 that it is written in: a process that loads them starts sooner and needs a quarter less memory.
 *  Whoever starts a process names it as ever, `src/web.ts`: a hook, preloaded, finds it here. Names are kept, so that a stack says where it
 *  was, and code still believes to be at home (`import.meta.url`): what it reads beside itself stays where it is. */
import { readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';

const root = fileURLToPath(new URL('../../', import.meta.url));

export interface Wanted {
  /** What processes and threads begin with, as paths from the root. */
  beginnings: string[];
  /** Packages that stay where they are. */
  apart?: string[];
  /** JavaScript for the URL of the root, in a file so many folders below `folder`. */
  home: (depth: number) => string;
}

/** Fills `folder`, which must not exist. Resolves to the hook's path. */
export async function bundle(folder: string, { beginnings, apart = [], home }: Wanted): Promise<string> {
  await build({
    absWorkingDir: root,
    entryPoints: beginnings.map((path) => ({ in: path, out: bundled(path) })),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    chunkNames: 'shared/[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    banner: { js: `${requires}\nconst rootOfStint = ${home(1)};` },
    external: apart,
    plugins: [atHome],
    logLevel: 'error',
  });
  const hook = join(folder, 'use.mjs');
  await writeFile(hook, hookFor(Object.fromEntries(beginnings.map((path) => [path, `./${bundled(path)}.mjs`])), home(0)));
  return hook;
}

/** All one folder below. */
const bundled = (path: string) => `begin/${path.replace(/\.\w+$/, '').replaceAll('/', '.')}`;

/** Where a bundled file lies. In pieces, for this file is in a bundle as well, and says where it was at home. */
export const HERE = ['import', 'meta', 'url'].join('.');

/** What CommonJS packages in the bundle ask for by `require`: built-in modules, and packages that are not in it. */
const requires = `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(${HERE});`;

const atHome: Plugin = {
  name: 'at home',
  setup({ onLoad }) {
    onLoad({ filter: /\.[cm]?[jt]s$/ }, async ({ path }) => {
      const file = `new URL(${JSON.stringify(relative(root, path))}, rootOfStint)`;
      const places: Record<string, string> = {
        url: `${file}.href`,
        filename: `process.getBuiltinModule('node:url').fileURLToPath(${file})`,
        dirname: `process.getBuiltinModule('node:url').fileURLToPath(new URL('.', ${file})).slice(0, -1)`,
      };
      const source = await readFile(path, 'utf8');
      const contents = source.replaceAll(/\bimport\.meta\.(url|filename|dirname)\b/g, (_all, name: string) => places[name]!);
      return { contents, loader: path.endsWith('ts') ? 'ts' : 'js' };
    });
  },
};

/** Loaded by every Node that is told to: one that is too old for hooks must not stumble over this. */
const hookFor = (places: Record<string, string>, home: string) => `import * as module from 'node:module';
const rootOfStint = ${home};
const places = new Map();
for (const [path, place] of Object.entries(${JSON.stringify(places)}))
  places.set(new URL(path, rootOfStint).href, new URL(place, ${HERE}).href);
module.registerHooks?.({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    const url = places.get(found.url);
    return url ? { ...found, url, format: 'module' } : found;
  },
});
`;
