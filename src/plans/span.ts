/** From local times to the stretch of time of a block. Pure. */
import { localToInstant } from '../values/dates.ts';
import { InvalidRequest } from '../values/errors.ts';

const DAY_MS = 86_400_000;

export interface LocalSpan {
  startLocal: string;
  endLocal: string;
}

/** Instants of a block's local times; a time that occurs twice is the first. Throws InvalidRequest naming the field when the zone
 *  skips it, the end is not after the start, or there are more than 24 hours between them (behaviour §10.4). */
export function spanOf({ startLocal, endLocal }: LocalSpan, zone: string): { startsAt: string; endsAt: string } {
  const startsAt = instant('startLocal', startLocal, zone);
  const endsAt = instant('endLocal', endLocal, zone);
  const ms = Date.parse(endsAt) - Date.parse(startsAt);
  if (ms <= 0) throw new InvalidRequest(['endLocal'], 'must be after startLocal.');
  if (ms > DAY_MS) throw new InvalidRequest(['endLocal'], 'a block is at most 24 hours long; plan several.');
  return { startsAt, endsAt };
}

function instant(field: string, local: string, zone: string): string {
  const at = localToInstant(local, zone);
  if (at === 'skipped') throw new InvalidRequest([field], `clocks in ${zone} skip ${local}; choose an earlier or later time.`);
  return at;
}
