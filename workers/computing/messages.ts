import type { TrendWanted, Wanted } from '../../src/capacity/snapshots/computations.ts';

export type Request = { name: 'snapshot'; wanted: Wanted } | { name: 'trendPoints'; wanted: TrendWanted } | 'end';
export type Answer = { result: unknown } | { error: unknown };
