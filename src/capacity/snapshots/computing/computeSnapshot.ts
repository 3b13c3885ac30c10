/** Computes a forecast and stores it as the newest snapshot (behaviour §6.24). Only for the thread of a worker (computations.ts). */
import { createHash } from 'node:crypto';
import type { ClientBase, Pool, PoolClient } from 'pg';
import type { ComputedForecast } from '../../forecast/computed.ts';
import { outlineOf } from '../../forecast/outline.ts';
import type { ForecastRequest, Outcome } from '../computations.ts';
import { buildForecast, piecesOf } from './buildForecast.ts';
import { type Scope, ScopeSource } from './source.ts';
import * as store from './storeQueries.ts';

export function computeSnapshot(streams: Pool, { forecastId, since }: ForecastRequest): Promise<Outcome> {
  return onConnection(streams, async (client) => {
    if (!(await store.tryLock(client, forecastId))) return 'later';
    const outcome = await computeUnlessFresh(client, forecastId, since);
    // Also if one existed: another process may have started waiting just before it.
    if (outcome === 'computed' || outcome === 'fresh') await store.announce(client, forecastId);
    await store.unlock(client, forecastId);
    return outcome;
  });
}

async function computeUnlessFresh(client: ClientBase, forecastId: number, since: string | null): Promise<Outcome> {
  const last = await store.lastSnapshot(client, forecastId, since);
  if (last.fresh) return 'fresh';
  if (last.tooSoon) return 'later';
  await store.beginReading(client);
  const scope = await store.scopeOf(client, forecastId);
  if (scope) await compute(client, forecastId, scope);
  await client.query('commit');
  return scope ? 'computed' : 'gone';
}

async function compute(client: ClientBase, forecastId: number, scope: Scope): Promise<void> {
  const source = new ScopeSource(client, scope);
  const computed = await buildForecast(source);
  const snapshotId = await store.openSnapshot(client, scope.accountId, forecastId);
  const hash = createHash('sha1');
  let n = 0;
  for await (const piece of piecesOf(computed, source)) {
    hash.update(piece);
    await store.addPiece(client, scope.accountId, snapshotId, n++, piece);
  }
  for (const page of outlineOf(computed)) await store.addPage(client, scope.accountId, snapshotId, page);
  for (const figures of figuresOf(computed)) await store.addFigures(client, scope.accountId, snapshotId, figures);
  await store.closeSnapshot(client, snapshotId, hash.digest('base64url'));
}

const FIGURES_AT_ONCE = 1_000;

function* figuresOf(computed: ComputedForecast): Generator<store.Figures> {
  for (let from = 0; from < computed.projectCount; from += FIGURES_AT_ONCE) {
    const count = Math.min(FIGURES_AT_ONCE, computed.projectCount - from);
    const projects = Array.from({ length: count }, (_, n) => {
      const { id, forecastDate, bufferedDate, outlook } = computed.projectHead(from + n);
      return { id, forecastDate, bufferedDate, outlook, explained: computed.explained(from + n) };
    });
    yield { projects, overloads: [] };
  }
  const overloads = [...computed.people()].flatMap(({ id, weeks }) =>
    weeks.filter(({ overextended }) => overextended).map(({ week }) => ({ id, week })),
  );
  if (overloads.length) yield { projects: [], overloads };
}

/** Closes a connection whose work failed: that ends its locks and transaction. */
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
