import type { ForecastRequest, TrendRequest } from '../../src/capacity/snapshots/snapshotWorkspace.ts';

export type Request = { name: 'snapshot'; wanted: ForecastRequest } | { name: 'trendPoints'; wanted: TrendRequest } | 'end';
export type Answer = { result: unknown } | { error: unknown };
