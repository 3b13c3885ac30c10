/** Processes that a run of the tests left behind: told by name and ended, so that whoever started the run does not wait for them. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { bornAt, waitFor } from '../../src/embedded/life.ts';

/** What ends by itself has a guard that takes up to ten seconds (src/embedded/guard.ts). */
const PATIENCE_MS = 12_000;

const attempt = (read: () => string): string => {
  try {
    return read();
  } catch {
    return '';
  }
};

/** Pids of the living processes that were told to keep their temporary files in `folder`, or that work there. Linux only: none elsewhere. */
export function processesOf(folder: string): number[] {
  const pids = attempt(() => readdirSync('/proc').join(' ')).match(/\b\d+\b/g) ?? [];
  const uses = (pid: number) =>
    attempt(() => readFileSync(`/proc/${pid}/environ`, 'utf8'))
      .split('\0')
      .some((variable) => variable.startsWith(`TMPDIR=${folder}`)) || attempt(() => readlinkSync(`/proc/${pid}/cwd`)).startsWith(folder);
  return pids.map(Number).filter((pid) => pid !== process.pid && uses(pid) && bornAt(pid));
}

const commandOf = (pid: number) =>
  `${pid} ${attempt(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
    .replaceAll('\0', ' ')
    .trim()}`;

/** Ends the processes that `parent` started among those of `folder`. Returns their command lines. */
export function endChildren(parent: number, folder: string): string[] {
  const isChild = (pid: number) =>
    attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
      .replace(/^.*\) /s, '')
      .split(' ')[1] === String(parent);
  return end(processesOf(folder).filter(isChild));
}

function end(pids: number[]): string[] {
  return pids.map((pid) => {
    const command = commandOf(pid);
    attempt(() => String(process.kill(pid, 'SIGKILL')));
    return command;
  });
}

/** Gives the processes of `folder` the time to end, and ends those that have not. Resolves to their command lines. */
export async function endLeftovers(folder: string, patienceMs = PATIENCE_MS): Promise<string[]> {
  await waitFor(() => processesOf(folder).length === 0, patienceMs);
  return end(processesOf(folder));
}
