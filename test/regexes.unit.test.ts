/** Every regular expression of the service is proven to run in linear time, or is listed here with its input's limit. Those of browser scripts run in the user's own browser, and those of the build read only our sources. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { checkExpression, expressionsOf } from './support/expressions.ts';
import { suite } from './support/suite.ts';

const test = suite(import.meta.url);

const root = fileURLToPath(new URL('../', import.meta.url));
const files = ['src', 'workers']
  .flatMap((folder) => readdirSync(root + folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`))
  .filter((name) => name.endsWith('.ts') && !/^src\/(?:build|pages\/(?:editor|static))\//.test(name));

/** Not linear, with the reason why that is harmless. */
const bounded: Record<string, string> = {
  '/\\/+$/': "the operator's own BASE_URL",
  '/=+$/': 'base64 of a hash, which ends with two at most',
  '/^_+|_+$/g': 'text in which no two of them are adjacent',
  '/<img src="([^"]{1,300})" alt="Image"/g': 'at most 300 characters from each start',
  '/ href="([^"]{1,300})" rel="noopener nofollow ugc">File (\\d{1,15})<\\/a>/g': 'at most 300 characters from each start',
};

test.long('every regular expression is linear, or its input is bounded', async (t) => {
  const expressions = new Map(files.flatMap((file) => expressionsOf(root + file).map((expression) => [expression, file] as const)));
  t.true(expressions.size > 70);
  const faults = Object.keys(bounded).filter((expression) => !expressions.has(expression));
  for (const [expression, file] of expressions) {
    if (expression in bounded) continue;
    const status = await checkExpression(expression);
    if (status !== 'safe') faults.push(`${file}: ${expression} ${status}`);
  }
  t.deepEqual(faults, []);
});

test('no regular expression is built at run time, where the proof could not check it', (t) => {
  for (const file of files) t.notRegex(readFileSync(root + file, 'utf8'), /\bRegExp\(/, file);
});
