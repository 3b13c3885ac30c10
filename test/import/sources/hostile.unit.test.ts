/** Files that are broken, hostile or unusual: a sentence instead of a crash, and bounded memory (behaviour §36.4–§36.9). */
import { prepareRows, stageRows } from '../../../src/import/runs/readRows.ts';
import { detectFormat } from '../../../src/import/sources/detect.ts';
import { Collected, emptyIssue } from '../../../src/import/sources/entries.ts';
import { ImportMap } from '../../../src/import/sources/map.ts';
import { plan } from '../../../src/import/sources/plan.ts';
import { Reporter } from '../../../src/import/sources/report.ts';
import type { Format } from '../../../src/import/sources/source.ts';
import type { Survey } from '../../../src/import/sources/surveySchema.ts';
import { csvLine } from '../../../src/values/csv.ts';
import { InvalidRequest } from '../../../src/values/errors.ts';
import { unstorable } from '../../../src/values/text.ts';
import { suite } from '../../support/suite.ts';
import { factsOf, opened, readAll } from './reading.ts';

const test = suite(import.meta.url);

const wanted = () => ({ map: ImportMap.parse({}), facts: factsOf() });
const emptySurvey: Survey = { format: 'csv', encoding: 'utf-8', delimiter: null, rows: 0, notes: [], people: [], columns: [] };
const csv = (text: string | Uint8Array, map = {}) => readAll('csv', opened(text), map);
const refusal = async (format: Format, content: string | Uint8Array, size?: number) => {
  try {
    await readAll(format, opened(content, size));
    return 'read';
  } catch (error) {
    return error instanceof InvalidRequest ? error.message : String(error);
  }
};

test('binary files are refused with advice', (t) => {
  const messageOf = (bytes: number[], name?: string) =>
    t.throws(() => detectFormat(Uint8Array.from(bytes), name), { instanceOf: InvalidRequest }).message;
  t.is(messageOf([0x50, 0x4b, 3, 4, 0, 0]), 'This is a zip or Excel file. Unpack it, or save the sheet as CSV, then import that file.');
  t.is(messageOf([0x1f, 0x8b, 8, 0]), 'This is a gzip file. Unpack it, then import the file in it.');
  t.is(messageOf([0xd0, 0xcf, 0x11, 0xe0]), 'This is an Excel file. Save the sheet as CSV, then import that file.');
  t.is(messageOf([...Buffer.from('%PDF-1.7')]), 'This is a PDF. Export CSV or JSON instead.');
  t.is(messageOf([...Buffer.from('\ufeff <html>')]), 'This is a web page or XML. Export CSV or JSON instead.');
  t.is(messageOf([]), 'The file is empty. Choose another one.');
  t.is(messageOf([...Buffer.from('a,b')], 'board.JSON'), 'The file is not JSON. Export it again.');
});

test('a survey refuses a zip too, whatever format was chosen', async (t) => {
  for (const format of ['csv', 'trello', 'github', 'stint'] as const)
    t.regex(await refusal(format, Uint8Array.from([0x50, 0x4b, 3, 4])), /^This is a zip/);
});

test('formulas stay text, and are escaped where CSV is written', async (t) => {
  const formulas = ['=HYPERLINK("http://evil.example","x")', '+1+1', '-2+3', '@SUM(A1)'];
  const text = `id,title,description\n${formulas.map((formula, n) => `${n},"${formula.replaceAll('"', '""')}","${formula.replaceAll('"', '""')}"`).join('\n')}`;
  const { planned } = await csv(text);
  t.deepEqual(
    planned.map(({ title }) => title),
    formulas,
  );
  t.deepEqual(
    planned.map(({ description }) => description),
    formulas,
  );
  for (const { title } of planned) t.true(csvLine([title]).startsWith(`"'`), title);
  const exported = csvLine(['id', 'title', 'description']) + formulas.map((formula, n) => csvLine([n, formula, ` ${formula}`])).join('');
  t.true(exported.includes(`"'=HYPERLINK`));
  const { planned: again } = await csv(exported);
  t.deepEqual(
    again.map(({ title, description }) => [title, description]),
    formulas.map((formula) => [formula, formula]),
  );
});

