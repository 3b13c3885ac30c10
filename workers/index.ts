/** The worker process. On SIGTERM it finishes running jobs before it exits. */
import '../src/start/requireNode.js';
import { configOrExit, configWarnings } from '../src/config.ts';
import { nameConnections } from '../src/database/connections.ts';
import { makeLogger } from '../src/log.ts';
import { commit, version } from '../src/values/version.ts';
import { startWorker } from './worker.ts';

const config = configOrExit();
const log = makeLogger(config.logLevel, 'worker');
log.info({ version, commit }, 'starting');
for (const { name, message } of configWarnings(config)) log.warn({ about: name }, message);
nameConnections('worker');
const worker = startWorker(config, log, () => log.info('listening'));

let stopping = false;
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop());

async function stop() {
  if (stopping) return;
  stopping = true;
  log.info('draining');
  await worker.stop();
  log.info('stopped');
  process.exit(0);
}
