/** Details of formats: our own, wiki markup, words of statuses, people (behaviour §36.10–§36.16). */
import { detectFormat } from '../../../src/import/sources/detect.ts';
import { wikiToMarkdown } from '../../../src/import/sources/wiki.ts';
import { suite } from '../../support/suite.ts';
import { opened, readAll } from './reading.ts';

const test = suite(import.meta.url);

const account = {
  name: 'Acme',
  users: [
    { ref: 'ana', email: 'ana@acme.example', name: 'Ana L.' },
    { ref: 'x', email: 'x@elsewhere.example', name: 'Xu' },
  ],
  workspaces: [
    {
      name: 'Apollo',
      statuses: [{ key: 'qa', label: 'In review', types: ['task'], status: 'in_review' }],
      items: [
        { ref: 'r', type: 'release', title: 'Spring', fields: { targetDate: '2026-04-01', versionLabel: '1.0' } },
        {
          ...{ ref: 't', type: 'task', title: 'Boat', description: '**x**', labels: ['Boats'], blockedBy: [{ ref: 'r', lagDays: 2 }] },
          fields: { statusKey: 'qa', releaseId: { ref: 'r' }, assigneeId: { ref: 'ana' }, estimatedHours: 3, acceptance: 'blue', reach: 5 },
        },
        { type: 'banana', title: 'no item' },
      ],
      comments: [{ item: 't', author: 'x', body: 'Hm.', createdAt: '2026-03-02T09:00:00+01:00' }],
    },
  ],
};

test('our own format keeps fields, labels, links and comments', async (t) => {
  const text = JSON.stringify({ accounts: [account] });
  t.is(detectFormat(Buffer.from(text)), 'stint');
  const { planned, report, links } = await readAll('stint', opened(text, 7));
  t.like(planned[0], { key: 'r', type: 'release', fields: { targetDate: '2026-04-01', versionLabel: '1.0' } });
  t.like(planned[1], { key: 't', type: 'task', status: 'in_review', description: '**x**', labels: ['Boats'] });
  t.deepEqual(planned[1]!.fields, { statusKey: 'in_review', priorityKey: 'normal', assigneeId: 1, estimatedHours: 3, acceptance: 'blue' });
  t.deepEqual(planned[1]!.comments, [{ authorId: null, createdAt: '2026-03-02T08:00:00.000Z', body: '**Xu** wrote:\n\nHm.' }]);
  t.deepEqual(links.linksOf('t'), { parentKey: 'r', blockedBy: ['r'] });
  t.deepEqual(
    report.lost.entries.map(({ column }) => column),
    ['Lag of dependencies'],
  );
  t.deepEqual(
    report.changed.entries.map(({ what }) => what),
    ['reach'],
  );
  t.deepEqual(
    report.refused.rows.map(({ line }) => line),
    [3],
  );
});

test('wiki markup of Jira', (t) => {
  const names = { people: new Map([['5f', 'Zoë']]), files: new Map([['a b.png', 'https://files.example/1']]) };
  const pairs: [string, string][] = [
    ['h1. Title', '# Title'],
    ['*bold* _italic_ -gone- {{code *x*}} snake_case_name 2*3*4', '**bold** *italic* ~~gone~~ `code *x*` snake_case_name 2*3*4'],
    ['* a\n** b\n# c', '- a\n  - b\n1. c'],
    ['* (/) done\n* (x) open', '- [x] done\n- [ ] open'],
    [
      '[text|https://x.example/a_b] [https://x.example] [x]',
      '[text](<https://x.example/a_b>) [https://x.example](<https://x.example/>) [x]',
    ],
    ['[go|javascript:alert(1)]', '[go|javascript:alert(1)]'],
    ['[~accountid:5f] [~old] !a b.png|width=3! hi! there!', '@Zoë @old [a b.png](<https://files.example/1>) hi! there!'],
    ['{code:sql}\nselect *a*\n{code}\nafter', '```sql\nselect *a*\n```\nafter'],
    ['{noformat}```{noformat}', '`````\n```\n`````'],
    ['{code}\nnever closed *x*', '```\nnever closed *x*\n```'],
    ['||a||b||\n|1|[x|https://x.example]|', '| a | b |\n| --- | --- |\n| 1 | [x](<https://x.example/>) |'],
    ['{quote}\nwise\n{quote}\nbq. word', '> wise\n> word'],
    ['{panel:title=Note|bgColor=#fff}\n{color:red}red{color}\n{panel}', '**Note**\n\nred'],
  ];
  for (const [wiki, markdown] of pairs) t.is(wikiToMarkdown(wiki, names), markdown, wiki);
});

