/** Processes that a test run left behind: listed and ended, so that the run can exit. */
import { readFileSync, readlinkSync } from 'node:fs';
import { processIds, startTimeOf, waitFor } from '../../src/embedded/life.ts';
import { childrenOf } from './processes.ts';

/** Processes that end by themselves have a guard that takes up to ten seconds (src/embedded/life.ts). */
const PATIENCE_MS = 12_000;

const attempt = (read: () => string): string => {
  try {
    return read();
  } catch {
    return '';
  }
};

/** A list from /proc about a process: its environment or its command line. */
const listOf = (pid: number, name: 'environ' | 'cmdline') => attempt(() => readFileSync(`/proc/${pid}/${name}`, 'utf8')).split('\0');

/** Pids of the living processes whose temporary folder or working directory is `folder`. Linux only: empty elsewhere. */
export function processesOf(folder: string): number[] {
  const uses = (pid: number) =>
    listOf(pid, 'environ').some((variable) => variable.startsWith(`TMPDIR=${folder}`)) ||
    attempt(() => readlinkSync(`/proc/${pid}/cwd`)).startsWith(folder);
  return processIds().filter((pid) => pid !== process.pid && uses(pid) && startTimeOf(pid));
}

/** Ends the processes of `folder` that `parent` started. Returns their command lines. */
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

/** Waits for the processes of `folder`, then ends the rest. Resolves to their command lines. */
export async function endLeftovers(folder: string, patienceMs = PATIENCE_MS): Promise<string[]> {
  await waitFor(() => processesOf(folder).length === 0, patienceMs);
  return end(processesOf(folder));
}