test('a row of gigabytes is refused at its line, before it is in memory', async (t) => {
  let sent = 0;
  const endless = async function* () {
    yield Buffer.from('id,title\n1,good\n2,"');
    for (; sent < 2 ** 31; sent += 65_536) yield Buffer.alloc(65_536, 'x');
  };
  await t.throwsAsync(readAll('csv', endless), {
    message: 'The row that starts in line 3 is larger than 8 MiB. Check it for a missing quote.',
  });
  t.true(sent < 32 * 1024 * 1024, `${sent}`);
});

test('a JSON text without end is refused before it is in memory', async (t) => {
  for (const format of ['trello', 'github'] as const) {
    const chunk = Buffer.alloc(65_536, 'x');
    const most = process.memoryUsage().arrayBuffers + 64 * 1024 * 1024;
    let sent = 0;
    const endless = async function* () {
      yield Buffer.from(format === 'trello' ? '{"cards":[{"name":"' : '[{"title":"');
      for (sent = 0; sent < 256 * 1024 * 1024; sent += 65_536) {
        t.true(process.memoryUsage().arrayBuffers < most);
        yield chunk;
      }
    };
    await t.throwsAsync(readAll(format, endless), {
      message: /^The file has an entry of more than 8 MiB after byte [\d,]+\. Remove or split it\.$/,
    });
    t.true(sent < 32 * 1024 * 1024, `${sent}`);
  }
});

test('a quote that is not closed names the line of its row', async (t) => {
  t.is(
    await refusal('csv', 'id,title\n1,"two\nlines"\n2,"open\n3,x\n'),
    'The row that starts in line 4 has a quote that is not closed. Close it, or export the file again.',
  );
});

test('incomplete and broken JSON is refused', async (t) => {
  t.is(
    await refusal('github', '[{"number":1,"title":"a","state":"open"},'),
    'The JSON ends too early. The file is incomplete; export or upload it again.',
  );
  t.regex(await refusal('github', '[{"number":1,]'), /^The file is not valid JSON after byte \d+\. Export it again\.$/);
  t.regex(await refusal('trello', `{"cards":${'['.repeat(5_000)}`), /nested more than 100 levels/);
  t.regex(await refusal('trello', '{"name":"no board"}'), /^This JSON is not a Trello board/);
});

test('a JSON entry of the wrong kind is refused alone, and __proto__ does no harm', async (t) => {
  const entries = [
    '{"number":1,"title":"first","state":"open","__proto__":{"pull_request":{}},"constructor":1}',
    '7',
    'null',
    '{"number":-1}',
    '{"number":2,"title":"","state":"open"}',
  ];
  const { issues, report } = await readAll('github', opened(`[${entries.join(',')}]`));
  t.deepEqual(
    issues.map(({ title }) => title),
    ['first'],
  );
  t.deepEqual(
    report.refused.rows.map(({ line }) => line),
    [2, 3, 4, 5],
  );
  t.false('pull_request' in {});
});

test('names of prototypes as values, columns and keys do no harm', async (t) => {
  const { planned, report } = await csv(
    'id,title,status,priority,type,labels,assignee,__proto__,constructor\n__proto__,a,constructor,toString,__proto__,"__proto__,constructor",constructor,x,y\n',
  );
  t.like(planned[0], { key: '__proto__', status: 'planned', labels: ['__proto__', 'constructor'] });
  t.deepEqual(
    report.lost.entries.map(({ column }) => column),
    ['__proto__', 'constructor'],
  );
});

test('each encoding is read, and named unless it is UTF-8', async (t) => {
  const text = 'id,title\r\n1,Größe – naïve €\r\n';
  const swapped = Buffer.from(`\ufeff${text}`, 'utf16le').swap16();
  const ansi = Buffer.from(text.replace('–', '\u0096').replace('€', '\u0080'), 'latin1');
  const contents: [Uint8Array, string][] = [
    [Buffer.from(text), 'utf-8'],
    [Buffer.from(`\ufeff${text}`), 'utf-8'],
    [Buffer.from(`\ufeff${text}`, 'utf16le'), 'utf-16le'],
    [Buffer.from(text, 'utf16le'), 'utf-16le'],
    [swapped, 'utf-16be'],
    [swapped.subarray(2), 'utf-16be'],
    [ansi, 'windows-1252'],
  ];
  for (const [content, encoding] of contents) {
    for (const size of [1, 3, 1_000]) {
      const { issues, survey } = await readAll('csv', opened(content, size));
      t.deepEqual([survey.encoding, issues[0]!.key, issues[0]!.title], [encoding as never, '1', 'Größe – naïve €']);
    }
    t.is(detectFormat(content), 'csv');
    t.is(
      (await csv(content)).report.file.some((note) =>
        note.includes(encoding === 'utf-8' ? 'UTF-16' : encoding.slice(1, 6).toLowerCase() === 'tf-16' ? 'UTF-16' : 'Windows-1252'),
      ),
      encoding !== 'utf-8',
    );
  }
});

