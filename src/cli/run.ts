/** Runs a command line. Prints JSON or lines for people on stdout, and messages on stderr. */
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { parseInput } from '../operations/input.ts';
import { AppError, InvalidRequest, messageOf } from '../values/errors.ts';
import { release } from '../values/version.ts';
import { type Command, type Context, Pieces } from './command.ts';
import { commands } from './commands.ts';

const call = 'npm run -s stint --';

function aligned(rows: [string, string][]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
}

export function helpOfAll(commands: Record<string, Command>, word?: string): string {
  const shown = Object.entries(commands).filter(([name]) => word === undefined || name.startsWith(`${word} `));
  const rows = shown.map(([name, { summary }]): [string, string] => [name, summary]);
  return `Usage: ${call} COMMAND [options] [--json]\n\n${aligned(rows)}\n\n${call} COMMAND --help lists the options of a command.`;
}

export function helpOf(name: string, { summary, argument, options, note }: Command): string {
  const spelled = Object.entries(options).map(([key, { value, ...option }]) => ({
    ...option,
    words: `--${key}${value === null ? '' : ` ${value}`}`,
  }));
  const needed = spelled.filter(({ schema }) => !schema.safeParse(undefined).success).map(({ words }) => words);
  const usage = [call, name, ...(argument ? [argument] : []), ...needed, '[options]'].join(' ');
  const rows = spelled.map(({ words, help }): [string, string] => [words, help]);
  const common: [string, string] = ['--json', 'print one JSON value on stdout'];
  return `Usage: ${usage}\n\n${summary.charAt(0).toUpperCase()}${summary.slice(1)}.\n\n${aligned([...rows, common])}${note ? `\n\n${note}` : ''}`;
}

export interface Outcome {
  stdout: string;
  stderr: string;
  code: 0 | 1;
}

const success = (stdout: string): Outcome => ({ stdout, stderr: '', code: 0 });
const refused = (stderr: string): Outcome => ({ stdout: '', stderr, code: 1 });

/** Never throws: errors are in the outcome. */
export async function run(words: string[], context: Context): Promise<Outcome> {
  const name = [words.slice(0, 2).join(' '), words[0] ?? ''].find((candidate) => Object.hasOwn(commands, candidate));
  const command = commands[name ?? ''];
  if (name === undefined || !command) return withoutCommand(words);
  const rest = words.slice(name.split(' ').length);
  try {
    return await runCommand(name, command, rest, context);
  } catch (error) {
    return refused(explained(error, command));
  }
}

function withoutCommand(words: string[]): Outcome {
  if (words[0] === '--version') return success(`stint ${release}`);
  const group = Object.keys(commands).some((name) => name.startsWith(`${words[0]} `)) ? words[0] : undefined;
  const help = helpOfAll(commands, group);
  if (words.includes('--help') && (words[0] === '--help' || group)) return success(help);
  const plain = words.filter((word) => !word.startsWith('--')).slice(0, 2);
  return refused(plain.length ? `There is no command '${plain.join(' ')}'.\n\n${help}` : help);
}

async function runCommand(name: string, command: Command, words: string[], context: Context): Promise<Outcome> {
  const { json, help, options, positionals } = parseWords(command, words);
  if (help) return success(helpOf(name, command));
  const wanted = command.argument && !(command.alone && options[command.alone]) ? 1 : 0;
  if (positionals.length !== wanted) {
    const want = wanted ? `Give ${command.argument} after '${name}'` : `'${name}' takes options only, no '${positionals[0]}'`;
    throw new InvalidRequest([], `${want}; see --help.`);
  }
  const schema = z.strictObject(Object.fromEntries(Object.entries(command.options).map(([key, option]) => [key, option.schema])));
  const result = await command.run(context, parseInput(schema, options), positionals[0] ?? '');
  if (result === undefined) return success('');
  if (result instanceof Pieces) {
    await writeAll(context, json ? result.json : result.lines);
    return success('');
  }
  const code = 'ok' in result && result.ok === false ? 1 : 0;
  return { stdout: json ? JSON.stringify(result) : (command.print ?? lines)(result), stderr: '', code };
}

const PIECE = 65_536;

/** Joins small pieces, because each write is a system call. */
async function writeAll(context: Context, pieces: Iterable<string>): Promise<void> {
  let text = '';
  for (const piece of pieces) {
    text += piece;
    if (text.length < PIECE) continue;
    await context.write(text);
    text = '';
  }
  await context.write(`${text}\n`);
}

interface Words {
  json: boolean;
  help: boolean;
  options: Record<string, unknown>;
  positionals: string[];
}

function parseWords(command: Command, words: string[]): Words {
  const known = Object.entries(command.options).map(([key, { value }]) => [key, { type: value === null ? 'boolean' : 'string' }] as const);
  const options = { ...Object.fromEntries(known), json: { type: 'boolean' }, help: { type: 'boolean' } } as const;
  try {
    const parsed = parseArgs({ args: words, options, allowPositionals: true, tokens: true });
    const names = parsed.tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []));
    const twice = names.find((name, at) => names.indexOf(name) !== at);
    if (twice) throw new InvalidRequest([twice], 'is given twice; give it once.');
    const { json, help, ...given } = parsed.values;
    return { json: json === true, help: help === true, options: given, positionals: parsed.positionals };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const [sentence = ''] = error.message.split(/\. |\n/);
    throw new InvalidRequest([], `${sentence.replace(/\.$/, '')}; see --help.`);
  }
}

/** Turns field names of operations into option names. For unexpected errors shows the cause, which has no values of the statement. */
function explained(error: unknown, { options }: Command): string {
  if (!(error instanceof InvalidRequest)) return messageOf(error instanceof AppError && error.cause instanceof Error ? error.cause : error);
  const [fault] = error.faults;
  const [field = ''] = fault.path;
  return Object.hasOwn(options, field) ? `--${error.message}` : error.message;
}

function lines(result: object): string {
  return Object.entries(result)
    .map(
      ([key, value]) =>
        `${key}: ${typeof value === 'object' && value !== null ? JSON.stringify(value) : value}${key === 'key' ? '  (shown this once)' : ''}`,
    )
    .join('\n');
}
