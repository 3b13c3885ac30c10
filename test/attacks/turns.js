/** Preloaded into the web process that is attacked: prints `turn N` when a turn of the event loop took N > 20 ms of processor time. The lag
 *  of the loop also counts the time in which other processes have the processor; this is what our own code takes. */
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