test('NUL bytes, control characters, lone surrogates and direction marks are removed', async (t) => {
  const { planned } = await csv('id,title,description\n1,"a\0b\u0007c\u202ed","x\0y\u202e"\n');
  t.like(planned[0], { title: 'ab c d', description: 'xy\u202e' });
  const { planned: ours } = await readAll(
    'github',
    opened('[{"number":1,"title":"a\\u0000b\\ud800","state":"open","body":"\\udc00x\\u0000"}]'),
  );
  t.like(ours[0], { title: 'ab\ufffd', description: '\ufffdx' });
});

test('1,000 columns are read, and one more is refused; the report lists the first 500 of the lost ones', async (t) => {
  const names = Array.from({ length: 1_000 }, (_, n) => `Field ${n}`);
  const most = names.slice(1).join(',');
  const { issues, report } = await csv(`title,${most}\nA,${most}\n`);
  t.is(issues.length, 1);
  t.deepEqual([report.lost.entries.length, report.lost.more], [500, 499]);
  const refusal = /line 2 has 1,001 columns. Remove columns until at most 1,000 are left/;
  await t.throwsAsync(csv(`title,${most}\nA,${most},one more\n`), { message: refusal });
  await t.throwsAsync(csv(`title\n${','.repeat(50_000)}\n`), { message: /has 50,001 columns/ });
});

test('rows with more cells than the header, without key or title, or with a repeated key are refused with their line', async (t) => {
  const { issues, report } = await csv('id,title\n1,a\n2,b,too many\n,c\n4,\n1,again\n\n6,"fine"\n7\n8,d,,\n');
  t.deepEqual(
    issues.map(({ key }) => key),
    ['1', '6', '8'],
  );
  t.deepEqual(
    report.refused.rows.map(({ line, reason }) => [line, reason]),
    [
      [3, 'it has more cells than the header; put values with a separator in quotes'],
      [4, 'it has no key'],
      [5, 'it has no title'],
      [6, 'its key is also used in line 2'],
      [9, 'it has no title'],
    ],
  );
});

test('without a header for titles the column with the longest texts is taken, and the map can name another', async (t) => {
  const { issues, report } = await csv('id,foo,bar\n1,short,a longer text\n2,x,12345678901234567890\n');
  t.is(issues[0]!.title, 'a longer text');
  t.deepEqual(report.file, ["'bar' was taken as the title, because no header names one."]);
  const chosen = await csv('id,foo,bar\n1,short,a longer text\n', { columns: { foo: 'title', Titel: 'title' } });
  t.is(chosen.issues[0]!.title, 'short');
  t.deepEqual(chosen.report.file, ['Columns of the map that the file does not have: Titel.']);
  t.is(await refusal('csv', 'id,foo\n1,2\n'), 'columns: map one of the columns to title: id, foo.');
  t.is(await refusal('csv', 'id,title\n'), 'The file has no rows after its header. Export it again, with issues.');
});

test('cycles of parents and blockers lose one link, and links to nothing are named', async (t) => {
  const { links, report } = await csv('id,title,parent,blocked by\nA,a,B,C\nB,b,C,A\nC,c,A,"B, Z"\nD,d,D,D\nE,e,A,\nF,f,missing,\n');
  const above = (key: string): string[] => {
    const { parentKey } = links.linksOf(key);
    return parentKey === null ? [] : [parentKey, ...above(parentKey)];
  };
  t.deepEqual(['A', 'B', 'C', 'D', 'E', 'F'].map((key) => above(key).length).sort(), [0, 0, 0, 1, 2, 3].sort());
  const blockers = (key: string): string[] => links.linksOf(key).blockedBy.flatMap((blocker) => [blocker, ...blockers(blocker)]);
  t.true(['A', 'B', 'C'].every((key) => !blockers(key).includes(key)));
  t.deepEqual(report.changed.entries.map(({ what, reason, count }) => `${what}: ${reason} (${count})`).sort(), [
    'Blocked by: it blocks itself (1)',
    'Blocked by: it was part of a cycle (1)',
    'Blocked by: there is no issue Z in the file (1)',
    'Parent: its parents form a cycle (2)',
    'Parent: there is no issue missing in the file (1)',
  ]);
});

