import fc from 'fast-check';
import { canonical, fingerprint } from '../../src/operations/request.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const shuffled = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, child]) => [key, shuffled(child)]),
  );
};

test('the order of keys does not matter at any level, and every value does', (t) => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      t.is(canonical(shuffled(one)), canonical(one));
      t.is(canonical(one) === canonical(other), canonical(JSON.parse(JSON.stringify(one))) === canonical(other));
      t.deepEqual(JSON.parse(canonical(one)), JSON.parse(JSON.stringify(one)));
    }),
  );
  t.not(canonical([1, 2]), canonical([2, 1]));
  t.is(canonical({ a: undefined, b: 1 }), canonical({ b: 1 }));
});

test("a fingerprint depends on the service's key, the tool and the arguments", (t) => {
  const of = (...given: [string, string, unknown]) => fingerprint(...given).toString('hex');
  const all = [of('k', 'a', { id: 1 }), of('other', 'a', { id: 1 }), of('k', 'b', { id: 1 }), of('k', 'a', { id: 2 })];
  t.is(new Set(all).size, 4);
  t.is(all[0], of('k', 'a', { id: 1 }));
  t.is(fingerprint('k', 'a', {}).length, 32);
});
