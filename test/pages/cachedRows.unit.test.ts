import { cachedRows } from '../../src/pages/frame/cachedRows.ts';
import { html } from '../../src/pages/frame/html.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

test('a row is rendered once, and again when its own data or the data of its page differs', (t) => {
  let rendered = 0;
  const rowsOf = (common: string) =>
    cachedRows<{ id: number; title: string }>(['test', common], ({ id, title }) => {
      rendered++;
      return html`<li>${common} ${id} ${title}</li>`;
    });
  const row = { id: 1, title: '<A>' };
  t.is(rowsOf('a')(row).text, '<li>a 1 &lt;A&gt;</li>');
  t.is(rowsOf('a')({ ...row }).text, '<li>a 1 &lt;A&gt;</li>');
  t.is(rendered, 1);
  t.is(rowsOf('b')(row).text, '<li>b 1 &lt;A&gt;</li>');
  t.is(rowsOf('a')({ ...row, title: 'B' }).text, '<li>a 1 B</li>');
  t.is(rendered, 3);
});