test('a chain of 20,000 parents is cut every 90 levels; one of blockers stays', async (t) => {
  const rows = Array.from({ length: 20_000 }, (_, n) => `${n},t${n},${n + 1},${n + 1}`);
  const { links, report } = await csv(`id,title,parent,blocked by\n${rows.join('\n')}\n`);
  let deepest = 0;
  for (let n = 0; n < 20_000; n += 17) {
    let depth = 0;
    for (let key: string | null = links.linksOf(String(n)).parentKey; key !== null; key = links.linksOf(key).parentKey) depth++;
    deepest = Math.max(deepest, depth);
  }
  t.true(deepest > 80 && deepest <= 90, `${deepest}`);
  t.is(report.parents, 20_000 - 1 - Math.floor(19_999 / 91));
  t.is(report.dependencies, 19_999);
});

test('the order of days and months is decided for each column, and the report names it', async (t) => {
  const { issues, report } = await csv(
    'id,title,created,due date,start\n1,a,12/31/2025,03/04/2026,31.12.2025\n2,b,01/02/2026,05/06/2026,01.02.2026\n',
  );
  t.deepEqual(
    issues.map(({ createdAt, dueDate, startDate }) => [createdAt?.slice(0, 10), dueDate, startDate]),
    [
      ['2025-12-31', '2026-04-03', '2025-12-31'],
      ['2026-01-02', '2026-06-05', '2026-02-01'],
    ],
  );
  t.deepEqual(report.file, [
    "'created': dates were read as month/day, the only order that fits all of them.",
    "'due date': dates were read as day/month; no date shows the order. Choose the order if this is wrong.",
    "'start': dates were read as day/month, the only order that fits all of them.",
  ]);
  const { issues: chosen } = await csv('id,title,due date\n1,a,03/04/2026\n', { dates: { 'due date': 'month-day' } });
  t.is(chosen[0]!.dueDate, '2026-03-04');
});

test('invalid dates and numbers are left out, and the report names them', async (t) => {
  const { issues, report } = await csv('id,title,due date,points\n1,a,30/02/2026,many\n2,b,soon,-3\n3,c,2026-02-03,"2,5"\n');
  t.deepEqual(
    issues.map(({ dueDate, points }) => [dueDate, points]),
    [
      [null, null],
      [null, null],
      ['2026-02-03', 2.5],
    ],
  );
  t.deepEqual(report.changed.entries.map(({ what, reason, count }) => [what, reason, count]).sort(), [
    ['due date', 'a value that is not a date was left out', 2],
    ['points', 'a value that is not a number of 0 or more was left out', 2],
  ]);
});

test('long titles continue in the description, long descriptions and comments in further comments', async (t) => {
  const long = `${'x'.repeat(399)}!`;
  const text = `${'y'.repeat(60_000)}END`;
  const { planned } = await csv(`id,title,description,comment\n1,${long},${text},${'z'.repeat(15_000)}END\n`);
  const [item] = planned;
  t.is(item!.title.length, 300);
  t.true(item!.description.startsWith(long.replace('!', '!')));
  t.is(item!.description.length, 50_000);
  t.true(item!.comments.every(({ body }) => body.length <= 12_000));
  const whole = [item!.description, ...item!.comments.map(({ body }) => body)].join('');
  t.is(whole.split('y').length - 1, 60_000);
  t.is(whole.split('z').length - 1, 15_000);
  t.is(whole.split('END').length - 1, 2);
});

test('labels beyond 20 per item, or 500 per workspace, are listed in the description', async (t) => {
  const names = Array.from({ length: 25 }, (_, n) => `label${n}`);
  const { planned } = await csv(`id,title,labels\n1,a,"${names.join(',')}"\n`);
  t.is(planned[0]!.labels.length, 20);
  t.is(planned[0]!.description, '**Labels:** label20, label21, label22, label23, label24');
  const full = factsOf();
  for (let n = 0; n < 499; n++) full.labels.set(`own${n}`, `own${n}`);
  const { planned: more } = await readAll('csv', opened('id,title,labels\n1,a,"new,own3,MOBILE"\n'), {}, full);
  t.deepEqual([more[0]!.labels, more[0]!.newLabels, more[0]!.description], [['own3', 'Mobile'], [], '**Labels:** new']);
});

