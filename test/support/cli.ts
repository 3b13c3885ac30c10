/** The operator's command line: `stint` as a separate process, as `npm run -s stint --` runs it; `stintHere` in this process. */
import { spawn } from 'node:child_process';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { type Context, openContext } from '../../src/cli/command.ts';
import { run } from '../../src/cli/run.ts';
import { spool } from '../../src/import/file/source.ts';

const script = fileURLToPath(new URL('../../src/cli.ts', import.meta.url));

export interface CliResult {
  code: number | null;
  stdout: string;
  stderr: string;
  // biome-ignore lint/suspicious/noExplicitAny: what a command prints is looked into freely
  json: any;
}

export interface CliSettings {
  env?: Record<string, string | undefined>;
  /** Written to stdin. */
  input?: string;
  cwd?: string;
}

function asJson(stdout: string) {
  // Lines of JSON are not one JSON value.
  return stdout.startsWith('{') && !/\}\n\{/.test(stdout) ? JSON.parse(stdout) : undefined;
}

/** Runs `stint ...words` against a database; `json` is stdout when that is JSON. */
export async function stint(
  databaseUrl: string | undefined,
  words: string[],
  { env, input = '', cwd }: CliSettings = {},
): Promise<CliResult> {
  const environment = { ...process.env, SECRET_KEY: undefined, INIT_CWD: undefined, DATABASE_URL: databaseUrl, ...env };
  const child = spawn(process.execPath, [script, ...words], { env: environment, stdio: 'pipe', timeout: 60_000, ...(cwd && { cwd }) });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const code = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await code, stdout, stderr, json: asJson(stdout) };
}

/** Like `stint`, without a process, which takes most of the time. The command's environment has only what is given. */
export async function stintHere(
  databaseUrl: string | undefined,
  words: string[],
  { env, input = '' }: CliSettings = {},
): Promise<CliResult> {
  const { context, close } = openContext({ DATABASE_URL: databaseUrl, ...env });
  try {
    let written = '';
    const write = async (piece: string) => {
      written += piece;
    };
    const readText: Context['readText'] = async (file) => (file === '-' ? input : context.readText(file));
    const openFile: Context['openFile'] = (file) => (file === '-' ? spool(Readable.from([Buffer.from(input)])) : context.openFile(file));
    const outcome = await run(words, { ...context, write, readText, openFile });
    const stdout = written + outcome.stdout;
    return { ...outcome, stdout, json: asJson(stdout) };
  } finally {
    await close();
  }
}

/** For one database: resolves to the JSON of a command that must succeed. `_` in a word means a space. */
export function stintOn(databaseUrl: () => string) {
  return async (command: string, input?: string) => {
    const words = command.split(' ').map((word) => word.replaceAll('_', ' '));
    const result = await stintHere(databaseUrl(), [...words, '--json'], { input });
    if (result.code !== 0) throw new Error(`stint ${command}: ${result.stderr}`);
    return result.json;
  };
}
