/** `npm run build` writes the deployed files to `built/`. Without a build everything runs from source, with more memory. */
import { execFileSync } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleEditor, editorSources } from '../pages/editor/bundle.ts';
import { bundleScripts } from '../pages/static/bundle.ts';
import { messageOf } from '../values/errors.ts';
import { hashOf, type Sources } from './sources.ts';

const processes = { web: 'src/web.ts', worker: 'workers/index.ts', stint: 'src/cli.ts' };

const threads = {
  strengthThread: 'src/accounts/strengthThread.ts',
  holidayThread: 'src/accounts/holidayThread.ts',
  ruleThread: 'src/recurring/ruleThread.ts',
  noteThread: 'src/personal-notes/html/noteThread.ts',
  readingThread: 'src/import/runs/readingThread.ts',
  scopeThread: 'src/capacity/whatIf/scopeThread.ts',
  formatThread: 'src/pages/frame/formatting/formatThread.ts',
  computingThread: 'workers/computing/entry.ts',
};

const root = fileURLToPath(new URL('../../', import.meta.url));

function commitOf(given: string | undefined): string | null {
  if (given) return given.slice(0, 12);
  try {
    return execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return null;
  }
}

/** `home`: URL of the project's root if `folder` is not directly in it. Throws if the development packages are missing. */
export async function buildInto(folder: string, home?: string): Promise<void> {
  const { bundle, OUTPUT_URL } = await import('./bundle.ts').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ERR_MODULE_NOT_FOUND'
      ? new Error('npm run build needs the development packages: run npm ci first, without --omit=dev.', { cause: error })
      : error;
  });
  const mains = Object.entries(processes).map(([name, path]) => [`${name}-main`, path]);
  const { scripts, sources: scriptSources } = await bundleScripts();
  const bundled = await bundle(folder, {
    entries: { check: 'src/build/check.ts', ...Object.fromEntries(mains), ...threads },
    // 10 MB, used only for graphile-worker configurations in TypeScript.
    external: ['typescript'],
    home: home ? JSON.stringify(home) : `new URL('../', ${OUTPUT_URL}).href`,
    define: {
      STINT_COMMIT: JSON.stringify(commitOf(process.env.SOURCE_VERSION)),
      STINT_SCRIPTS: JSON.stringify(scripts),
      STINT_EDITOR: JSON.stringify(bundleEditor()),
    },
  });
  const files = [...new Set([...bundled, ...scriptSources, ...editorSources])].sort();
  const sources: Sources = { hash: hashOf(files, root), files };
  await writeFile(join(folder, 'sources.json'), JSON.stringify(sources));
  // The check must run before any code that an old Node can't load.
  for (const name of Object.keys(processes))
    await writeFile(join(folder, `${name}.js`), `import './check.js';\nawait import('./${name}-main.js');\n`);
}

if (import.meta.main) {
  const builtFolder = join(root, 'built');
  await rm(builtFolder, { recursive: true, force: true });
  await buildInto(builtFolder).catch((error) => {
    console.error(messageOf(error));
    process.exit(1);
  });
}
