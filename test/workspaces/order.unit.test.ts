/** Reordering statuses and priorities. */
import fc from 'fast-check';
import { distinctRanks, movedKeys } from '../../src/workspaces/workflow.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const keys = ['a', 'b', 'c'];

test('a key moves up, down, before another or to the end, within the list', (t) => {
  t.deepEqual(movedKeys(keys, 'b', { direction: 'up' }), ['b', 'a', 'c']);
  t.deepEqual(movedKeys(keys, 'b', { direction: 'down' }), ['a', 'c', 'b']);
  t.deepEqual(movedKeys(keys, 'a', { direction: 'up' }), keys);
  t.deepEqual(movedKeys(keys, 'c', { direction: 'down' }), keys);
  t.deepEqual(movedKeys(keys, 'c', { before: 'a' }), ['c', 'a', 'b']);
  t.deepEqual(movedKeys(keys, 'a', { before: null }), ['b', 'c', 'a']);
  t.is(movedKeys(keys, 'x', { before: null }), null);
  t.is(movedKeys(keys, 'a', { before: 'x' }), null);
});

test('ranks stay distinct and within bounds, and distinct ones are unchanged', (t) => {
  const most = 1_000_000;
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.integer({ min: -most, max: most }), fc.integer({ min: most - 3, max: most })), { maxLength: 12 }),
      (ranks) => {
        const all = distinctRanks(ranks, most);
        t.is(all.length, ranks.length);
        for (const [at, rank] of all.entries()) t.true(rank <= most && (at === 0 || rank < all[at - 1]!));
        if (new Set(ranks).size === ranks.length)
          t.deepEqual(
            all,
            ranks.toSorted((a, b) => b - a),
          );
      },
    ),
  );
});
