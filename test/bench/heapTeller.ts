/** Preloaded: on a signal, the process collects garbage and prints the megabytes of its heap's objects. Resident memory depends on when V8
 *  collects. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  let asked = 0;
  process.on('SIGUSR2', () => {
    collect();
    process.stderr.write(`${JSON.stringify({ asked: ++asked, heap: process.memoryUsage().heapUsed / 2 ** 20 })}\n`);
  });
}
