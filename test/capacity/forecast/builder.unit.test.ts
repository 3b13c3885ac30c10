import fc from 'fast-check';
import { ForecastBuilder } from '../../../src/capacity/forecast/builder.ts';
import type { TextPlace } from '../../../src/capacity/forecast/outline.ts';
import { piecesOf } from '../../../src/capacity/snapshots/computing/computeSnapshot.ts';
import { dayOf } from '../../../src/values/workdays.ts';
import { suite } from '../../support/suite.ts';
import { computed, containerRow, type ForecastInput, forecast, taskRow, workText } from './forecast.ts';
import { ANA, BO, container, person, release, scope, task } from './inputs.ts';

const test = suite(import.meta.url);

/** Feeds the scope in batches of `size` tasks, as a worker does. */
function fed({ tasks, ...input }: ForecastInput, size: number): ForecastBuilder {
  const builder = new ForecastBuilder({
    workspaceId: input.workspaceId,
    today: dayOf(input.today),
    from: dayOf(input.from ?? input.today),
    people: input.people,
  });
  builder.addContainers(input.containers.map(containerRow));
  for (let at = 0; at < tasks.length; at += size) builder.addTasks(tasks.slice(at, at + size).map(taskRow));
  return builder;
}

/** Some thousand tasks over a few projects, one of them empty. */
function large(count: number): ForecastInput {
  const containers = [10, 11, 12, 13].map((id) => release(id, '2026-04-30'));
  const tasks = Array.from({ length: count }, (_, n) =>
    task(n + 1, { releaseId: [10, 11, 13, null][n % 4] ?? null, estimatedHours: (n % 5) / 2, title: `№ ${n} "\\\n` }),
  );
  return scope({ containers, tasks, people: [person(ANA, 'Ana', 40), person(2, 'Bo', null)] });
}

async function storedPiecesOf(input: ForecastInput, asked: number[][] = []): Promise<string[]> {
  const texts = new Map(input.tasks.map((each) => [each.id, workText(each)]));
  const work = async (ids: number[]) => {
    asked.push(ids);
    return ids.map((id) => texts.get(id)!);
  };
  return Array.fromAsync(piecesOf(fed(input, 700).finish(), { work }));
}

test('batches of any size give the same forecast as one batch', async (t) => {
  const input = large(3500);
  const pieces = await storedPiecesOf(input);
  t.true(pieces.length > 3);
  t.true(pieces.every((piece) => piece.length < 100_000));
  t.deepEqual(JSON.parse(pieces.join('')), forecast(input));
});

test('the second pass reads each task once, at most 1,000 at a time', async (t) => {
  const input = large(3500);
  const asked: number[][] = [];
  await storedPiecesOf(input, asked);
  t.true(asked.every((ids) => ids.length <= 1000));
  t.is(asked.length, 3);
  t.deepEqual(
    asked.flat().sort((a, b) => a - b),
    input.tasks.filter((each) => each.releaseId !== null).map((each) => each.id),
  );
});

test('an empty scope has a forecast', async (t) => {
  const pieces = await storedPiecesOf(scope({ people: [] }));
  t.like(JSON.parse(pieces.join('')), { projects: [], people: [] });
});

test('the text starts so that canManage can be inserted', async (t) => {
  const [first] = await storedPiecesOf(scope());
  t.true(first!.startsWith('{"workspaceId":1,'));
});

test("each project's text can be cut from the pieces that its place names", async (t) => {
  const input = large(3500);
  const texts = new Map(input.tasks.map((each) => [each.id, workText(each)]));
  const places: TextPlace[] = [];
  const pieces = await Array.fromAsync(
    piecesOf(fed(input, 700).finish(), { work: async (ids) => ids.map((id) => texts.get(id)!) }, places),
  );
  const cut = places.map(({ first, last, skipped, length }) =>
    JSON.parse(
      pieces
        .slice(first, last + 1)
        .join('')
        .slice(skipped, skipped + length),
    ),
  );
  t.deepEqual(cut, forecast(input).projects);
});

test('a project reaches all workspaces of its people, and of people whose tasks its tasks wait for', (t) => {
  const made = computed(
    scope({
      containers: [release(10, null), release(11, null), container(12, 'requirement')],
      people: [person(ANA, 'Ana', 40), person(BO, 'Bo', 40), person(3, 'Cy', 40)],
      tasks: [
        task(1, { releaseId: 10, assigneeId: ANA, estimatedHours: 8 }),
        task(2, { assigneeId: BO, estimatedHours: 8 }),
        task(3, { releaseId: 11, requirementId: 12, assigneeId: 3, estimatedHours: 8 }),
      ],
      dependencies: [{ itemId: 1, blockerId: 2, lagDays: 0 }],
    }),
  );
  const reach = made.reach(
    new Map([
      [ANA, [7]],
      [BO, [9, 7]],
      [3, [8]],
    ]),
  );
  t.deepEqual([reach(0), reach(1)], [[7, 9], [8]]);
  t.deepEqual(reach(2), [8], 'a requirement whose only task counts with a release');
});

test('a task that is missing in the second pass is an error', async (t) => {
  const pieces = piecesOf(fed(large(10), 10).finish(), { work: async () => [] });
  await t.throwsAsync(Array.fromAsync(pieces), { message: /did not come back/ });
});

test('a row that names an unknown person or container is an error', (t) => {
  t.throws(() => forecast(scope({ tasks: [task(1, { assigneeId: 99 })] })), { message: /Person 99/ });
  t.throws(() => forecast(scope({ tasks: [task(1, { releaseId: 98 })] })), { message: /Item 98/ });
  t.throws(() => forecast(scope({ recorded: [{ personId: 97, date: '2026-03-04', minutes: 1 }] })), { message: /Person 97/ });
});

test("today's trend points are the projects' figures", (t) => {
  const input = large(40);
  const points = [...fed(input, 40).finish().trendPoints()].sort((a, b) => a.projectId - b.projectId);
  t.deepEqual(
    points,
    forecast(input).projects.map(({ id, trend }) => ({ projectId: id, ...trend.at(-1)! })),
  );
});

test('the scope note lists what is not counted', (t) => {
  t.regex(forecast(scope({ workspaceId: 0 })).scopeNote, /^Counts all workspaces that you oversee/);
  t.regex(forecast(scope({ workspaceId: 3 })).scopeNote, /^Counts this workspace only/);
});

test('ids up to 2^53 − 1 keep their order', (t) => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), { maxLength: 20 }), (ids) => {
      const tasks = ids.map((id) => task(id, { releaseId: 10 }));
      const [project] = forecast(scope({ containers: [release(10, null)], tasks })).projects;
      t.deepEqual(
        project!.work.map(({ id }) => id),
        ids.toSorted((a, b) => a - b),
      );
    }),
  );
});
