/** The first import of every built process. Exits if Node is too old or the build differs from the adjacent sources (behaviour §1.22). */
import '../start/requireNode.js';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hashOf, type Sources } from './sources.ts';

const home = fileURLToPath(new URL('../../', import.meta.url));
// `import.meta.resolve` refers to the built file; `import.meta.url` refers to the source (bundle.ts).
const { hash, files }: Sources = JSON.parse(readFileSync(new URL(import.meta.resolve('./sources.json')), 'utf8'));
const hasSources = files.some((file) => existsSync(join(home, file)));
if (hasSources && hashOf(files, home) !== hash) {
  process.stderr.write('built/ was not made from the sources beside it: run npm run build, then start again.\n');
  process.exit(1);
}
