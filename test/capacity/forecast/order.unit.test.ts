import fc from 'fast-check';
import { MinHeap } from '../../../src/capacity/forecast/heap.ts';
import { everyRow, groupBy, sortBy } from '../../../src/capacity/forecast/order.ts';
import { suite } from '../../support/suite.ts';

const test = suite(import.meta.url);

const repeated = (values: number[], times: number) =>
  Float64Array.from({ length: values.length * times }, (_, n) => values[n % values.length]!);

test('rows are sorted by value; equal rows keep their order, at any count and distance', (t) => {
  const value = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -(2 ** 31), max: 2 ** 31 }), fc.maxSafeInteger());
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 40 }), fc.constantFrom(1, 30), (some, times) => {
      const values = repeated(some, times);
      const rows = everyRow(values.length);
      sortBy(rows, values);
      t.deepEqual(
        [...rows],
        [...values.keys()].sort((a, b) => values[a]! - values[b]! || a - b),
      );
    }),
  );
});

test('a group keeps the order of its rows', (t) => {
  const { places, starts } = groupBy(Int32Array.of(2, 0, 2, 0, 3), 4);
  t.deepEqual([...places], [2, 0, 3, 1, 4]);
  t.deepEqual([...starts], [0, 2, 2, 4, 5]);
});

test('a heap returns the smallest first', (t) => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.nat(100), { freq: 3 })), (steps) => {
      const heap = new MinHeap(steps.length);
      let model: number[] = [];
      for (const step of steps) {
        if (step !== null) {
          heap.push(step);
          model = [...model, step].sort((a, b) => a - b);
        } else if (model.length > 0) {
          t.is(heap.top, model.shift()!);
          heap.pop();
        }
        t.is(heap.size, model.length);
      }
    }),
  );
});

test('values with an inexact difference are sorted correctly', (t) => {
  const most = Number.MAX_SAFE_INTEGER;
  const values = Float64Array.from({ length: 300 }, (_, row) => (row % 2 ? -1 : 1) * (most - (row % 7)));
  const rows = everyRow(values.length);
  sortBy(rows, values);
  const sorted = [...rows].map((row) => values[row]!);
  t.deepEqual(
    sorted,
    [...values].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)),
  );
});
