/** Preloaded into the attacked web process: prints `turn N` when a turn of the event loop took N > 20 ms of processor time. Loop lag would
 *  also count other processes' time on the processor. */
import { isMainThread } from 'node:worker_threads';

const TOLD_FROM_MS = 20;

function watch() {
  const before = process.threadCpuUsage();
  setTimeout(() => {
    const { user, system } = process.threadCpuUsage(before);
    const ms = Math.round((user + system) / 1_000);
    if (ms > TOLD_FROM_MS) console.error(`turn ${ms}`);
    watch();
  }, 1).unref();
}

if (isMainThread) watch();
