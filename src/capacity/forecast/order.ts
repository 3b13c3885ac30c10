/** Sorts and groups large columns front to back: random access to a million rows misses the caches and takes several times as long. */
import { release } from '../../values/lazy.ts';

export type Column = Int32Array | Float64Array;

// An element that always exists. V8 compiles a function for one kind of array to a plain read; a common one would take several times as long.

export function intAt(values: Int32Array, index: number): number {
  const value = values[index];
  if (value === undefined) throw outside(values, index);
  return value;
}

export function floatAt(values: Float64Array, index: number): number {
  const value = values[index];
  if (value === undefined) throw outside(values, index);
  return value;
}

function at(values: Column, index: number): number {
  const value = values[index];
  if (value === undefined) throw outside(values, index);
  return value;
}

const outside = ({ length }: Column, index: number) => new RangeError(`There is no element ${index} in a column of ${length}.`);

/** Values of a digit of 11 bits. */
const DIGITS = 2048;
/** Up to this size the built-in sort is faster than counting 2,048 buckets. */
const FEW = 128;

/** Sorts `rows` in place by `values[row]`, lowest first. Stable: to sort by several columns, begin with the least significant. */
export function sortBy(rows: Int32Array, values: Column): void {
  if (rows.length <= FEW || !radixSort(rows, values)) compareSort(rows, values);
}

/** A stable radix sort. Returns false without sorting if the differences of values are not safe integers. */
function radixSort(rows: Int32Array, values: Column): boolean {
  let keys = gather(rows, values);
  const [lowest, highest] = rangeOf(keys);
  const exact = Number.isSafeInteger(highest - lowest);
  for (let unit = 1; exact && unit <= highest - lowest; unit *= DIGITS) {
    const { places } = placesBy(keys, DIGITS, { lowest, unit, mask: DIGITS - 1 });
    const sorted = scatter(rows, places);
    rows.set(sorted);
    const unsorted = keys;
    keys = scatter(keys, places);
    for (const used of [places, sorted, unsorted]) release(used);
  }
  release(keys);
  return exact;
}

function compareSort(rows: Int32Array, values: Column): void {
  rows.sort((a, b) => {
    const [one, other] = [at(values, a), at(values, b)];
    return one < other ? -1 : one > other ? 1 : 0;
  });
}

/** `places`: target position of each row. Group g has the positions from starts[g] up to, not including, starts[g + 1]. Stable. */
export interface Grouping {
  places: Int32Array;
  starts: Int32Array;
}

/** Groups by keys from 0 to groups − 1. */
export const groupBy = (keys: Column, groups: number): Grouping => placesBy(keys, groups, { lowest: 0, unit: 1, mask: -1 });

export function everyRow(size: number): Int32Array {
  const rows = new Int32Array(size);
  for (let row = 0; row < size; row++) rows[row] = row;
  return rows;
}

export function rowsWhere(size: number, wanted: (row: number) => boolean): Int32Array {
  const rows = new Int32Array(size);
  let count = 0;
  for (let row = 0; row < size; row++) if (wanted(row)) rows[count++] = row;
  return rows.subarray(0, count);
}

export function gather<Values extends Column>(rows: Int32Array, values: Values): Values {
  const gathered = emptyLike(values, rows.length);
  for (let n = 0; n < rows.length; n++) gathered[n] = at(values, intAt(rows, n));
  return gathered;
}

export function scatter<Values extends Column>(values: Values, places: Int32Array): Values {
  const scattered = emptyLike(values, places.length);
  for (let n = 0; n < places.length; n++) scattered[intAt(places, n)] = at(values, n);
  return scattered;
}

export const emptyLike = <Values extends Column>(values: Values, size: number): Values =>
  new (values.constructor as new (length: number) => Values)(size);

function rangeOf(values: Column): [number, number] {
  let lowest = Number.POSITIVE_INFINITY;
  let highest = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (value < lowest) lowest = value;
    if (value > highest) highest = value;
  }
  return [lowest, highest];
}

/** The bucket of a key is ((key − lowest) / unit) & mask. `&` works modulo 2^32, which does not change the bits of the mask. */
interface Digit {
  lowest: number;
  unit: number;
  mask: number;
}

function placesBy(keys: Column, buckets: number, { lowest, unit, mask }: Digit): Grouping {
  const starts = new Int32Array(buckets + 1);
  const bucketOf = (n: number) => ((at(keys, n) - lowest) / unit) & mask;
  for (let n = 0; n < keys.length; n++) {
    const next = bucketOf(n) + 1;
    starts[next] = intAt(starts, next) + 1;
  }
  for (let bucket = 0; bucket < buckets; bucket++) starts[bucket + 1] = intAt(starts, bucket + 1) + intAt(starts, bucket);
  const free = starts.slice();
  const places = new Int32Array(keys.length);
  for (let n = 0; n < keys.length; n++) {
    const bucket = bucketOf(n);
    const place = intAt(free, bucket);
    places[n] = place;
    free[bucket] = place + 1;
  }
  return { places, starts };
}
