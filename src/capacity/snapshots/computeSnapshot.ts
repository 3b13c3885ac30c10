/** Computes a forecast and stores it as the newest snapshot: in worker processes only (behaviour §6.24). */
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ClientBase, Pool, PoolClient } from 'pg';
import { forecastJson } from '../forecast/json.ts';
import type { Pause } from '../forecast/slices.ts';
import { buildForecast } from './buildForecast.ts';
import { type Scope, ScopeSource } from './source.ts';
import * as store from './storeQueries.ts';

/** `fresh`: there is one that will do. `later`: somebody is computing it right now, or the last one was too dear to be made again
 *  already. `gone`: nobody wants it any more. */
export type Outcome = 'computed' | 'fresh' | 'later' | 'gone';

export interface Wanted {
  forecastId: number;
  /** An instant: all that was committed by then must be in it. Null: any snapshot of today will do. */
  since: string | null;
}

/** `signal` abandons it; nothing is stored then. */
export function computeSnapshot(streams: Pool, { forecastId, since }: Wanted, signal: AbortSignal): Promise<Outcome> {
  return onConnection(streams, async (client) => {
    if (!(await store.tryLock(client, forecastId))) return 'later';
    const outcome = await computeUnlessFresh(client, forecastId, since, signal);
    // Also when there was one already: somebody may have asked just before it came.
    if (outcome === 'computed' || outcome === 'fresh') await store.announce(client, forecastId);
    await store.unlock(client, forecastId);
    return outcome;
  });
}

async function computeUnlessFresh(client: ClientBase, forecastId: number, since: string | null, signal: AbortSignal): Promise<Outcome> {
  const last = await store.lastSnapshot(client, forecastId, since);
  if (last.fresh) return 'fresh';
  if (last.tooSoon) return 'later';
  await store.beginReading(client);
  const scope = await store.scopeOf(client, forecastId);
  if (scope) await compute(client, forecastId, scope, signal);
  await client.query('commit');
  return scope ? 'computed' : 'gone';
}

async function compute(client: ClientBase, forecastId: number, scope: Scope, signal: AbortSignal): Promise<void> {
  const source = new ScopeSource(client, scope, signal);
  const pause = pauseOf(signal);
  const computed = await buildForecast(source, pause);
  const snapshotId = await store.openSnapshot(client, scope.accountId, forecastId);
  const hash = createHash('sha1');
  let n = 0;
  for await (const piece of forecastJson(computed, source.work, pause)) {
    hash.update(piece);
    await store.addPiece(client, scope.accountId, snapshotId, n++, piece);
  }
  await store.closeSnapshot(client, snapshotId, hash.digest('base64url'));
}

export const pauseOf =
  (signal: AbortSignal): Pause =>
  async () => {
    signal.throwIfAborted();
    await nextTurn();
  };

/** A connection that fails in the middle of its work is not used again: locks and transaction end with it. */
export async function onConnection<Result>(streams: Pool, work: (client: PoolClient) => Promise<Result>): Promise<Result> {
  const client = await streams.connect();
  try {
    const result = await work(client);
    client.release();
    return result;
  } catch (error) {
    client.release(true);
    throw error;
  }
}
