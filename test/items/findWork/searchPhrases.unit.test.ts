import { alternativesOf, hasTooManyPhrases, MOST_PHRASES, numbersOf } from '../../../src/items/findWork/searchPhrases.ts';
import { suite } from '../../support/suite.ts';

const test = suite(import.meta.url);

test('words are all required, quotes make a phrase, and or separates alternatives', (t) => {
  const cases: [string, string[][]][] = [
    ['refund', [['refund']]],
    ['  late   refund ', [['late', 'refund']]],
    ['refund or return', [['refund'], ['return']]],
    ['late "bank transfer" OR refund', [['late', 'bank transfer'], ['refund']]],
    ['a or b or "c or d"', [['a'], ['b'], ['c or d']]],
    ['"or"', [['or']]],
    ['fortune orange', [['fortune', 'orange']]],
  ];
  for (const [search, wanted] of cases) t.deepEqual(alternativesOf(search), wanted, search);
});

test('an incomplete expression is still searched', (t) => {
  const cases: [string, string[][]][] = [
    ['or', [['or']]],
    ['or or', [['or or']]],
    ['refund or', [['refund']]],
    ['or refund', [['refund']]],
    ['""', [['""']]],
    ['"" refund', [['refund']]],
    ['5" pipe', [['5"', 'pipe']]],
    ['"open', [['"open']]],
    [' ', [[' ']]],
  ];
  for (const [search, wanted] of cases) t.deepEqual(alternativesOf(search), wanted, search);
});

test('an alternative that is a number also names an item', (t) => {
  t.deepEqual(numbersOf(alternativesOf('24 or #25 or "26" or 27 refund or 0')), [24, 25, 26]);
  t.deepEqual(numbersOf(alternativesOf('1234567890123456')), []);
});

test('phrases after the twelfth are ignored', (t) => {
  const words = Array.from({ length: MOST_PHRASES }, (_, n) => `w${n}`).join(' ');
  t.false(hasTooManyPhrases(words));
  t.true(hasTooManyPhrases(`${words} more`));
  t.deepEqual(alternativesOf(`${words} more`), alternativesOf(words));
});
