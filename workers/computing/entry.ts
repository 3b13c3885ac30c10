/** Entry of a computing thread: answers one request at a time over its own database connection. */
import { parentPort, workerData } from 'node:worker_threads';
import { computeSnapshot, storeTrendPoints } from '../../src/capacity/snapshots/computing/computeSnapshot.ts';
import { streamPool } from '../pools.ts';
import type { Answer, Request } from './messages.ts';

const { databaseUrl }: { databaseUrl: string } = workerData;
const streams = streamPool(databaseUrl, 1);
const port = parentPort;
if (!port) throw new Error('This file runs in a thread.');

port.on('message', async (request: Request) => {
  if (request === 'end') {
    // Closing the port lets the thread exit.
    port.close();
    await streams.end();
  } else port.postMessage(await answerTo(request));
});

async function answerTo(request: Exclude<Request, 'end'>): Promise<Answer> {
  try {
    const { name, wanted } = request;
    return { result: name === 'snapshot' ? await computeSnapshot(streams, wanted) : await storeTrendPoints(streams, wanted) };
  } catch (error) {
    return { error };
  }
}
