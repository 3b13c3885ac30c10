/** Bundles code and packages with esbuild for a faster start and less memory. `import.meta.url` stays that of the source file. */

import { readFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';

const root = fileURLToPath(new URL('../../', import.meta.url));

export interface BundleOptions {
  /** Entry files of processes and threads: source paths from the root, by output name. */
  entries: Record<string, string>;
  external?: string[];
  /** JavaScript expression for the URL of the project's root, evaluated in a file of `folder`. */
  home: string;
  define?: Record<string, string>;
}

/** Writes `NAME.js` for each entry, and shared chunks, to `folder`. Returns the paths of the bundled sources of ours. */
export async function bundle(folder: string, { entries, external = [], home, define = {} }: BundleOptions): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: Object.entries(entries).map(([out, path]) => ({ in: path, out })),
    outdir: folder,
    chunkNames: 'shared-[hash]',
    bundle: true,
    splitting: true,
    metafile: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    banner: { js: `${requires}\nconst rootOfStint = ${home};` },
    external,
    define,
    plugins: [atSource(entries)],
    logLevel: 'error',
  });
  return Object.keys(metafile.inputs)
    .filter((path) => /^(src|workers)\//.test(path))
    .sort();
}

/** Joined from pieces, because the bundler would replace the whole expression in this file, too. */
export const OUTPUT_URL = ['import', 'meta', 'url'].join('.');

/** CommonJS packages in the bundle call `require` for built-in modules and external packages. */
const requires = `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(${OUTPUT_URL});`;

/** Replaces `import.meta.url` by the URL of the source. A URL of an entry thread becomes that of its bundle. */
const atSource = (entries: Record<string, string>): Plugin => ({
  name: 'at source',
  setup({ onLoad }) {
    const names = new Map(Object.entries(entries).map(([name, path]) => [resolve(root, path), name]));
    onLoad({ filter: /\.[cm]?[jt]s$/ }, async ({ path }) => {
      const file = `new URL(${JSON.stringify(relative(root, path))}, rootOfStint)`;
      const places: Record<string, string> = {
        url: `${file}.href`,
        filename: `process.getBuiltinModule('node:url').fileURLToPath(${file})`,
        dirname: `process.getBuiltinModule('node:url').fileURLToPath(new URL('.', ${file})).slice(0, -1)`,
      };
      const source = await readFile(path, 'utf8');
      const contents = source.replaceAll(
        /new URL\('([^']+\.ts)', import\.meta\.url\)|\bimport\.meta\.(url|filename|dirname)\b/g,
        (all, entry: string | undefined, place: string | undefined) => {
          if (place) return places[place]!;
          const name = names.get(resolve(path, '..', entry!));
          return name ? `new URL('./${name}.js', ${OUTPUT_URL})` : all.replace(OUTPUT_URL, places.url!);
        },
      );
      return { contents, loader: path.endsWith('ts') ? 'ts' : 'js' };
    });
  },
});