test('links of attachments and descriptions can not run scripts', async (t) => {
  const { planned } = await readAll(
    'trello',
    opened(
      JSON.stringify({
        lists: [{ id: 'l', name: 'Doing' }],
        cards: [
          {
            id: 'c',
            name: 'x',
            idList: 'l',
            shortUrl: 'javascript:alert(1)',
            attachments: [
              { name: 'a](javascript:alert(2))', url: 'javascript:alert(3)' },
              { name: '<b>', url: 'https://x.example/"><script>' },
            ],
          },
        ],
      }),
    ),
  );
  t.is(planned[0]!.url, null);
  t.is(planned[0]!.description, '**Attachments**\n\n- a\\](javascript:alert(2))\n- [\\<b\\>](<https://x.example/%22%3E%3Cscript%3E>)');
});

const jiraText = 'Summary,Issue key,Issue Type,Status\nPay by card,SHOP-1,Task,Done\n';

test('a file in another format than the chosen one is refused, or read by the headers that fit', async (t) => {
  t.is(await refusal('linear', jiraText), 'columns: map one of the columns to title: Summary, Issue key, Issue Type, Status.');
  t.is(await refusal('asana', jiraText), 'columns: map one of the columns to title: Summary, Issue key, Issue Type, Status.');
  t.is((await readAll('csv', opened(jiraText))).issues[0]!.key, 'SHOP-1');
  for (const format of ['trello', 'github', 'stint'] as const)
    t.regex(await refusal(format, jiraText), /^The file is not valid JSON after byte 0\. Export it again\.$/);
  const github = '[{"number":1,"title":"a","state":"open"}]';
  t.regex(await refusal('trello', github), /^This JSON is not a Trello board/);
  t.regex(await refusal('stint', github), /^This JSON has no items of Stint\./);
  const { issues, report } = await readAll('github', opened('{"name":"Shop","lists":[],"cards":[]}'));
  t.deepEqual([issues.length, report.refused.count], [0, 3]);
  t.regex(await refusal('jira', github), /^(columns: map one of|The file has no rows)/);
});

test('files with only blanks, a byte order mark or a header are refused', async (t) => {
  for (const content of ['\ufeff', '   \n\n', '\n', 'id,title\n', '\ufeffid,title'])
    for (const format of ['csv', 'jira', 'trello', 'github'] as const)
      t.regex(await refusal(format, content), /\w+\.$/, `${format}: ${content}`);
  for (const content of ['\ufeff', '   \n\n', 'id,title\n']) t.not(await refusal('csv', content), 'read', content);
});

test('of repeated headers, the first value counts, and the report names the others as lost', async (t) => {
  const { issues, report } = await csv('id,title,title,labels,labels,status,status\n1,First,Second,a,b,Done,Open\n2,Same,Same,c,c,,Done\n');
  t.like(issues[0], { title: 'First', labels: ['a', 'b'], status: 'Done' });
  t.like(issues[1], { title: 'Same', labels: ['c'], status: 'Done' });
  t.deepEqual(report.lost.entries.map(({ column, count }) => [column, count]).sort(), [
    ['status', 1],
    ['title', 1],
  ]);
});

test('JSON nested 10,000 levels deep is refused wherever it is nested', async (t) => {
  const deep = '['.repeat(10_000);
  const deepObject = '{"a":'.repeat(10_000);
  for (const text of [
    `[{"title":"a","number":1,"x":${deep}`,
    `[${deepObject}`,
    deep,
    `[{"number":1,"labels":${deep}${']'.repeat(10_000)}}]`,
  ])
    t.regex(await refusal('github', text), /nested more than 100 levels/);
  t.regex(await refusal('stint', `{"accounts":${deepObject}`), /nested more than 100 levels/);
});

test('a file cut anywhere is refused or read up to the cut, never with a row that is not in it', async (t) => {
  const whole = 'id,title,description\n1,"One","a ""b"" c"\n2,Two,"d\ne"\n3,Drei €,f\n';
  const bytes = Buffer.from(whole);
  const titles = ['One', 'Two', 'Drei €'];
  for (let length = 0; length < bytes.length; length++) {
    const found = await readAll('csv', opened(bytes.subarray(0, length))).catch((error) => error);
    if (found instanceof InvalidRequest) continue;
    const read = found.issues.map(({ title }: { title: string }) => title);
    t.true(
      read.every((title: string, at: number) => titles[at]!.startsWith(title) || title.startsWith('Drei')),
      read.join(),
    );
  }
  t.pass();
});

