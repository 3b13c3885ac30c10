/** Whole workspaces against the plain model of behaviour §6: from their rows to the answer, the sums of pages and agents, and what-if. */
import type { ExecutionContext } from 'ava';
import fc from 'fast-check';
import type { ProjectLine } from '../../../src/capacity/forecast/outline.ts';
import type { Forecast } from '../../../src/capacity/forecast/schema.ts';
import { leftHours } from '../../../src/items/leftQueries.ts';
import { suite } from '../../support/suite.ts';
import { runs } from '../../support/thorough.ts';
import { timeWorld } from '../../support/timeWorld.ts';
import type { ForecastInput } from '../forecast/forecast.ts';
import type { Container, Task } from '../forecast/inputs.ts';
import { naiveForecast } from '../forecast/naive.ts';
import { arbitraryPlain, forModel, written } from './plainWorkspaces.ts';

const test = suite(import.meta.url);
const world = timeWorld();

const withoutNote = ({ scopeNote: _, ...rest }: Forecast) => rest;
type Plainly = ReturnType<typeof naiveForecast>;
const CASES = Math.max(30, runs(500));

/** The figures of lists, timelines, pages and svc_get_item: those of GET /capacity; of a requirement without tasks of its own, those of all
 *  below it. */
function checkShown(t: ExecutionContext, shown: readonly ProjectLine[], { projects }: Plainly, { containers, tasks }: ForecastInput): void {
  const work = new Map(projects.flatMap((project) => project.work).map((task) => [task.id, task]));
  const top = (id: number): Container => {
    const one = containers.find((container) => container.id === id)!;
    return one.parentId === null ? one : top(one.parentId);
  };
  for (const { work: own, trend: _trend, ...project } of projects) {
    const { explained: _explained, ...line } = shown.find(({ id }) => id === project.id)!;
    const below = tasks.filter(
      ({ status, requirementId }) => status !== 'cancelled' && requirementId !== null && top(requirementId).id === project.id,
    );
    if (own.length > 0 || below.length === 0) {
      t.deepEqual(line, project);
      continue;
    }
    const sum = (hours: (task: Task) => number) => below.reduce((all, task) => all + hours(task), 0);
    t.true(Math.abs(line.scopeHours - sum(({ estimatedHours }) => estimatedHours ?? 0)) < 0.01);
    const open = below.filter(({ status }) => status !== 'done');
    // Tasks of closed releases are in no project.
    if (!open.every(({ id }) => work.has(id))) continue;
    t.true(Math.abs(line.remainingHours - sum(({ id }) => work.get(id)?.remainingHours ?? 0)) < 0.01 * below.length);
    const dates = open.map(({ id, estimatedHours }) => (estimatedHours === null ? null : work.get(id)!.forecastDate));
    if (open.length > 0) t.is(line.forecastDate, dates.includes(null) ? null : dates.toSorted().at(-1)!);
    if (open.length === 0) t.is(line.outlook, 'within_capacity');
  }
}

test('the forecast of every workspace is that of the plain model, and so are the hours that lists sum', async (t) => {
  await fc.assert(
    fc.asyncProperty(arbitraryPlain, async (plain) => {
      const { office, ids, people } = await written(world, plain);
      const input = forModel(plain, ids, people);
      const expected = naiveForecast(input);
      const { today, from } = plain.scope;
      t.deepEqual(withoutNote(await office.forecast(today, from ?? today)), expected);
      checkShown(t, await office.shown(today), expected, input);
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
