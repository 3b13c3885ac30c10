/** Which plans svc_find_work tries, and when it stops. */
import test from 'ava';
import fc from 'fast-check';
import { filterNames, plansAcross, plansFor } from '../../../src/items/findWork/searchPlans.ts';

const filters = fc.record({
  given: fc.subarray([...filterNames]),
  days: fc.option(fc.integer({ min: 1, max: 7 })),
  notes: fc.boolean(),
});

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
  for (const name of filterNames.filter((name) => name !== 'text' && name !== 'under')) {
    t.deepEqual(plansFor({ given: [name], days: 7 }), [{ scan: name, budget: null }]);
  }
  t.deepEqual(plansFor({ given: [], days: null }), [{ scan: 'all', budget: null }]);
});

test('across many workspaces what is near is looked at before each stream or text as it is for few', (t) => {
  fc.assert(
    fc.property(filters, (given) => {
      const plans = plansAcross(given);
      t.true(plans.every(({ across }) => across));
      t.deepEqual({ ...plans.at(-1), across: undefined }, { ...plansFor(given).at(-1), across: undefined });
      t.deepEqual(
        plans.map(({ budget }) => budget === null),
        plans.map((_, n) => n === plans.length - 1),
      );
    }),
  );
  const scans = (given: Parameters<typeof plansAcross>[0]) => plansAcross(given).map(({ scan }) => scan);
  t.deepEqual(scans({ given: ['assignee'], days: null, person: true }), ['person', 'near', 'window', 'assignee']);
  t.deepEqual(
    scans({ given: ['text'], days: null, notes: true }),
    plansFor({ given: ['text'], days: null, notes: true }).map(({ scan }) => scan),
  );
});

test('what leads is among the filters given; a search ends with the text index, but for one among ids', (t) => {
  fc.assert(
    fc.property(filters, (given) => {
      const plans = plansFor(given);
      const filterOf = (scan: string) => ({ texts: 'text', range: 'due' })[scan] ?? scan;
      for (const { scan } of plans) t.true(scan === 'all' || scan === 'walk' || given.given.some((name) => name === filterOf(scan)));
      const last = given.given.includes('ids') ? 'ids' : 'text';
      if (given.given.includes('text')) t.is(plans.at(-1)!.scan, last);
    }),
  );
});

test('ids are looked up and nothing else; what is below an item is gone through as far as it is little, before a walk', (t) => {
  for (const others of [[], ['under', 'text', 'assignee']] as const) {
    t.deepEqual(plansFor({ given: ['ids', ...others], days: null }), [{ scan: 'ids', budget: null }]);
  }
  t.deepEqual(
    plansFor({ given: ['under'], days: null }).map(({ scan }) => scan),
    ['under', 'walk', 'walk', 'under'],
  );
});

test('the children of a requirement or release are looked at before a walk through the workspace', (t) => {
  t.is(plansFor({ given: ['requirement', 'assignee'], days: null })[0]!.scan, 'requirement');
  t.is(plansFor({ given: ['assignee', 'priority'], days: null })[0]!.scan, 'walk');
});