test('boards with very many or very long names, and cards with very many values, are refused or cut in linear time', async (t) => {
  const board = (parts: object) => JSON.stringify({ lists: [], cards: [{ id: 'c', name: 'Card', idList: 'l0' }], ...parts });
  const lists = Array.from({ length: 10_001 }, (_, n) => ({ id: `l${n}`, name: 'List' }));
  t.is(await refusal('trello', board({ lists })), 'The board has more than 10,000 lists. Split it.');
  const { planned } = await readAll('trello', opened(board({ lists: [{ id: 'l0', name: 'x'.repeat(1_000_000) }] })));
  t.is(planned.length, 1);
  const customFields = [{ id: 'f', name: 'Shape', options: [] }];
  const customFieldItems = Array.from({ length: 50_000 }, () => ({ idCustomField: 'f', value: { text: 'round' } }));
  const many = board({ customFields, cards: [{ id: 'c', name: 'Card', customFieldItems }] });
  t.is(await refusal('trello', many), 'read');
});

const HUGE = 'x'.repeat(500_000);
/** Each name of each format, in values that differ only at their end. */
const hugeNames: [Format, string][] = [
  [
    'github',
    JSON.stringify([
      {
        ...{ number: 1, title: 'One', state: 'open', type: `${HUGE}1`, user: { login: HUGE }, assignee: { login: HUGE }, [HUGE]: 1 },
        ...{ milestone: { title: HUGE }, labels: [HUGE, { name: `${HUGE}2` }], html_url: `https://x.example/a/${HUGE}/issues/1` },
        comments: [{ author: { login: HUGE }, body: 'Hm.' }],
      },
      { number: 2, title: 'Two', state: 'open', html_url: `https://x.example/a/${'r'.repeat(1_000)}/issues/2` },
    ]),
  ],
  [
    'trello',
    JSON.stringify({
      lists: [{ id: 'l', name: HUGE }],
      members: [{ id: 'm', fullName: HUGE, username: HUGE }],
      customFields: ['Labels', 'Sprint', 'Milestone', 'Type', 'Priority', HUGE].map((name, n) => ({ id: `f${n}`, name, options: [] })),
      cards: [
        {
          ...{ id: 'c', shortLink: HUGE, name: 'One', idList: 'l', idMembers: ['m'], labels: [{ name: HUGE }, { name: '', color: HUGE }] },
          ...{ attachments: [{ name: HUGE, url: `https://x.example/${'ü'.repeat(1_900)}` }], [HUGE]: 1 },
          customFieldItems: Array.from({ length: 6 }, (_, n) => ({ idCustomField: `f${n}`, value: { text: `${HUGE}${n}` } })),
        },
      ],
    }),
  ],
  [
    'stint',
    JSON.stringify({
      accounts: [
        {
          users: [{ ref: 'u', name: HUGE, email: HUGE }],
          workspaces: [
            {
              statuses: [{ key: 's', label: HUGE }],
              items: [
                {
                  ...{ ref: 't', type: 'task', title: 'One', status: `blocked ${HUGE}`, labels: [HUGE] },
                  fields: { assigneeId: { ref: 'u' }, priorityKey: HUGE },
                },
                { type: 'task', title: 'Two', fields: { statusKey: `blocked ${HUGE}` } },
                { type: 'task', title: 'Three', fields: { statusKey: 's' } },
              ],
            },
          ],
        },
      ],
    }),
  ],
  [
    'csv',
    `key,title,status,type,priority,labels,assignee,assignee email,reporter,parent,blocked by,sprint,milestone,attachment,${HUGE}\n${HUGE},One,${'blocked '.repeat(50_000)}${`,${HUGE}`.repeat(4)},a@${HUGE}.example${`,${HUGE}`.repeat(7)}\n`,
  ],
  [
    'jira',
    `Issue key,Summary,Reporter,Reporter Id,Comment,Attachment\n${HUGE},One,${HUGE},${HUGE},"31/Dec/25 3:04 PM;${HUGE};Hm.","31/Dec/25 3:04 PM;a;${HUGE};b"\n`,
  ],
];

