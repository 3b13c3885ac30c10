/** What is computed away from a worker's event loop, which a large scope would hold for seconds (behaviour §6.24). Whoever wants
 *  something computed asks for it here; the worker process has it done in a thread, by what stands in computing/. */

/** `fresh`: there is one that will do. `later`: somebody is computing it right now, or the last one was too dear to be made again
 *  already. `gone`: nobody wants it any more. */
export type Outcome = 'computed' | 'fresh' | 'later' | 'gone';

export interface Wanted {
  forecastId: number;
  /** An instant: all that was committed by then must be in it. Null: any snapshot of today will do. */
  since: string | null;
}

export interface TrendWanted {
  workspaceId: number;
  /** The Monday that the points are of. */
  day: string;
}

/** `signal` abandons a computation; nothing is stored then. */
export interface Computations {
  snapshot(wanted: Wanted, signal: AbortSignal): Promise<Outcome>;
  trendPoints(wanted: TrendWanted, signal: AbortSignal): Promise<void>;
}