test('a status is found by its words', async (t) => {
  const expected: Record<string, string> = {
    ...{
      'To Do': 'planned',
      Backlog: 'planned',
      'Ready for development': 'planned',
      'Selected for Development': 'planned',
      Icebox: 'planned',
      Triage: 'planned',
    },
    ...{ Doing: 'in_progress', 'In Development': 'in_progress', WIP: 'in_progress', 'In Arbeit': 'in_progress' },
    ...{ 'Code Review': 'in_review', 'Ready for QA': 'in_review', Testing: 'in_review', 'In UAT': 'in_review' },
    ...{ 'On hold': 'blocked', 'Waiting for customer': 'blocked', Blocked: 'blocked' },
    ...{
      Closed: 'done',
      Shipped: 'done',
      'Resolved ✅': 'done',
      Erledigt: 'done',
      "Won't fix": 'cancelled',
      Canceled: 'cancelled',
      Duplicate: 'cancelled',
    },
    ...{ Approved: 'planned', Xyzzy: 'planned', Contested: 'planned', Undone: 'planned' },
  };
  const { planned } = await readAll(
    'csv',
    opened(
      `id,title,status\n${Object.keys(expected)
        .map((status, n) => `${n},t,${status}`)
        .join('\n')}`,
    ),
  );
  t.deepEqual(Object.fromEntries(Object.keys(expected).map((status, n) => [status, planned[n]!.status])), expected);
});

test('a priority is found by its words, from the default on', async (t) => {
  const expected: Record<string, string> = {
    Highest: 'urgent',
    Blocker: 'urgent',
    P1: 'high',
    Major: 'high',
    Medium: 'normal',
    'No priority': 'normal',
    Low: 'low',
    Trivial: 'low',
    URGENT: 'urgent',
    unheard: 'normal',
  };
  const { planned } = await readAll(
    'csv',
    opened(
      `id,title,priority\n${Object.keys(expected)
        .map((name, n) => `${n},t,${name}`)
        .join('\n')}`,
    ),
  );
  t.deepEqual(Object.fromEntries(Object.keys(expected).map((name, n) => [name, planned[n]!.fields.priorityKey])), expected);
});

test('a person is found by mail address or by a name that only one member has', async (t) => {
  const text =
    'id,title,assignee\n1,a,ANA LIND\n2,b,Ana <ana@ACME.example>\n3,c,ana@acme.example\n4,d,Łukasz Nowak <other@acme.example>\n5,e,Ana\n';
  const { planned } = await readAll('csv', opened(text));
  t.deepEqual(
    planned.map(({ fields }) => fields.assigneeId),
    [1, 1, 1, 3, undefined],
  );
});

test('a board of Trello in UTF-16, with its lists after the cards and a closed list', async (t) => {
  const board = {
    cards: [{ id: '5f0000000000000000000001', name: 'Ä', idList: 'l', idMembers: ['m', 'n'], due: '2026-02-03T10:00:00Z', badges: {} }],
    lists: [{ id: 'l', name: 'Done', closed: true }],
    members: [
      { id: 'm', fullName: 'Ana Lind', username: 'ana' },
      { id: 'n', fullName: 'Zoë Müller', username: 'zoe' },
    ],
  };
  const { planned, report } = await readAll('trello', opened(Buffer.from(`\ufeff${JSON.stringify(board)}`, 'utf16le'), 3));
  t.like(planned[0], {
    title: 'Ä',
    status: 'done',
    archived: true,
    createdAt: '2020-07-04T04:05:20.000Z',
    fields: { assigneeId: 1, dueDate: '2026-02-03' },
  });
  t.deepEqual(
    report.lost.entries.map(({ column }) => column),
    ['Members after the first'],
  );
});

