/** Whole workspaces against the plain model of behaviour §6: from their rows to the answer, the sums of pages and agents, and what-if. */
import fc from 'fast-check';
import type { Forecast } from '../../../src/capacity/forecast/schema.ts';
import { leftHours } from '../../../src/items/leftQueries.ts';
import { suite } from '../../support/suite.ts';
import { runs } from '../../support/thorough.ts';
import { timeWorld } from '../../support/timeWorld.ts';
import { naiveForecast } from '../forecast/naive.ts';
import { arbitraryPlain, forModel, written } from './plainWorkspaces.ts';

const test = suite(import.meta.url);
const world = timeWorld();

const withoutNote = ({ scopeNote: _, ...rest }: Forecast) => rest;
const CASES = Math.max(30, runs(500));

test('the forecast of every workspace is that of the plain model, and so are the hours that lists sum', async (t) => {
  await fc.assert(
    fc.asyncProperty(arbitraryPlain, async (plain) => {
      const { office, ids, people } = await written(world, plain);
      const input = forModel(plain, ids, people);
      const expected = naiveForecast(input);
      const { today, from } = plain.scope;
      t.deepEqual(withoutNote(await office.forecast(today, from ?? today)), expected);
      const work = expected.projects.flatMap((project) => project.work);
      const listed = await world.rows(`select id, round(${leftHours('i')}::numeric, 2)::float8 as hours from items i where id = any($1)`, [
        work.map(({ id }) => id),
      ]);
      t.deepEqual(
        listed.map(({ id, hours }) => [id, hours ?? 0]).sort(([a], [b]) => a - b),
        work.map(({ id, remainingHours }) => [id, remainingHours]).sort(([a], [b]) => a! - b!),
      );
    }),
    { numRuns: CASES },
  );
});
