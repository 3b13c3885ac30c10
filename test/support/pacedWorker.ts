/** `node test/support/pacedWorker.ts BEAT_MS,DEAD_AFTER_MS`: the worker process with other heartbeat settings, so that tests are faster. */
import { flushCompileCache } from 'node:module';
import { readConfig } from '../../src/config.ts';
import { makeLogger } from '../../src/log.ts';
import { startWorker } from '../../workers/worker.ts';

const [beatMs, deadAfterMs] = process.argv[2]!.split(',').map(Number) as [number, number];
const log = makeLogger('info', 'worker');
const worker = startWorker(readConfig(), log, listening, { beatMs, deadAfterMs });
process.on('SIGTERM', async () => {
  await worker.stop();
  log.info('stopped');
  process.exit(0);
});

function listening() {
  log.info('listening');
  // At once, because a killed process could not do it at its end.
  flushCompileCache();
}
