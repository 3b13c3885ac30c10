import { orderOf } from '../../../src/import/runs/order.ts';
import { suite } from '../../support/suite.ts';

const test = suite(import.meta.url);

const row = (key: string, parent: string | null = null, ...blockedBy: string[]) => ({ key, parent, blockedBy });
const keysOf = (rows: ReturnType<typeof row>[]) => orderOf(rows).order.map(({ key }) => key);

test('parents and blockers come first, other rows in the order of the file', (t) => {
  t.deepEqual(keysOf([row('c', 'p', 'b'), row('x'), row('b'), row('p')]), ['p', 'b', 'c', 'x']);
});

test('a chain as long as the file needs no recursion', (t) => {
  const rows = Array.from({ length: 50_000 }, (_, n) => row(`k${n}`, n < 49_999 ? `k${n + 1}` : null));
  t.is(keysOf(rows)[0], 'k49999');
});

test('a parent that waits for its own child comes first, and its dependency is set later', (t) => {
  const rows = [row('child', 'parent'), row('parent', null, 'child')];
  t.deepEqual(keysOf(rows), ['parent', 'child']);
  t.deepEqual(orderOf(rows).later, [{ key: 'parent', blockedBy: ['child'] }]);
});

test('keys that the file lacks are ignored', (t) => {
  const rows = [row('a', 'gone', 'missing')];
  t.deepEqual([keysOf(rows), orderOf(rows).later], [['a'], []]);
});
