/** The browser scripts, one file for each set of pages, made by esbuild: by `npm run build`, otherwise at start. The global `stint` has the
 *  modules of `app`: other files import them from there, so that each module runs once on a page. */
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { keysOf, recordOf, valueAt } from '../../values/records.ts';

type Plugin = import('esbuild').Plugin;

const root = fileURLToPath(new URL('../../../', import.meta.url));
const folder = 'src/pages/static/js';
const require = createRequire(import.meta.url);

/** Loaded on every page. They listen on the document, so they also work for content swapped in later. Listeners run in this order. */
const app = [
  ...['shared', 'questions', 'toast', 'live', 'panels', 'menu', 'select', 'copy', 'clock', 'zone', 'send', 'fresh', 'palette', 'keys'],
  ...['rows', 'foldFields', 'filters', 'quickAdd', 'composeLinks', 'keepTyped', 'follow', 'stream', 'outbox', 'navigate'],
];
/** Loaded only by pages that list them in Page.scripts; `picker` by all that have one (layout.ts). */
const pages = {
  notes: ['notesPage', 'notesProtected', 'notesFiles', 'notesList'],
  agenda: ['agenda'],
  board: ['board'],
  capacity: ['capacity'],
  compose: ['compose'],
  picker: ['picker', 'pickFind', 'menuExtras'],
  reference: ['reference'],
  settings: ['settings'],
  item: ['mentions', 'drafts', 'inPlaceText', 'comments', 'itemFiles'],
  timesheet: ['timesheet'],
  timeline: ['timeline'],
  touch: ['swipe'],
};
export type PageBundle = keyof typeof pages;
export const pageBundles: readonly PageBundle[] = keysOf(pages);
export type ScriptFile = 'app' | 'worker' | PageBundle;

/** Replaces an import of a module of `app` by that module of the global `stint`. */
const fromApp: Plugin = {
  name: 'from app',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.\/\w+\.ts$/ }, ({ path }) => {
      const name = path.slice('./'.length, -'.ts'.length);
      return app.includes(name) ? { path: name, namespace: 'app' } : undefined;
    });
    onLoad({ filter: /./, namespace: 'app' }, ({ path }) => ({ contents: `module.exports = stint.${path};` }));
  },
};

const importsOf = (names: readonly string[]): string => names.map((name) => `import './${name}.ts';`).join('');

function contentsOf(file: ScriptFile): string {
  if (file === 'app') return app.map((name) => `export * as ${name} from './${name}.ts';`).join('');
  return importsOf(file === 'worker' ? ['worker'] : pages[file]);
}

/** The text of a file, and the paths of its sources. */
async function bundle(file: ScriptFile): Promise<{ text: string; sources: string[] }> {
  const { build } = require('esbuild') as typeof import('esbuild');
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    stdin: { contents: contentsOf(file), resolveDir: `${root}${folder}` },
    bundle: true,
    minify: true,
    metafile: true,
    format: 'iife',
    ...(file === 'app' ? { globalName: 'stint' } : { plugins: [fromApp] }),
    target: 'es2023',
    charset: 'utf8',
    legalComments: 'none',
    write: false,
    logLevel: 'error',
  });
  const [output] = outputFiles;
  if (!output) throw new Error(`esbuild made no ${file}.js.`);
  return { text: output.text, sources: Object.keys(metafile.inputs).filter((path) => path.startsWith('src/')) };
}

/** The text of each file, and the paths of all sources. Needs the development packages. */
export async function bundleScripts(): Promise<{ scripts: Record<ScriptFile, string>; sources: string[] }> {
  const files: readonly ScriptFile[] = ['app', 'worker', ...pageBundles];
  const made = await Promise.all(files.map(async (file) => ({ file, ...(await bundle(file)) })));
  const texts = new Map(made.map(({ file, text }) => [file, text]));
  return {
    scripts: recordOf(files, (file) => valueAt(texts, file)),
    sources: [...new Set(made.flatMap(({ sources }) => sources))].sort(),
  };
}
