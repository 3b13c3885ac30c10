import { csvCell, csvLine } from '../../src/values/csv.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

test('text that a spreadsheet would calculate is escaped, in every disguise', (t) => {
  for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1', '\u200b=1', '\uff1d1', '\ufeff=1', '\n@x'])
    t.is(csvCell(text), `"'${text}"`);
});

test('other text is unchanged, with its quotes doubled', (t) => {
  for (const text of ['Ana', 'a=1', '', '2026-03-02', 'ü "x", y\nz']) t.is(csvCell(text), `"${text.replaceAll('"', '""')}"`);
  t.is(csvCell(-5), '"-5"');
  t.is(csvCell(null), '""');
  t.is(csvLine([1, 'a', null]), '"1","a",""\r\n');
});
