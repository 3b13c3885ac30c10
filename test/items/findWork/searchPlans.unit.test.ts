/** Which plans svc_find_work tries, and when it stops. */
import test from 'ava';
import fc from 'fast-check';
import { filterNames, plansFor } from '../../../src/items/findWork/searchPlans.ts';

const filters = fc.record({ given: fc.subarray([...filterNames]), days: fc.option(fc.integer({ min: 1, max: 7 })) });

test('the last plan, and no other, is without a budget', (t) => {
  fc.assert(
    fc.property(filters, (given) => {
      const plans = plansFor(given);
      t.deepEqual(
        plans.map(({ budget }) => budget === null),
        plans.map((_, n) => n === plans.length - 1),
      );
    }),
  );
});

test('a range of many days never decides alone: it has no order', (t) => {
  fc.assert(
    fc.property(fc.subarray([...filterNames]), (given) => {
      t.not(plansFor({ given, days: null }).at(-1)!.scan, 'due');
    }),
  );
});

test('a single filter is one look-up', (t) => {
  for (const name of filterNames.filter((name) => name !== 'text')) {
    t.deepEqual(plansFor({ given: [name], days: 7 }), [{ scan: name, budget: null }]);
  }
  t.deepEqual(plansFor({ given: [], days: null }), [{ scan: 'all', budget: null }]);
});

test('what leads is among the filters given; a search ends with the text index', (t) => {
  fc.assert(
    fc.property(filters, (given) => {
      const plans = plansFor(given);
      for (const { scan } of plans) t.true(scan === 'all' || scan === 'walk' || given.given.includes(scan));
      if (given.given.includes('text')) t.is(plans.at(-1)!.scan, 'text');
    }),
  );
});

test('the children of a requirement or release are looked at before a walk through the workspace', (t) => {
  t.is(plansFor({ given: ['requirement', 'assignee'], days: null })[0]!.scan, 'requirement');
  t.is(plansFor({ given: ['assignee', 'priority'], days: null })[0]!.scan, 'walk');
});
