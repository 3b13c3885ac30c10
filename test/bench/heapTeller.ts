/** Preloaded: on a signal, the process collects garbage and prints the megabytes of its heap's objects, and of the memory outside that they
 *  hold. Resident memory depends on when V8 collects. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  let asked = 0;
  process.on('SIGUSR2', () => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    process.stderr.write(`${JSON.stringify({ asked: ++asked, heap: heapUsed / 2 ** 20, outside: external / 2 ** 20 })}\n`);
  });
}
