/** Random values of a JSON Schema, for a client that knows only the published document. A few rules exist only in words: visible
 *  characters, no NUL, the smallest amount, the days of a range. */
import fc from 'fast-check';

// biome-ignore lint/suspicious/noExplicitAny: a JSON document, looked into freely
type Schema = any;

const storable = (text: string) => text.isWellFormed() && !text.includes('\0');
const days = (from: string, to: string) =>
  fc.date({ min: new Date(from), max: new Date(to), noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10));
const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' })).filter(storable);

function text({ format, pattern, maxLength, description = '' }: Schema): fc.Arbitrary<string> {
  if (format === 'date') {
    const [, from = '0001-01-01', to = '9999-12-31'] = /from (\d{4}-\d\d-\d\d) to (\d{4}-\d\d-\d\d)/.exec(description) ?? [];
    return fc.oneof(days('2026-01-01', '2026-02-01'), days(from, to));
  }
  if (format === 'uuid') return fc.uuid();
  const visible = /visible character/.test(description) ? 'x' : '';
  const [short, long] = [anyText.map((one) => visible + one), fc.constant('😀'.repeat(maxLength ?? 1))];
  if (!pattern) return fc.oneof({ weight: 20, arbitrary: short }, long);
  const matching = fc.stringMatching(new RegExp(pattern)).filter(storable);
  if (/^\^\\d/.test(pattern)) return matching;
  const fits = new RegExp(pattern);
  return fc.oneof(
    {
      weight: 20,
      arbitrary: fc
        .oneof(
          short,
          matching.map((one) => visible + one),
        )
        .filter((one) => fits.test(one)),
    },
    long,
  );
}

/** For a schema without properties, items or references. */
export function valuesOf(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const { minimum: min, maximum: max } = schema;
  const types: Record<string, () => fc.Arbitrary<unknown>> = {
    null: () => fc.constant(null),
    integer: () => fc.bigInt({ min: BigInt(min ?? Number.MIN_SAFE_INTEGER), max: BigInt(max ?? Number.MAX_SAFE_INTEGER) }).map(Number),
    number: () => fc.double({ min, max, noNaN: true }).map((one) => (Math.abs(one) < 1e-6 ? 0 : one)),
    string: () => text(schema),
  };
  return fc.oneof(...[schema.type].flat().map((type: string) => types[type]!()));
}
