/** Regular expressions in source files, and whether they run in linear time. */
import { readFileSync } from 'node:fs';
import { check } from 'recheck';
import ts from 'typescript';

/** The literals of a file. */
export function expressionsOf(path: string): string[] {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** `safe` when no input makes it slow. */
export async function checkExpression(expression: string): Promise<string> {
  const [, source, flags] = /^\/(.*)\/([a-z]*)$/s.exec(expression)!;
  return (await check(source!, flags!, { timeout: 60_000 })).status;
}