test('names of each format are cut, so that reports, previews and rows of megabytes stay small', async (t) => {
  for (const [format, content] of hugeNames) {
    const { issues, planned, report, survey } = await readAll(format, opened(content, 65_536), { unknownStatuses: 'create' });
    t.true(issues.length > 0, format);
    t.is(report.refused.count, 0, format);
    for (const [what, value] of Object.entries({ issues, planned, report, survey }))
      t.true(JSON.stringify(value).length < 20_000, `${format}: ${what}`);
    t.true(
      issues.every(({ key, status }) => key.length <= 200 && (status ?? '').length <= 200),
      format,
    );
  }
});

test('a report cuts texts that a source left long, and merges what begins alike', (t) => {
  const reporter = new Reporter(emptySurvey, ImportMap.parse({}), factsOf());
  for (const end of ['a', 'b']) {
    const name = HUGE + end;
    const issue = { ...emptyIssue, key: name, title: 'One', type: name, sprints: [name], other: [name], reporter: { name, mail: name } };
    reporter.add(issue, plan(issue, ImportMap.parse({}), factsOf()));
    reporter.refuse({ line: 1, key: name, refused: name });
    reporter.refuse({ line: 1, key: name, refused: name, skipped: true });
  }
  const report = reporter.report();
  t.true(JSON.stringify(report).length < 20_000);
  t.is(report.types.entries[0]!.count, 2);
});

test('a file whose report would be larger than 1 MB is refused', async (t) => {
  const long = (n: number) => `${n}${'n'.repeat(190)}`;
  const many = (count: number, one: (n: number) => string) => Array.from({ length: count }, (_, n) => one(n));
  const rows = many(600, (n) => `${long(n)},T,${long(n)},${long(n)},${long(n)}${',x'.repeat(600)}`).join('\n');
  const read = prepareRows(opened(`key,title,assignee,sprint,milestone,${many(600, long).join()}\n${rows}`, 65_536), 'csv', wanted());
  await t.throwsAsync(read, { instanceOf: InvalidRequest, message: /^The report of this file is larger than 1 MB\. Shorten/ });
});

test('rows with long lists are sent in small pieces, and previews are without them', async (t) => {
  const keys = (n: number) => Array.from({ length: 50 }, (_, at) => `${n} ${at} ${'k'.repeat(180)}`).join(';');
  const content = `key,title,blocked by\n${Array.from({ length: 200 }, (_, n) => `K-${n},T,${keys(n)}`).join('\n')}`;
  const { survey, preview } = await prepareRows(opened(content, 65_536), 'csv', wanted());
  t.true(JSON.stringify(preview).length < 10_000);
  const sizes: number[] = [];
  await stageRows(opened(content, 65_536), survey, wanted(), async (piece) => sizes.push(JSON.stringify(piece).length));
  t.true(Math.max(...sizes) < 550_000, `${Math.max(...sizes)}`);
});

test('a card with more than 8 million characters of comments is refused, and the others are read', async (t) => {
  const body = 'y'.repeat(5_000_000);
  const comment = (card: string) => ({ type: 'commentCard', data: { text: body, card: { id: card } } });
  const cards = ['a', 'b'].map((id) => ({ id, name: id }));
  const content = JSON.stringify({ lists: [], cards, actions: [comment('a'), comment('b'), comment('b')] });
  const { issues, report } = await readAll('trello', opened(content, 65_536));
  t.deepEqual(
    [issues.map(({ key }) => key), report.refused.rows],
    [['a'], [{ line: 2, key: 'b', reason: 'its description and comments have more than 8 million characters' }]],
  );
});

test('headers, samples and references are text that PostgreSQL can store', async (t) => {
  const { survey } = await csv(`id,title,a\0b${'😀'.repeat(201)}\n1,One,c\0${'😀'.repeat(81)}\n`);
  const found = await readAll(
    'stint',
    opened('{"accounts":[{"workspaces":[{"items":[{"ref":"a\\u0000\\ud800","type":"task","title":"T"}]}]}]}'),
  );
  const texts = [survey.columns[2]!.name, ...survey.columns[2]!.samples, found.planned[0]!.key];
  t.deepEqual(texts.map(unstorable), [null, null, null]);
});

test('titles with commas are found in lists of titles; each missing name is reported once for an issue', async (t) => {
  const header = 'Task ID,Name,Created At,Completed At,Last Modified,Blocked By (Dependencies)';
  const { links, report } = await readAll(
    'asana',
    opened(`${header}\n1,"One, two, three",,,,\n2,Four,,,,\n3,T,,,,"x,One, two, three,x,Four,x,Four"\n`),
  );
  t.deepEqual(links.linksOf('3').blockedBy, ['1', '2']);
  t.deepEqual(
    report.changed.entries.map(({ reason, count }) => [reason, count]),
    [['there is no issue x in the file', 1]],
  );
});

