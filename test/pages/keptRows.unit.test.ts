import test from 'ava';
import { html } from '../../src/pages/frame/html.ts';
import { HOLE, keptRows } from '../../src/pages/frame/keptRows.ts';

interface Row {
  id: number;
  title: string;
}

test('rows with equal content are built once, whatever fills their slot, and other rows are built anew', (t) => {
  let made = 0;
  const rowsOf = (common: readonly string[]) =>
    keptRows<Row>(['test', ...common], ({ id, title }) => {
      made++;
      return html`<li data-n="${HOLE}">${common} ${id} ${title}</li>`;
    });
  const row = { id: 1, title: 'A' };
  t.is(rowsOf(['a'])(row, '1').text, '<li data-n="1">a 1 A</li>');
  t.is(rowsOf(['a'])({ ...row }, '2').text, '<li data-n="2">a 1 A</li>');
  t.is(made, 1);
  t.is(rowsOf(['b'])(row, '1').text, '<li data-n="1">b 1 A</li>');
  t.is(rowsOf(['a'])({ ...row, title: 'B' }, '1').text, '<li data-n="1">a 1 B</li>');
  t.is(made, 3);
});

test('user input never fills a slot', (t) => {
  const row = keptRows<Row>(['typed'], ({ title }) => html`<li>${title}</li>`);
  t.is(row({ id: 1, title: HOLE.text }, '7').text, '<li>&lt;&gt;</li>');
});

test('an evicted row is built again', (t) => {
  let made = 0;
  const row = keptRows<Row>(['forgotten'], ({ title }) => {
    made++;
    return html`<li>${title}</li>`;
  });
  const first = { id: 0, title: 'first' };
  const text = row(first).text;
  for (let id = 1; id <= 700; id++) row({ id, title: 'x'.repeat(9_000) });
  t.is(row(first).text, text);
  t.is(made, 702);
});
