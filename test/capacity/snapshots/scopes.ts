/** Random scopes for fast-check: small, but with every case of behaviour §6. */
import fc from 'fast-check';
import type { ForecastInput } from '../forecast/forecast.ts';
import type { Container } from '../forecast/inputs.ts';

/** Between mid December 2025 and mid May 2026. */
const date = (): fc.Arbitrary<string> =>
  fc.integer({ min: 0, max: 150 }).map((days) => new Date(Date.UTC(2025, 11, 15 + days)).toISOString().slice(0, 10));
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary, { freq: 3 });
const status = fc.constantFrom('planned', 'in_progress', 'blocked', 'in_review', 'done', 'cancelled');

const day = (): fc.Arbitrary<number> => fc.integer({ min: 0, max: 150 }).map((days) => Date.UTC(2025, 11, 15 + days) / 86_400_000);
const calendar = fc.record({
  weekdays: fc.constantFrom(31, 31, 15, 63, 127, 1),
  hours: fc.uniqueArray(
    fc.record({ firstDay: day(), weeklyMinutes: fc.constantFrom(0, 600, 1200, 2400, 2401), weekdays: fc.constantFrom(31, 7, 95) }),
    { maxLength: 2, selector: ({ firstDay }) => firstDay },
  ),
  away: fc.array(
    fc
      .record({
        firstDay: day(),
        length: fc.constantFrom(0, 0, 4, 20, 200),
        half: fc.boolean(),
        holiday: fc.constantFrom(null, null, 'Feast'),
      })
      .map(({ length, half, ...away }) => ({ ...away, half: half && away.holiday === null, lastDay: away.firstDay + length })),
    { maxLength: 5 },
  ),
});

const people = fc
  .array(
    fc.record({
      weeklyMinutes: fc.oneof(fc.constantFrom(null, 0, 3, 1200, 2400, 10_080), fc.integer({ min: 1, max: 3000 })),
      assignable: fc.boolean(),
      calendar: fc.option(calendar, { freq: 2 }),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((rows) => rows.map((row, at) => ({ ...row, active: true, id: at + 1, name: `Person ${at + 1}` })));

/** Releases 10 …, requirements 20 … (parents before their children), milestones 30 …. */
const containers: fc.Arbitrary<Container[]> = fc
  .array(
    fc.record({
      status: fc.constantFrom('planned', 'in_progress', 'approved', 'done', 'cancelled'),
      targetDate: maybe(date()),
      dueDate: maybe(date()),
      release: fc.option(fc.nat(2), { freq: 2 }),
      parent: maybe(fc.nat(10)),
    }),
    { minLength: 8, maxLength: 8 },
  )
  .map((rows) =>
    rows.map(({ release, parent, ...row }, at) => {
      const type = at < 3 ? 'release' : at < 6 ? 'requirement' : 'milestone';
      const id = at < 3 ? 10 + at : at < 6 ? 17 + at : 24 + at;
      const below = type === 'requirement' && parent !== null && at > 3;
      return {
        ...row,
        id,
        type,
        title: `${type} ${id}`,
        releaseId: type === 'requirement' && release !== null ? 10 + release : null,
        parentId: below ? 20 + (parent % (at - 3)) : null,
      };
    }),
  );

/** At most five decimals, as in the naive model. */
const decimal = (most: number): fc.Arbitrary<number> =>
  fc.oneof(
    fc.integer({ min: 0, max: most }),
    fc.integer({ min: 0, max: most * 4 }).map((n) => n / 4),
    fc.integer({ min: 0, max: most * 1e5 }).map((n) => n / 1e5),
    fc.integer({ min: 0, max: most * 100 }).map((n) => n / 100),
  );

const task = (headcount: number) =>
  fc.record({
    status,
    assigneeId: fc.option(fc.integer({ min: 1, max: headcount }), { freq: 12 }),
    assigneeLeft: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
    estimatedHours: fc.option(fc.oneof({ weight: 15, arbitrary: decimal(60) }, { weight: 1, arbitrary: decimal(20_000) }), { freq: 12 }),
    progressPercent: maybe(decimal(100)),
    recordedMinutes: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 4_000 })),
    startDate: maybe(date()),
    dueDate: maybe(date()),
    priorityRank: maybe(fc.integer({ min: -3, max: 40 })),
    completedDate: maybe(date()),
    releaseId: fc.option(fc.integer({ min: 10, max: 12 }), { freq: 2 }),
    requirementId: fc.option(fc.integer({ min: 20, max: 22 }), { freq: 2 }),
    milestoneId: fc.option(fc.integer({ min: 30, max: 31 }), { freq: 2 }),
  });

/** Between tasks, containers and an unknown item: cycles included, although the service refuses them. */
const dependencies = fc.uniqueArray(
  fc.record({
    itemId: fc.integer({ min: 100, max: 112 }),
    blockerId: fc.oneof(
      { weight: 12, arbitrary: fc.integer({ min: 100, max: 112 }) },
      { weight: 1, arbitrary: fc.constantFrom(10, 20, 22, 30, 99) },
    ),
    lagDays: fc.constantFrom(0, 0, 0, 1, 4, 30),
  }),
  { maxLength: 7, selector: ({ itemId, blockerId }) => `${itemId} ${blockerId}` },
);

const minutesOn = (headcount: number) =>
  fc.array(fc.record({ personId: fc.integer({ min: 1, max: headcount }), date: date(), minutes: fc.integer({ min: 1, max: 1440 }) }), {
    maxLength: 6,
  });

const trend = fc.uniqueArray(
  fc.record({
    projectId: fc.constantFrom(10, 11, 20, 30),
    date: date(),
    scopeHours: fc.nat(100),
    remainingHours: fc.nat(100),
    weightedProgress: maybe(fc.nat(100)),
  }),
  { maxLength: 20, selector: ({ projectId, date: on }) => `${projectId} ${on}` },
);

export const arbitraryScope: fc.Arbitrary<ForecastInput> = people.chain((rows) =>
  fc.record({
    workspaceId: fc.nat(5),
    today: date(),
    from: maybe(date()),
    people: fc.constant(rows),
    containers,
    tasks: fc.array(task(rows.length), { maxLength: 12 }).map((all) =>
      all.map((one, at) => ({
        ...one,
        assigneeLeft: one.assigneeLeft && one.assigneeId !== null,
        id: 100 + ((at * 7) % 13),
        title: `Task ${at} "ä\\"`,
      })),
    ),
    dependencies: fc.oneof({ weight: 1, arbitrary: dependencies.map(() => []) }, { weight: 2, arbitrary: dependencies }),
    recorded: minutesOn(rows.length),
    planned: minutesOn(rows.length),
    trend,
  }),
);
