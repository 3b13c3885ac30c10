/** Keeps the forecast that pages show up to date (behaviour §24.17): the SQL that reads it is in items/forecastQueries.ts. */
import type { Tx } from '../../database/db.ts';
import type { PageForecast } from '../../items/forecastQueries.ts';
import { recordReads, requestSnapshot } from './queries.ts';

/** Requests a missing snapshot, and notes from time to time that one is read. Pages do not wait for either. */
export function keepUpToDate(tx: Tx, forecast: PageForecast | null): void {
  if (!forecast?.wanted) return;
  const { missing, forecastId } = forecast;
  const told = missing ? requestSnapshot(tx, missing) : forecastId === null ? null : recordReads(tx, [forecastId]);
  // The next read tells it again.
  told?.catch(() => {});
}
