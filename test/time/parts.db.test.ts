/** The database splits time exactly as src/values/dates.ts and src/time/correction.ts do. */
import fc from 'fast-check';
import { minutesByDay } from '../../src/time/correction.ts';
import { suite } from '../support/suite.ts';
import { runs } from '../support/thorough.ts';
import { timeWorld } from '../support/timeWorld.ts';

const test = suite(import.meta.url);

const world = timeWorld();
const split = async (from: string, to: string) =>
  Object.fromEntries(
    (await world.rows('select day, minutes from split_by_utc_day($1, $2) order by day', [from, to])).map((row) => [row.day, row.minutes]),
  );

test("time is cut at 00:00 UTC, and the parts sum to the timer's whole minutes", async (t) => {
  t.deepEqual(await split('2026-03-01T23:59:30Z', '2026-03-02T00:00:45Z'), { '2026-03-01': 0, '2026-03-02': 1 });
  t.deepEqual(await split('2026-03-01T00:00:00Z', '2026-03-02T00:00:00Z'), { '2026-03-01': 1440 });
  t.deepEqual(await split('2026-03-01T10:00:00Z', '2026-03-01T10:00:00Z'), { '2026-03-01': 0 });
  t.deepEqual(await split('2026-03-01T23:00:30Z', '2026-03-03T00:10:29Z'), { '2026-03-01': 59, '2026-03-02': 1440, '2026-03-03': 10 });
});

test('the database and the code split equally', async (t) => {
  const start = fc.integer({ min: Date.parse('2024-01-01'), max: Date.parse('2028-01-01') });
  const length = fc.oneof(
    fc.integer({ min: 0, max: 200_000 }),
    fc.integer({ min: 0, max: 10 * 86_400_000 }),
    fc.constantFrom(0, 86_400_000),
  );
  await fc.assert(
    fc.asyncProperty(start, length, async (from, ms) => {
      const [startedAt, endedAt] = [new Date(from).toISOString(), new Date(from + ms).toISOString()];
      const timer = {
        kind: 'timer' as const,
        started_at: startedAt,
        ended_at: endedAt,
        day: startedAt.slice(0, 10),
        minutes: Math.floor(ms / 60_000),
      };
      const parts = minutesByDay(timer, endedAt);
      t.deepEqual(await split(startedAt, endedAt), Object.fromEntries(parts));
      t.is(
        [...parts.values()].reduce((sum, minutes) => sum + minutes, 0),
        timer.minutes,
      );
    }),
    { numRuns: runs(200) },
  );
});
