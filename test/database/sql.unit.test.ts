/** The remembered `sql` says what slonik's own says. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import test from 'ava';
import fc from 'fast-check';
import { sql as slonik } from 'slonik';
import { z } from 'zod';
import { fixedSql } from '../../src/database/db.ts';
import { sql } from '../../src/database/sql.ts';

const Row = z.object({ x: z.number() });

/** A statement out of nested pieces, by whichever tag. */
function build(
  tag: typeof slonik,
  given: { n: number; s: string; b: boolean | null; ids: number[]; bytes: Uint8Array; deep: number; column: string },
) {
  const inner = tag.fragment`a = ${given.n} and b = ${tag.binary(Buffer.from(given.bytes))}`;
  const list = tag.fragment`(${inner} or c = any(${tag.array(given.ids, 'int8')}) or d = any(${tag.array([given.s], 'text')}))`;
  let nested = tag.fragment`${list}`;
  for (let level = 0; level < given.deep; level++) nested = tag.fragment`not (${nested} and e = ${level}) ${fixedSql('/* $ fixed */')}`;
  const named = tag.fragment`${nested} and ${tag.identifier([given.column])} = ${given.s}`;
  const joined = tag.fragment`${tag.join([inner, list], tag.fragment` or `)}`;
  return {
    fragment: given.b === null ? nested : given.b ? named : joined,
    query: tag.type(Row)`
      select ${given.b} as x where ${given.b === null ? nested : named} and ${inner} `,
    unsafe: tag.unsafe`select ${given.s}, ${joined}`,
  };
}

const given = fc.record({
  n: fc.integer(),
  s: fc.oneof(fc.string(), fc.constantFrom('$1', '$slonik_1')),
  b: fc.constantFrom(true, false, null),
  ids: fc.array(fc.integer()),
  bytes: fc.uint8Array(),
  deep: fc.nat(4),
  column: fc.constantFrom('f', 'g', 'order'),
});

const normal = ({ sql: text, values }: { sql: string; values: readonly unknown[] }) => ({
  text: text.replaceAll('$slonik_', '$').trim(),
  values,
});

test('texts and values are those of slonik, the first time and every other', (t) => {
  fc.assert(
    fc.property(given, (values) => {
      const own = build(sql, values);
      const expected = build(slonik, values);
      t.deepEqual(normal(own.fragment as never), normal(expected.fragment as never));
      for (const name of ['query', 'unsafe'] as const) {
        t.deepEqual(normal(own[name]), normal(expected[name]));
        t.is(own[name].type, expected[name].type);
      }
      t.is(own.query.parser, Row);
    }),
    { numRuns: 300 },
  );
});

test('the same templates give the very same text, whatever the values', (t) => {
  const make = (n: number) => build(sql, { n, s: String(n), b: null, ids: [n], bytes: new Uint8Array([n]), deep: 2, column: 'f' });
  t.is(make(1).query.sql, make(2).query.sql);
  t.deepEqual(make(2).fragment.values[0], 2);
});

test('a value that is left out is refused, the second time too', (t) => {
  const one = (value: unknown) => sql.fragment`select ${value as number}`;
  one(1);
  for (const value of [undefined, {}, () => 1]) {
    t.throws(() => one(value));
    t.throws(() => one(value));
  }
});

test('combinations of fragments are forgotten beyond a bound, and composed as before', (t) => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const heldMegabytes = () => {
    collect();
    return process.memoryUsage().heapUsed / 1e6;
  };
  const before = heldMegabytes();
  const [on, off] = [sql.fragment`and ${1}`, sql.fragment``];
  for (let n = 0; n < 20_000; n++) {
    const at = (bit: number) => ((n >> bit) & 1 ? on : off);
    const made = sql.unsafe`select ${n} ${at(0)} ${at(1)} ${at(2)} ${at(3)} ${at(4)} ${at(5)} ${at(6)} ${at(7)} ${at(8)} ${at(9)} ${at(10)} ${at(11)}
      ${at(12)} ${at(13)} ${at(14)}`;
    if (n % 1_000 === 999) t.is(made.values.length, 1 + n.toString(2).replaceAll('0', '').length);
  }
  t.true(heldMegabytes() - before < 15, `${heldMegabytes() - before} MB`);
});