/** Header rows of real exports, as public repositories quote them in 2025 and 2026, with a row of values by column and the columns that are lost. */
const headers: readonly [
  format: 'linear' | 'asana' | 'jira',
  header: string,
  row: Record<string, string>,
  expected: object,
  lost: string[],
][] = [
  [
    'linear',
    'ID,Team,Title,Description,Status,Estimate,Priority,Project ID,Project,Creator,Assignee,Labels,Cycle Number,Cycle Name,Cycle Start,Cycle End,Created,Updated,Started,Triaged,Completed,Canceled,Archived,Due Date,Parent issue,Initiatives,Project Milestone ID,Project Milestone,SLA Status,UUID,Time in status (minutes),Related to,Blocked by,Duplicate of',
    {
      ID: 'ENG-2',
      Title: 'Card',
      UUID: 'u-2',
      Estimate: '3',
      'Cycle Number': '7',
      'Parent issue': 'ENG-1',
      'Blocked by': 'ENG-3',
      Initiatives: 'Q3',
      'Related to': 'ENG-4',
    },
    { key: 'ENG-2', aliases: ['u-2'], labels: ['Cycle 7'], parentKey: 'ENG-1', blockedBy: ['ENG-3'] },
    ['Initiatives', 'Related to'],
  ],
  [
    'linear',
    'Id,Team,Title,Description,Status,Estimate,Priority,Project,Creator,Assignee,Labels,Cycle Number,Cycle Name,Cycle Start,Cycle End,Created,Updated,Started,Completed,Canceled,Archived,Blocks,Blocked By',
    { Id: 'ENG-2', Title: 'Card', Blocks: 'ENG-9', 'Cycle Name': 'Spring', Team: 'Web' },
    { key: 'ENG-2', labels: ['Spring'], blocks: ['ENG-9'] },
    ['Team'],
  ],
  [
    'asana',
    'Task ID,Created At,Completed At,Last Modified,Name,Section/Column,Assignee,Assignee Email,Start Date,Due Date,Tags,Notes,Projects,Parent task,Blocked By (Dependencies),Blocking (Dependencies),Priority,Task Progress',
    {
      'Task ID': '12',
      Name: 'Card',
      'Section/Column': 'Doing',
      Tags: 'Urgent,Client',
      'Parent task': 'Shop',
      'Task Progress': 'Not Started',
    },
    { key: '12', status: 'in_progress', labels: ['Urgent', 'Client'], parentKey: 'Shop' },
    ['Task Progress'],
  ],
  [
    'asana',
    'Task ID,Created At,Completed At,Last Modified,Name,Assignee,Assignee Email,Start Date,Due Date,Tags,Notes,Projects,Parent Task',
    { 'Task ID': '12', Name: 'Card', 'Completed At': '2026-03-15', 'Parent Task': 'Shop' },
    { key: '12', status: 'done', parentKey: 'Shop' },
    [],
  ],
  [
    'jira',
    'Summary,Issue key,Issue id,Issue Type,Status,Project key,Project name,Project type,Project lead,Project lead id,Project description,Project url,Priority,Resolution,Assignee,Assignee Id,Reporter,Creator,Created,Updated,Last Viewed,Resolved,Fix versions,Components,Due date,Votes,Labels,Description,Environment,Watchers,Original Estimate,Custom field (Story point estimate),Custom field (Target end),Sprint,Comment,Parent,Parent key,Parent summary,Parent status,Status Category,Status Category Changed',
    {
      Summary: 'Card',
      'Issue key': 'DI-127',
      'Issue id': '46025',
      'Project lead': 'Nick',
      'Status Category': 'To Do',
      'Custom field (Story point estimate)': '2',
      'Custom field (Target end)': '03/Mar/26',
      Parent: '46000',
      'Parent key': 'DI-1',
      'Parent status': 'Done',
      Votes: '4',
    },
    { key: 'DI-127', aliases: ['46025'], parentKey: 'DI-1' },
    ['Votes'],
  ],
  [
    'jira',
    'Issue Type,Issue key,Issue id,Summary,Creator,Creator Id,Sprint,Status,Parent,Parent key,Parent summary,Description',
    {
      'Issue Type': 'Story',
      'Issue key': 'CR-7489',
      Summary: 'Card',
      Sprint: 'Sprint 16',
      Parent: '3238589',
      'Parent key': 'CR-7433',
      'Parent summary': 'Shop',
    },
    { key: 'CR-7489', labels: ['Story', 'Sprint 16'], parentKey: 'CR-7433' },
    [],
  ],
];

for (const [format, header, row, expected, lost] of headers)
  test(`${format}: an export of ${header.split(',').length} columns beginning with ${header.slice(0, 30)} is detected, and the report names what is lost`, async (t) => {
    const cells = header.split(',').map((name) => `"${row[name] ?? ''}"`);
    const text = `${header}\n${cells.join(',')}\n`;
    t.is(detectFormat(Buffer.from(text)), format);
    const { planned, report } = await readAll(format, opened(text));
    t.like(planned[0], { title: 'Card', ...expected });
    t.deepEqual(report.lost.entries.map(({ column }) => column).sort(), lost);
  });
