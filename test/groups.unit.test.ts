/** Each test file runs in one group, and so once a run. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from './support/suite.ts';

const test = suite(import.meta.url);

const here = fileURLToPath(new URL('.', import.meta.url));

test('each test file belongs to exactly one group', (t) => {
  const inGroups = globSync('groups/**/*.ts', { cwd: here }).flatMap((group) =>
    [...readFileSync(join(here, group), 'utf8').matchAll(/^import '(.+)';$/gm)].map((match) => join(group, '..', match[1]!)),
  );
  t.deepEqual(inGroups.sort(), globSync('**/*.test.ts', { cwd: here }).sort());
});
