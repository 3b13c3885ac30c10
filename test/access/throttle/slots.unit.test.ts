import { Slots } from '../../../src/access/throttle/concurrency.ts';
import { suite } from '../../support/suite.ts';

const test = suite(import.meta.url);

function queueOf(settings: { mostWaiting: number; mostInLine: number }) {
  const slots = new Slots({ concurrent: 1, ...settings });
  const order: string[] = [];
  const outcomes: Promise<unknown>[] = [];
  const ask = (line: string) => outcomes.push(slots.run(async () => order.push(line), line).catch(() => order.push(`${line} refused`)));
  return { order, ask, done: () => Promise.all(outcomes) };
}

test("lines take turns: a line with one waiting piece comes before another line's many", async (t) => {
  const { order, ask, done } = queueOf({ mostWaiting: 32, mostInLine: 8 });
  for (const line of ['many', 'many', 'many', 'many', 'one', 'two', 'two']) ask(line);
  await done();
  t.true(order.indexOf('one') <= 2, order.join());
  t.true(order.indexOf('two') <= 3, order.join());
  t.is(order.length, 7);
});

test('a line has its own limit, and a full queue drops the last piece of the longest line for a line without any', async (t) => {
  const { order, ask, done } = queueOf({ mostWaiting: 4, mostInLine: 3 });
  for (const line of ['many', 'many', 'many', 'many', 'many', 'other', 'new']) ask(line);
  await done();
  t.is(order.filter((one) => one === 'many refused').length, 2, order.join());
  t.deepEqual(
    order.filter((one) => !one.startsWith('many')),
    ['other', 'new'],
  );
});
