import { suite } from '../../support/suite.ts';
import { Answer, release, task } from './inputs.ts';

const test = suite(import.meta.url);

const R = 10;
const point = (date: string, projectId = R) => ({ projectId, date, scopeHours: 9, remainingHours: 3.25, weightedProgress: null });
const tasks = [task(1, { releaseId: R, estimatedHours: 4, progressPercent: 50 })];
const live = { scopeHours: 4, remainingHours: 2, weightedProgress: 50 };
const trend = (today: string, dates: string[]) =>
  new Answer({ today, containers: [release(R, null)], tasks, trend: dates.map((date) => point(date)) }).onlyProject.trend;

test('the trend is the last eight Mondays and today, oldest first', (t) => {
  const mondays = [
    '2026-03-02',
    '2026-02-23',
    '2026-02-16',
    '2026-02-09',
    '2026-02-02',
    '2026-01-26',
    '2026-01-19',
    '2026-01-12',
    '2026-01-05',
  ];
  t.deepEqual(
    trend('2026-03-04', mondays).map(({ date }) => date),
    [...mondays.slice(0, 8).reverse(), '2026-03-04'],
  );
});

test("stored points keep their values, and today's point is current", (t) => {
  t.deepEqual(trend('2026-03-04', ['2026-03-02']), [
    { date: '2026-03-02', scopeHours: 9, remainingHours: 3.25, weightedProgress: null },
    { date: '2026-03-04', ...live },
  ]);
});

test('a Monday has no second point', (t) => {
  t.deepEqual(
    trend('2026-03-02', ['2026-03-02', '2026-02-23']).map(({ date }) => date),
    ['2026-02-23', '2026-03-02'],
  );
  t.like(trend('2026-03-02', ['2026-03-02'])[0], live);
  t.is(trend('2026-03-02', ['2026-01-12', '2026-01-05']).length, 2);
});

test('points of other days, future days and other projects are left out', (t) => {
  t.deepEqual(trend('2026-03-04', ['2026-03-03', '2026-02-24', '2026-03-09']).length, 1);
  const containers = [release(R, null), release(11, null)];
  t.is(new Answer({ containers, tasks, trend: [point('2026-03-02', 11)] }).project(R).trend.length, 1);
});
