/** In ava's own process: gives the next file to a test process that has finished its last one (worker.js), instead of a new one. */
import childProcess, { type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';

const { fork } = childProcess;
const idle = new Set<ChildProcess>();

const handles = ({ channel, stdout, stderr }: ChildProcess) => [channel, stdout as Socket | null, stderr as Socket | null];

export function reuseProcesses(): void {
  childProcess.fork = ((...given: Parameters<typeof fork>) => {
    const [free] = idle;
    return free ? reuse(free) : watch(fork(...given));
  }) as typeof fork;
}

function reuse(child: ChildProcess): ChildProcess {
  idle.delete(child);
  child.removeAllListeners('exit');
  for (const one of [child, ...handles(child)]) one?.ref();
  child.send('next');
  return watch(child);
}

function watch(child: ChildProcess): ChildProcess {
  return child.on('message', (message) => message === 'free' && release(child));
}

function release(child: ChildProcess): void {
  child.emit('exit', 0, null);
  for (const name of ['message', 'error', 'exit']) child.removeAllListeners(name);
  for (const output of [child.stdout, child.stderr]) output?.removeAllListeners('data').resume();
  for (const one of [child, ...handles(child)]) one?.unref();
  child.once('exit', () => idle.delete(child));
  idle.add(child);
}
