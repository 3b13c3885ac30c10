/** Preloaded into the attacked processes: prints `turn N` when a turn of the event loop took N > 20 ms of processor time, and `heap N` with
 *  the most MB of the heap in use lately. Loop lag would also count other processes' time on the processor. */
import { getHeapStatistics } from 'node:v8';
import { isMainThread } from 'node:worker_threads';

const TOLD_FROM_MS = 20;
const HEAP_TOLD_EVERY_MS = 200;
let most = 0;

function watch() {
  const before = process.threadCpuUsage();
  setTimeout(() => {
    const { user, system } = process.threadCpuUsage(before);
    const ms = Math.round((user + system) / 1_000);
    if (ms > TOLD_FROM_MS) console.error(`turn ${ms}`);
    most = Math.max(most, getHeapStatistics().used_heap_size);
    watch();
  }, 1).unref();
}

function tellHeap() {
  console.error(`heap ${Math.round(most / 2 ** 20)}`);
  most = 0;
}

if (isMainThread) {
  watch();
  setInterval(tellHeap, HEAP_TOLD_EVERY_MS).unref();
}
