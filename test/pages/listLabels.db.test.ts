/** Labels and blockers in lists, boards and CSV files (behaviour §33.15). */
import { fileDatabase } from '../support/database.ts';
import { suite } from '../support/suite.ts';
import { signedIn, type Visitor } from '../support/visitor.ts';
import { emailOf, type WorkWorld, workWorld } from '../support/workWorld.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let work: WorkWorld;
let mia: Visitor;
test.before('labelled items', async () => {
  work = await workWorld(database.url, {
    labels: [{ name: 'Blue', color: 'teal' }, { name: 'Red <b>' }],
    items: [
      { ref: 'both', type: 'task', title: 'Both', labels: ['Blue', 'Red <b>'] },
      { ref: 'blue', type: 'task', title: 'Only blue', labels: ['Blue'], blockedBy: [{ ref: 'both' }, { ref: 'done' }] },
      { ref: 'none', type: 'task', title: 'Plain' },
      { ref: 'done', type: 'task', title: 'Finished', status: 'done' },
    ],
  });
  mia = await signedIn(work.web.baseUrl, emailOf('mia'));
  await mia.go(`${work.at.slice(work.web.baseUrl.length)}/items/${work.refs.id('both')}/labels`);
});
test.after('stop', () => work?.stop());

const list = (query: string) => mia.go(`${work.at.slice(work.web.baseUrl.length)}?${query}`);
const idOf = (name: string) => new RegExp(`value="(\\d+)"[^>]*><span class="label[^"]*">${name}<`).exec(labelMenu)![1]!;
let labelMenu = '';
test.before('the ids of labels', async () => {
  labelMenu = (await mia.go(`${work.at.slice(work.web.baseUrl.length)}/items/${work.refs.id('none')}/labels`)).html;
});
const titles = ({ html }: { html: string }) => ['Both', 'Only blue', 'Plain'].filter((title) => html.includes(`>${title}</a>`));

test('lists filter by any, all and none of the labels, and show the filter as a chip', async (t) => {
  const [blue, red] = [idOf('Blue'), idOf('Red &lt;b&gt;')];
  t.deepEqual(titles(await list(`label=${blue}`)), ['Both', 'Only blue']);
  t.regex(mia.at.text, /Any label Blue/);
  t.deepEqual(titles(await list(`label=${blue}&label=${red}`)), ['Both', 'Only blue']);
  t.deepEqual(titles(await list(`allLabels=${blue}&allLabels=${red}`)), ['Both']);
  t.deepEqual(titles(await list(`noLabel=${red}`)), ['Only blue', 'Plain']);
  t.deepEqual(titles(await list(`label=${blue}&noLabel=${red}&sort=title`)), ['Only blue']);
  t.deepEqual(titles(await list(`noLabel=${red}&view=board`)), ['Only blue', 'Plain']);
  t.is((await list(`label=999999&view=timeline`)).status, 200);
});

test('an empty list clears all filters at once, also labels', async (t) => {
  for (const view of ['list', 'timeline']) {
    const { html } = await list(`allLabels=999999&noLabel=${idOf('Blue')}&mine=1&view=${view}`);
    const [, clear] = /href="([^"]*)"[^>]*>(?:<svg.*?<\/svg>)?Clear filters</.exec(html) ?? [];
    t.regex(clear ?? '', new RegExp(`/workspaces/\\d+${view === 'list' ? '$' : '\\?view=timeline$'}`));
  }
});

test('rows, cards and CSV files show labels and how many open items block one', async (t) => {
  const rows = await list('');
  t.regex(rows.html, /<span class="label c1">Blue<\/span>/);
  t.regex(rows.html, /Red &lt;b&gt;/);
  t.regex(rows.text, /Waits for 1 item/);
  const board = await list('view=board');
  t.regex(board.html, /<p class="tags">.*<span class="label c1">Blue<\/span>/);
  const csv = await mia.go(`${work.at.slice(work.web.baseUrl.length)}/list.csv`);
  t.regex(csv.html, /,"Labels","Waits for",/);
  t.regex(csv.html, /"Only blue",.*,"Blue","1",/);
});
