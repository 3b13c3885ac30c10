import type { Command } from './command.ts';

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
  const required = (option: Command['options'][string]) => !option.schema.safeParse(undefined).success;
  const spelt = (key: string) => `--${key}${options[key]!.value === null ? '' : ` ${options[key]!.value}`}`;
  const needed = Object.keys(options).filter((key) => required(options[key]!));
  const usage = [call, name, ...(argument ? [argument] : []), ...needed.map(spelt), '[options]'].join(' ');
  const rows = Object.keys(options).map((key): [string, string] => [spelt(key), options[key]!.help]);
  const common: [string, string] = ['--json', 'print one JSON value on stdout'];
  return `Usage: ${usage}\n\n${summary[0]!.toUpperCase()}${summary.slice(1)}.\n\n${aligned([...rows, common])}${note ? `\n\n${note}` : ''}`;
}
