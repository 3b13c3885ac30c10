/** Bundles our code and its packages into a few files with esbuild: a process that loads them starts sooner and needs less memory.
 *  Names are kept for stack traces. `import.meta.url` stays the source's, so that code finds the files that lie beside its source. */
import { readFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';

const root = fileURLToPath(new URL('../../', import.meta.url));

export interface Wanted {
  /** What processes and threads begin with: source paths from the root, by the name of the file to make. */
  entries: Record<string, string>;
  /** Packages that are not bundled. */
  external?: string[];
  /** JavaScript expression for the URL of the project's root, in a file of `folder`. */
  home: string;
  /** Constants by name, as JavaScript. */
  define?: Record<string, string>;
}

/** Fills `folder` with `NAME.js` for each entry and the chunks that they share. Resolves to the source files of ours that are in it. */
export async function bundle(folder: string, { entries, external = [], home, define = {} }: Wanted): Promise<string[]> {
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

/** The expression in pieces: this file is bundled as well, and there it would mean its source. */
export const OUTPUT_URL = ['import', 'meta', 'url'].join('.');

/** CommonJS packages in the bundle call `require` for built-in modules and external packages. */
const requires = `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(${OUTPUT_URL});`;

/** Threads that are entries are started from their bundle; every other place is that of the source. */
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
