/** Which ways svc_find_work takes, and when it is content. */
import test from 'ava';
import fc from 'fast-check';
import { filterNames, waysFor } from '../../../src/items/findWork/ways.ts';

const filters = fc.record({ given: fc.subarray([...filterNames]), days: fc.option(fc.integer({ min: 1, max: 7 })) });

test('the last way, and no other, is without a budget', (t) => {
  fc.assert(
    fc.property(filters, (given) => {
      const ways = waysFor(given);
      t.deepEqual(
        ways.map(({ budget }) => budget === null),
        ways.map((_, n) => n === ways.length - 1),
      );
    }),
  );
});

test('a range of many days never decides alone: it has no order', (t) => {
  fc.assert(
    fc.property(fc.subarray([...filterNames]), (given) => {
      t.not(waysFor({ given, days: null }).at(-1)!.way, 'due');
    }),
  );
});

test('a single filter is one look-up', (t) => {
  for (const name of filterNames.filter((name) => name !== 'text')) {
    t.deepEqual(waysFor({ given: [name], days: 7 }), [{ way: name, budget: null }]);
  }
  t.deepEqual(waysFor({ given: [], days: null }), [{ way: 'all', budget: null }]);
});

test('what leads is among the filters given; a search ends with the text index', (t) => {
  fc.assert(
    fc.property(filters, (given) => {
      const ways = waysFor(given);
      for (const { way } of ways) t.true(way === 'all' || way === 'walk' || given.given.includes(way));
      if (given.given.includes('text')) t.is(ways.at(-1)!.way, 'text');
    }),
  );
});

test('the children of a requirement or release are looked at before a walk through the workspace', (t) => {
  t.is(waysFor({ given: ['requirement', 'assignee'], days: null })[0]!.way, 'requirement');
  t.is(waysFor({ given: ['assignee', 'priority'], days: null })[0]!.way, 'walk');
});
