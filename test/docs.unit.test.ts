/** The length of all documents together: behaviour, operations and the rest are read whole, so each new rule should replace words. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from './support/suite.ts';

const test = suite(import.meta.url);

const root = fileURLToPath(new URL('../', import.meta.url));

/** The aim is 36,000. Lower this as the documents get shorter. */
const MOST_WORDS = 38_000;

/** Runs of characters between blanks with at least one letter or digit: bars of tables and dashes of lists are no words. */
const wordsIn = (text: string): number => text.split(/\s+/).filter((run) => /[\p{L}\p{N}]/u.test(run)).length;

test('all documents together keep within their limit of words', (t) => {
  const paths = globSync(['*.md', 'docs/**/*.md'], { cwd: root });
  t.true(paths.length > 30);
  const words = paths.map((path) => wordsIn(readFileSync(join(root, path), 'utf8'))).reduce((sum, count) => sum + count, 0);
  t.true(words <= MOST_WORDS, `${words} words`);
});
