/** The plans that svc_find_work tries, and when it stops. */
import test from 'ava';
import fc from 'fast-check';
import { filterNames, plansAcross, plansFor } from '../../../src/items/findWork/searchPlans.ts';

const filters = fc.record({
  given: fc.subarray([...filterNames]),
  days: fc.option(fc.integer({ min: 1, max: 7 })),
  notes: fc.boolean(),
});

test('only the last plan is without a budget', (t) => {
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

test('a range of many days is never the only plan, because it has no order', (t) => {
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

test('across many workspaces close dates are searched first, then each stream or text as with few workspaces', (t) => {
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

test('the leading index belongs to a given filter; a search ends with the text index, except among ids', (t) => {
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

test('ids are only looked up; descendants are listed up to a limit before a walk', (t) => {
  for (const others of [[], ['under', 'text', 'assignee']] as const) {
    t.deepEqual(plansFor({ given: ['ids', ...others], days: null }), [{ scan: 'ids', budget: null }]);
  }
  t.deepEqual(
    plansFor({ given: ['under'], days: null }).map(({ scan }) => scan),
    ['under', 'walk', 'walk', 'under'],
  );
});

test('the children of a requirement or release are searched before a walk through the workspace', (t) => {
  t.is(plansFor({ given: ['requirement', 'assignee'], days: null })[0]!.scan, 'requirement');
  t.is(plansFor({ given: ['assignee', 'priority'], days: null })[0]!.scan, 'walk');
});
