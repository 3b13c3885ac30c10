/** Stores the trend points of a workspace. Only for the thread of a worker (computations.ts). */
import type { Pool } from 'pg';
import type { TrendRequest } from '../computations.ts';
import { buildForecast } from './buildForecast.ts';
import { onConnection } from './computeSnapshot.ts';
import { ScopeSource } from './source.ts';
import * as store from './storeQueries.ts';

export function storeTrendPoints(streams: Pool, { workspaceId, day }: TrendRequest): Promise<void> {
  return onConnection(streams, async (client) => {
    await store.beginReading(client);
    const scope = await store.scopeOfWorkspace(client, workspaceId);
    if (scope) {
      const computed = await buildForecast(new ScopeSource(client, scope));
      await store.addTrendPoints(client, scope, day, [...computed.trendPoints()]);
    }
    await client.query('commit');
  });
}
