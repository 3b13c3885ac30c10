/** The options of `npm start` and their help (behaviour §1.4). */

import { once } from 'node:events';
import { createServer } from 'node:net';
import { parseArgs } from 'node:util';
import { portOf } from '../embedded/server.ts';
import { codeOf, messageOf } from '../values/errors.ts';

export const help = `Usage: npm start [-- OPTIONS]

Starts Stint on this machine: PostgreSQL (unless DATABASE_URL is set), one web process and one worker. Ctrl-C stops it.

  --no-sample  start without the sample account, and print a one-time link that makes you the owner
  --sample     load the sample account even if BASE_URL is a public address
  --help       print this help and start nothing

Data stays in .data/; delete that folder to start again from nothing. The sample account is loaded only on the first start.
docs/operations.md lists the environment variables, such as PORT and BASE_URL.`;

interface StartOptions {
  /** Default: only if the address is local. */
  sample?: boolean;
  dev?: boolean;
  help?: boolean;
}

/** Throws an Error that names the unknown option. */
export function readOptions(args: string[]): StartOptions {
  try {
    const options = { sample: { type: 'boolean' }, dev: { type: 'boolean' }, help: { type: 'boolean' } } as const;
    return parseArgs({ args, options, allowNegative: true }).values;
  } catch (error) {
    const [sentence = ''] = messageOf(error).split('. ');
    throw new Error(`${sentence.replace(/\.$/, '')}; see npm start -- --help.`);
  }
}

/** Returns `port` if it is free, or any free one for 0. Throws an error that says what to do if it is in use. */
export async function freePort(port: number, host: string): Promise<number> {
  const probe = createServer();
  try {
    probe.listen(port, host);
    await once(probe, 'listening');
  } catch (error) {
    const code = codeOf(error);
    const why = code === 'EADDRINUSE' ? 'is in use' : `can't be used (${code})`;
    throw new Error(`Port ${port} ${why}: stop what uses it, or choose another one, for example PORT=${port + 1} npm start.`);
  }
  const found = portOf(probe);
  probe.close();
  await once(probe, 'close');
  return found;
}
