/** `npm run build`: what is deployed, into `built/`. The Procfile and the image run it; without it everything runs from its sources, with more memory. */
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { bundle, HERE } from './bundle.ts';

/** What a web and a worker process begin with, and the threads that they start. */
const beginnings = [
  'src/web.ts',
  'workers/index.ts',
  'src/accounts/strengthThread.ts',
  'src/pages/frame/formatting/formatThread.ts',
  'workers/computing/entry.ts',
];

/** Ten megabytes for those who configure their queue in it. */
const neverAskedFor = ['typescript'];

const builtFolder = fileURLToPath(new URL('../../built', import.meta.url));

/** It may be moved with the project, unless that is named: a platform builds in one place and runs in another. */
export const buildInto = (folder: string, project?: string): Promise<string> =>
  bundle(folder, {
    beginnings,
    apart: neverAskedFor,
    home: (depth) => (project ? JSON.stringify(project) : `new URL('${'../'.repeat(depth + 1)}', ${HERE}).href`),
  });

if (import.meta.main) {
  await rm(builtFolder, { recursive: true, force: true });
  await buildInto(builtFolder);
}
