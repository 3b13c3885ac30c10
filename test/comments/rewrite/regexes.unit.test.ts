/** Every regular expression for notes and model answers is proven to run in linear time. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { checkExpression, expressionsOf } from '../../support/expressions.ts';
import { suite } from '../../support/suite.ts';

const test = suite(import.meta.url);

const folder = fileURLToPath(new URL('../../../src/comments/rewrite/', import.meta.url));

const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));

test('every regular expression of the rewrite is linear', async (t) => {
  const expressions = new Set(files.flatMap((file) => expressionsOf(folder + file)));
  t.true(expressions.size > 20);
  for (const expression of expressions) t.is(await checkExpression(expression), 'safe', expression);
});

test('no regular expression is built at run time, where the proof could not check it', (t) => {
  for (const file of files) t.notRegex(readFileSync(folder + file, 'utf8'), /\bRegExp\(/, file);
});
