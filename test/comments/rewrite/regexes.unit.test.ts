/** Every regular expression that meets a note, or a model's answer, is proven to run in linear time. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { check } from 'recheck';
import ts from 'typescript';

// In this process: the other backends start Java or a binary.
process.env.RECHECK_BACKEND = 'pure';

const folder = fileURLToPath(new URL('../../../src/comments/rewrite/', import.meta.url));

function expressionsOf(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(folder + file, 'utf8'), ts.ScriptTarget.Latest);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const files = readdirSync(folder).filter((file) => file.endsWith('.ts'));

test('every regular expression of the rewriting is linear', async (t) => {
  const expressions = new Set(files.flatMap(expressionsOf));
  t.true(expressions.size > 20);
  for (const expression of expressions) {
    const [, source, flags] = /^\/(.*)\/([a-z]*)$/s.exec(expression)!;
    const found = await check(source!, flags!, { timeout: 60_000 });
    t.is(found.status, 'safe', expression);
  }
});

test('no expression is built at run time, where the proof would not see it', (t) => {
  for (const file of files) t.notRegex(readFileSync(folder + file, 'utf8'), /\bRegExp\(/, file);
});
