/** Computations that would block a worker's event loop for seconds (behaviour §6.24). A thread runs them, with computing/. */

/** `later`: another worker computes it, or the last one was too expensive to repeat yet. `gone`: the forecast was deleted. */
export type Outcome = 'computed' | 'fresh' | 'later' | 'gone';

export interface ForecastRequest {
  forecastId: number;
  /** ISO instant. The snapshot must include everything committed by then. Null: any snapshot of today is enough. */
  since: string | null;
}

export interface TrendRequest {
  workspaceId: number;
  /** Monday of the points, YYYY-MM-DD. */
  day: string;
}

/** `signal` aborts a computation. It then stores nothing. */
export interface Computations {
  snapshot(wanted: ForecastRequest, signal: AbortSignal): Promise<Outcome>;
  trendPoints(wanted: TrendRequest, signal: AbortSignal): Promise<void>;
}
