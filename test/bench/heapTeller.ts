/** Preloaded: on a signal, the process collects garbage and prints the megabytes of its heap's objects and of its memory. Without a
 *  collection both depend on when V8 collects. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

setFlagsFromString('--expose-gc');
export const collectGarbage: () => void = runInNewContext('gc');

let asked = 0;
function tell() {
  collectGarbage();
  const { heapUsed, rss } = process.memoryUsage();
  process.stderr.write(`${JSON.stringify({ asked: ++asked, heap: heapUsed / 2 ** 20, resident: rss / 2 ** 20 })}\n`);
}
if (isMainThread) process.on('SIGUSR2', tell);
