/** Remembers which forecasts are read, so that workers renew them. Writes once every few minutes for a forecast, not once for each read. */
import type { Tx } from '../../database/db.ts';
import { noteReads } from './queries.ts';

/** Well below the 15 minutes after which a forecast counts as unread (renewQueries.ts). */
const NOTED_FOR_MS = 4 * 60_000;
const MOST = 10_000;

export class Readers {
  readonly #noted = new Map<number, number>();

  note(tx: Tx, forecastId: number): void {
    const now = performance.now();
    if (now - (this.#noted.get(forecastId) ?? Number.NEGATIVE_INFINITY) < NOTED_FOR_MS) return;
    if (this.#noted.size >= MOST) this.#noted.clear();
    this.#noted.set(forecastId, now);
    noteReads(tx, [forecastId]).catch(() => this.#noted.delete(forecastId));
  }
}
