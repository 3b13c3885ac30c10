import { localToInstant } from '../values/dates.ts';
import { Faults } from '../values/errors.ts';

const DAY_MS = 86_400_000;

export interface LocalSpan {
  startLocal: string;
  endLocal: string;
}

/** A local time that occurs twice means the first. Throws InvalidRequest for a skipped time, an end before the start, or above 24 hours
 *  (behaviour §10.4). */
export function spanOf({ startLocal, endLocal }: LocalSpan, zone: string): { startsAt: string; endsAt: string } {
  const faults = new Faults();
  const [startsAt, endsAt] = [localToInstant(startLocal, zone), localToInstant(endLocal, zone)];
  if (startsAt === 'skipped') faults.add(['startLocal'], skips(zone, startLocal));
  if (endsAt === 'skipped') faults.add(['endLocal'], skips(zone, endLocal));
  faults.check();
  const ms = Date.parse(endsAt) - Date.parse(startsAt);
  if (ms <= 0) faults.add(['endLocal'], (nameOf) => `must be after ${nameOf(['startLocal'])}.`);
  if (ms > DAY_MS) faults.add(['endLocal'], 'a block is at most 24 hours long; plan several.');
  faults.check();
  return { startsAt, endsAt };
}

const skips = (zone: string, local: string) => `the clocks in ${zone} skip ${local}. Choose an earlier or later time.`;
