/** Processes that a run of the tests left behind: told by name and ended, so that whoever started the run does not wait for them. */
import { readFileSync, readlinkSync } from 'node:fs';
import { bornAt, processIds, waitFor } from '../../src/embedded/life.ts';
import { childrenOf } from './processes.ts';

/** What ends by itself has a guard that takes up to ten seconds (src/embedded/guard.ts). */
const PATIENCE_MS = 12_000;

const attempt = (read: () => string): string => {
  try {
    return read();
  } catch {
    return '';
  }
};

/** What /proc tells of a process as a list: its environment, its command line. */
const listOf = (pid: number, name: 'environ' | 'cmdline') => attempt(() => readFileSync(`/proc/${pid}/${name}`, 'utf8')).split('\0');

/** Pids of the living processes that were told to keep their temporary files in `folder`, or that work there. Linux only: none elsewhere. */
export function processesOf(folder: string): number[] {
  const uses = (pid: number) =>
    listOf(pid, 'environ').some((variable) => variable.startsWith(`TMPDIR=${folder}`)) ||
    attempt(() => readlinkSync(`/proc/${pid}/cwd`)).startsWith(folder);
  return processIds().filter((pid) => pid !== process.pid && uses(pid) && bornAt(pid));
}

/** Ends the processes that `parent` started among those of `folder`. Returns their command lines. */
export function endChildren(parent: number, folder: string): string[] {
  const children = new Set(childrenOf(parent));
  return end(processesOf(folder).filter((pid) => children.has(pid)));
}

function end(pids: number[]): string[] {
  return pids.map((pid) => {
    const command = listOf(pid, 'cmdline').join(' ').trim();
    attempt(() => String(process.kill(pid, 'SIGKILL')));
    return `${pid} ${command}`;
  });
}

/** Gives the processes of `folder` the time to end, and ends those that have not. Resolves to their command lines. */
export async function endLeftovers(folder: string, patienceMs = PATIENCE_MS): Promise<string[]> {
  await waitFor(() => processesOf(folder).length === 0, patienceMs);
  return end(processesOf(folder));
}
