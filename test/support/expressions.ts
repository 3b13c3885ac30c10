/** Regular expressions in source files, and whether they run in linear time. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { check } from 'recheck';
import ts from 'typescript';

/** True if the checker has a binary for this machine, which needs a quarter of the CPU. By default it would start Java. */
function hasBinary(): boolean {
  const system = { linux: 'linux', darwin: 'macos', win32: 'windows' }[process.platform as string];
  try {
    createRequire(import.meta.url).resolve(`recheck-${system}-${process.arch}/package.json`);
    return true;
  } catch {
    return false;
  }
}

process.env.RECHECK_BACKEND ??= hasBinary() ? 'native' : 'pure';

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
