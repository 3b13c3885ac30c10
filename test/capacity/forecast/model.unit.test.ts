/** The forecast against a plain model of behaviour §6, and its invariants. */
import fc from 'fast-check';
import { Forecast, Issue, Outlook } from '../../../src/capacity/forecast/schema.ts';
import { dayOf } from '../../../src/values/workdays.ts';
import { suite } from '../../support/suite.ts';
import { runs } from '../../support/thorough.ts';
import { arbitraryScope } from '../snapshots/scopes.ts';
import { forecast } from './forecast.ts';
import { task as openTask, person, release, scope } from './inputs.ts';
import { naiveForecast } from './naive.ts';

const test = suite(import.meta.url);

const withoutNote = (answer: Forecast) => {
  const { scopeNote, ...rest } = answer;
  return rest;
};

test('every scope gets the same forecast as from the plain model', (t) => {
  fc.assert(
    fc.property(arbitraryScope, (input) => {
      t.deepEqual(withoutNote(forecast(input)), naiveForecast(input));
    }),
    { numRuns: runs(150) },
  );
});

test('the compared scopes reach every outlook and every issue', (t) => {
  const answers = fc.sample(arbitraryScope, { numRuns: 300, seed: 6 }).map(forecast);
  const projects = answers.flatMap((answer) => answer.projects);
  const work = projects.flatMap((project) => project.work);
  t.deepEqual([...new Set(projects.map(({ outlook }) => outlook))].sort(), [...Outlook.options].sort());
  t.deepEqual([...new Set(work.flatMap(({ issues }) => issues))].sort(), [...Issue.options].sort());
  t.true(work.some(({ forecastStart, forecastDate }) => forecastStart !== null && forecastDate === null));
});

test('every forecast matches the schema', (t) => {
  fc.assert(
    fc.property(arbitraryScope, (input) => {
      Forecast.parse(forecast(input));
    }),
    { numRuns: runs(100) },
  );
  t.pass();
});

test('the forecast does not depend on the order of the rows', (t) => {
  const shuffled = arbitraryScope.chain((input) =>
    fc.record({
      input: fc.constant(input),
      other: fc
        .tuple(
          ...(
            [input.tasks, input.containers, input.people, input.recorded, input.planned, input.trend, input.dependencies] as unknown[][]
          ).map((rows) => fc.shuffledSubarray(rows, { minLength: rows.length })),
        )
        .map(([tasks, containers, people, recorded, planned, trend, dependencies]) => ({
          ...input,
          tasks,
          containers,
          people,
          recorded,
          planned,
          trend,
          dependencies,
        })),
    }),
  );
  fc.assert(
    fc.property(shuffled, ({ input, other }) => {
      t.deepEqual(forecast(other as typeof input), forecast(input));
    }),
    { numRuns: runs(100) },
  );
});

test('bufferedDate is never before forecastDate', (t) => {
  fc.assert(
    fc.property(arbitraryScope, (input) => {
      for (const { forecastDate, bufferedDate } of forecast(input).projects) {
        if (forecastDate === null) t.is(bufferedDate, null);
        else t.true(bufferedDate === null || bufferedDate >= forecastDate);
      }
    }),
    { numRuns: runs(100) },
  );
});

test('thousands of tasks of one person get the same order as a few', (t) => {
  const days = (n: number) => new Date(Date.UTC(2026, 2, 1 + n)).toISOString().slice(0, 10);
  const tasks = Array.from({ length: 1500 }, (_, n) =>
    openTask((n * 2 ** 35 + 7919 * n) % 2 ** 52, {
      estimatedHours: (n % 9) / 4,
      priorityRank: n % 5 === 0 ? null : n % 7,
      dueDate: n % 3 === 0 ? null : days(n % 61),
      startDate: n % 4 === 0 ? null : days((n * 13) % 90),
      releaseId: n % 2 === 0 ? 10 : null,
    }),
  );
  const input = scope({ people: [person(1, 'Ana', 60)], containers: [release(10, '2026-04-01')], tasks });
  t.deepEqual(withoutNote(forecast(input)), naiveForecast(input));
});

test('the largest estimates give finite figures', (t) => {
  const tasks = Array.from({ length: 20_000 }, (_, n) => openTask(n + 1, { estimatedHours: 1e6, releaseId: 10, dueDate: '2026-05-01' }));
  const { projects } = Forecast.parse(forecast(scope({ containers: [release(10, '2026-04-01')], tasks })));
  t.like(projects[0]!, { scopeHours: 2e10, remainingHours: 2e10, weightedProgress: 0, outlook: 'overcommitted', forecastDate: null });
});

test('the public holidays of a region are days off of everyone who has this region, and of no one else', (t) => {
  const holiday = fc.record({
    region: fc.constantFrom('DE-BY', 'PL'),
    day: fc.integer({ min: dayOf('2025-12-15'), max: dayOf('2026-05-15') }),
    half: fc.boolean(),
    name: fc.constant('Feast'),
  });
  const regions = fc.array(fc.constantFrom('DE-BY', 'PL', 'FR', null), { minLength: 4, maxLength: 4 });
  fc.assert(
    fc.property(arbitraryScope, regions, fc.array(holiday, { maxLength: 20 }), (input, regionOf, holidays) => {
      const people = input.people.map((row, at) => (row.calendar ? { ...row, calendar: { ...row.calendar, region: regionOf[at]! } } : row));
      const asAbsences = people.map(({ calendar, ...row }) => {
        if (!calendar) return row;
        const own = holidays.filter(({ region }) => region === calendar.region);
        const away = own.map(({ day, half, name }) => ({ firstDay: day, lastDay: day, half, holiday: name }));
        return { ...row, calendar: { ...calendar, region: null, away: [...calendar.away, ...away] } };
      });
      t.deepEqual(withoutNote(forecast({ ...input, people, holidays })), naiveForecast({ ...input, people: asAbsences }));
    }),
    { numRuns: runs(100) },
  );
});
