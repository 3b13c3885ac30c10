import fc from 'fast-check';
import { linkOrder } from '../../src/import/items.ts';
import { Names } from '../../src/import/names.ts';
import { suite } from '../support/suite.ts';
import { runs } from '../support/thorough.ts';

const test = suite(import.meta.url);

test('each name has one number, counted up from 0, and can be read back', (t) => {
  const names = new Names();
  const known = new Map<string, number>();
  const wellFormed = fc.string({ unit: 'binary', maxLength: 30 }).filter((name) => name.isWellFormed());
  fc.assert(
    fc.property(wellFormed, (name) => {
      const number = known.get(name) ?? known.size;
      known.set(name, number);
      t.is(names.numberOf(name), number);
      t.is(names.textOf(number), name);
    }),
    { numRuns: runs(2_000) },
  );
  // More than the initial size of the tables.
  for (let n = 0; n < 20_000; n++) {
    const name = `item-${n}`;
    if (!known.has(name)) known.set(name, known.size);
    names.numberOf(name);
  }
  t.is(names.size, known.size);
  t.true([...known].every(([name, number]) => names.numberOf(name) === number && names.textOf(number) === name));
});

/** The links of each item. */
const linksOf = (above: readonly (readonly number[])[]) => {
  let end = 0;
  return { ends: Uint32Array.from(above, (of) => (end += of.length)), to: Uint32Array.from(above.flat()) };
};

test('an item comes after its links, and only links in a cycle are left out', (t) => {
  const graph = fc
    .integer({ min: 1, max: 30 })
    .chain((count) => fc.array(fc.array(fc.nat(count - 1), { maxLength: 3 }), { minLength: count, maxLength: count }));
  fc.assert(
    fc.property(graph, (above) => {
      const order = [...linkOrder(linksOf(above))];
      t.is(new Set(order).size, order.length);
      for (const [at, n] of order.entries()) t.true(above[n]!.every((target) => order.indexOf(target) < at && order.includes(target)));
      const left = above.map((_of, n) => n).filter((n) => !order.includes(n));
      for (const n of left) t.true(above[n]!.some((target) => left.includes(target)));
    }),
    { numRuns: runs(300) },
  );
});

test('an item without links, or with links to earlier ones, keeps the order of the file on its level', (t) => {
  t.deepEqual([...linkOrder(linksOf([[], [3], [], [], [0, 2], [1]]))], [0, 2, 3, 1, 4, 5]);
  t.deepEqual([...linkOrder(linksOf([]))], []);
});
