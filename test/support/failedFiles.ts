/** The failed test files, read from AVA's output. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Paths like test/mcp/items.db.test.ts of every line with a failure, a crash or a test pending at a timeout. AVA leaves out the folders that
 *  all files of a run share: `run` are the files of a run of some. */
export function failedFiles(output: string, run: readonly string[] = []): string[] {
  const plain = output.replace(/\u001b\[[0-9;]*m/g, '');
  const found = new Set<string>();
  for (const line of plain.split('\n')) {
    const crashed = /✘ (test\/\S+\.ts) exited/.exec(line)?.[1];
    if (crashed) found.add(crashed);
    const failed = /(?:✘ \[fail\]: |◌ |✘ \d+ tests? remaining in )(.+)/.exec(line)?.[1];
    const file = failed && fileOf(failed, run);
    if (file) found.add(file);
  }
  return [...found];
}

/** Of files that failed in the whole run, those that passed alone. AVA does not name the file if it ran only one. */
export function flakyFiles(failed: readonly string[], alone: { code: number; output: string }): readonly string[] {
  if (alone.code === 0) return failed;
  const broken = failedFiles(alone.output, failed);
  return failed.filter((file) => failed.length > 1 && !broken.includes(file));
}

/** `groups › items › mcp/items.db › a title › with marks`, or `mcp › items.db › a title` of a file that ran alone ->
 *  test/mcp/items.db.test.ts. */
function fileOf(title: string, run: readonly string[]): string | undefined {
  if (/^test\/\S+\.test\.ts/.test(title)) return title.split(/\s/)[0];
  const parts = title.split(' › ');
  for (let from = 0; from < parts.length; from++) {
    for (let to = parts.length; to > from; to--) {
      const path = `${parts.slice(from, to).join('/')}.test.ts`;
      if (existsSync(`${root}test/${path}`)) return `test/${path}`;
      const shortened = run.find((file) => file.endsWith(`/${path}`));
      if (shortened) return shortened;
    }
  }
  return undefined;
}
