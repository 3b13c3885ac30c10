/** Regular expressions as they stand in source, and whether they run in linear time. */
import { readFileSync } from 'node:fs';
import { check } from 'recheck';
import ts from 'typescript';

// In this process: the other backends start Java or a binary.
process.env.RECHECK_BACKEND = 'pure';

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
export async function judge(expression: string): Promise<string> {
  const [, source, flags] = /^\/(.*)\/([a-z]*)$/s.exec(expression)!;
  return (await check(source!, flags!, { timeout: 60_000 })).status;
}
