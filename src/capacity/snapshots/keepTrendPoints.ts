/** Keeps where a workspace's projects stand, for the trends of the weeks to come. */
import type { Pool } from 'pg';
import { buildForecast } from './buildForecast.ts';
import { onConnection, pauseOf } from './computeSnapshot.ts';
import { ScopeSource } from './source.ts';
import * as store from './storeQueries.ts';

/** `day` is the Monday that the points are of. Doing it again changes nothing. */
export function keepTrendPoints(streams: Pool, workspaceId: number, day: string, signal: AbortSignal): Promise<void> {
  return onConnection(streams, async (client) => {
    await store.beginReading(client);
    const scope = await store.scopeOfWorkspace(client, workspaceId);
    if (scope) {
      const computed = await buildForecast(new ScopeSource(client, scope, signal), pauseOf(signal));
      await store.addTrendPoints(client, scope, day, [...computed.trendPoints()]);
    }
    await client.query('commit');
  });
}
