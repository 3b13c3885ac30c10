/** Long and hostile texts on an item's pages (behaviour §15.11, §18.15, §23.6). */
import { fileDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { suite } from '../../support/suite.ts';
import { signedIn, type Visitor } from '../../support/visitor.ts';
import { emailOf, type WorkWorld, workWorld } from '../../support/workWorld.ts';

const test = suite(import.meta.url);

const LONGEST = 12_000;
/** Each line is a row of ten cells: 12,000 characters are 65,536 cells of the parser. */
const cells = `${'|a'.repeat(10)}|\n${'|-'.repeat(10)}|\n${'x\n'.repeat(LONGEST)}`.slice(0, LONGEST);
const prose = (n: number) => `Comment ${n}. `.padEnd(LONGEST, '**word** ');
const at = (n: number) => new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString();

const database = fileDatabase();
let work: WorkWorld;
let mia: Visitor;
test.before('items with long texts and comments', async () => {
  const comment = (item: string, n: number, body: string) => ({ item, author: 'max', body, createdAt: at(n) });
  work = await workWorld(database.url, {
    items: [
      { ref: 'cells', type: 'task', title: 'Cells', description: '# Plain' },
      { ref: 'prose', type: 'task', title: 'Prose' },
      { ref: 'archived', type: 'task', title: 'Archived', archived: true },
    ],
    comments: [
      ...['cells', 'archived'].map((item) => comment(item, 0, cells)),
      ...['prose', 'archived'].flatMap((item) => Array.from({ length: 20 }, (_, n) => comment(item, n + 1, prose(n + 1)))),
    ],
  });
  mia = await signedIn(work.web.baseUrl, emailOf('mia'));
});
test.after('stop', () => work?.stop());

const go = async (ref: string, query = '') => (await mia.go(`${work.item(ref).slice(work.web.baseUrl.length)}${query}`)).html;
const shown = (html: string) => Array.from({ length: 20 }, (_, n) => n + 1).filter((n) => html.includes(`Comment ${n}. `));

test('a comment with thousands of table cells is shown as typed, and formatted on request', async (t) => {
  // On a busy machine formatting may take too long at first.
  const html = await eventually(
    () => go('cells'),
    (page) => page.includes('<h3>Plain</h3>'),
  );
  t.true(html.includes('<h3>Plain</h3>'), 'other texts are formatted');
  t.true(html.includes(`<p class="as-is">${cells}`));
  t.false(html.includes('<table>'));
  const [, address] = /<a href="[^"]*(\?formatted=[^"#]+)#text-[^"]+">Show formatted/.exec(html)!;
  const formatted = await eventually(
    () => go('cells', address),
    (page) => page.includes('<td>x</td>'),
  );
  t.true(formatted.includes('<td>x</td>'));
  t.false(formatted.includes('as-is'));
  t.is((await go('cells')).includes('<td>x</td>'), false, 'only for who asked');
});

test('a page shows the latest 200,000 characters of comments, and links to earlier ones', async (t) => {
  const html = await go('prose');
  t.deepEqual(
    shown(html),
    Array.from({ length: 17 }, (_, n) => n + 4),
  );
  t.true(html.includes('<strong>word</strong>'));
  const [, address] = /href="[^"]*(\?until=[^"#]+)#stream"/.exec(html)!;
  t.deepEqual(shown(await go('prose', address)), [1, 2, 3, 4]);
});

test('the page of an archived item has the same limits', async (t) => {
  const html = await go('archived');
  t.deepEqual(
    shown(html),
    Array.from({ length: 17 }, (_, n) => n + 4),
  );
  t.true(html.includes('Older comments are not shown.'));
});
