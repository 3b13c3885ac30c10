/** Scaling a forecast page to fit one sheet (behaviour §32.4). */
import { paperClass } from '../../src/pages/capacity/scope.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

test('a sheet is scaled as large as possible, and shortens long contents to one line each', (t) => {
  t.is(paperClass(2, 3), 'fit-100');
  t.is(paperClass(6, 5), 'fit-80');
  t.is(paperClass(12, 20), 'fit-80 dense');
  t.is(paperClass(50, 60), 'fit-30 dense');
});