test('lists of titles count by their commas', async (t) => {
  const rows = Array.from({ length: 9_000 }, (_, n) => `${n},T${n},,,,"${'x,'.repeat(98)}y"`).join('\n');
  const content = `Task ID,Name,Created At,Completed At,Last Modified,Blocked By (Dependencies)\n${rows}`;
  t.is(await refusal('asana', content, 65_536), 'The file has more dependencies than can be read at once. Split it.');
});

test('more dependencies than fit into memory are refused', async (t) => {
  const names = Array.from({ length: 200 }, (_, n) => `K-${n}`).join(';');
  const rows = Array.from({ length: 6_000 }, (_, n) => `K-${n},Title,${names}`).join('\n');
  t.is(await refusal('csv', `id,title,blocked by\n${rows}`), 'The file has more dependencies than can be read at once. Split it.');
});

const user = { ref: 'u', email: 'u@x.example', name: '*'.repeat(200) };
const stintFile = (items: object[], comments: object[]) =>
  JSON.stringify({ accounts: [{ name: 'A', users: [user], workspaces: [{ ref: 'w', name: 'W', comments, items }] }] });
const trelloFile = (cards: object[], texts: readonly string[], card: string) =>
  JSON.stringify({ cards, actions: texts.map((text) => ({ type: 'commentCard', data: { text, card: { id: card } } })) });
const readShort = async (format: Format, content: string) => {
  const { issues, report } = await readAll(format, opened(content, 65_536));
  return { issues: issues.map(({ key, comments }) => [key, comments.length]), refused: report.refused.rows.map(({ reason }) => reason) };
};

test('an item with more than 5,000 comments is refused alone, however short they are', async (t) => {
  const texts = (count: number) => Array.from({ length: count }, () => 'a');
  const files: Partial<Record<Format, (count: number) => string>> = {
    stint: (count) =>
      stintFile(
        ['1', '2'].map((ref) => ({ ref, type: 'task', title: ref })),
        texts(count).map((body) => ({ author: 'u', item: '1', body })),
      ),
    trello: (count) =>
      trelloFile(
        ['1', '2'].map((id) => ({ id, name: id })),
        texts(count),
        '1',
      ),
    github: (count) =>
      JSON.stringify(
        [texts(count).map((body) => ({ body })), []].map((comments, n) => ({ number: n + 1, title: 'T', state: 'open', comments })),
      ),
  };
  for (const [format, file] of Object.entries(files) as [Format, (count: number) => string][]) {
    const key = (n: number) => (format === 'github' ? `#${n}` : String(n));
    const all = {
      issues: [
        [key(1), 5_000],
        [key(2), 0],
      ],
      refused: [],
    };
    t.deepEqual(await readShort(format, file(5_000)), all, format);
    t.deepEqual(await readShort(format, file(5_001)), { issues: [[key(2), 0]], refused: ['it has more than 5,000 comments'] }, format);
  }
  t.deepEqual((await readShort('stint', files.stint!(150_000))).issues, [['2', 0]], 'more than fit into the arguments of a function');
});

test('a repeated key or card of Trello is refused, also if the first one was too large, and its comments are collected once', async (t) => {
  const refused = ['its key is also used in line 1', 'its key is also used in line 1'];
  const items = [1, 2, 3].map(() => ({ ref: 'x', type: 'task', title: 'X' }));
  t.deepEqual(await readShort('stint', stintFile(items, [{ author: 'u', item: 'x', body: 'a' }])), { issues: [['x', 1]], refused });
  const cards = ['a', 'b', 'c'].map((shortLink) => ({ id: 'x', shortLink, name: 'X' }));
  t.deepEqual(await readShort('trello', trelloFile(cards, ['a'], 'x')), { issues: [['a', 1]], refused });
  const many = Array.from({ length: 5_001 }, () => 'a');
  t.deepEqual((await readShort('trello', trelloFile(cards, many, 'x'))).refused, ['it has more than 5,000 comments', ...refused]);
  const collected = new Collected<string>('too many');
  for (const value of ['a', 'b']) collected.add('x', value, 1);
  t.deepEqual([collected.take('x'), collected.take('x')], [['a', 'b'], []]);
});
