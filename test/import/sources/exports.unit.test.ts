/** Realistic exports: everything of the model arrives, and the report names what does not (behaviour §36.3). */
import { readFileSync } from 'node:fs';
import { detectFormat } from '../../../src/import/sources/detect.ts';
import { Report } from '../../../src/import/sources/reportSchema.ts';
import type { SourceIssue } from '../../../src/import/sources/source.ts';
import { Survey } from '../../../src/import/sources/surveySchema.ts';
import { suite } from '../../support/suite.ts';
import { exportsOf } from './makeExports.ts';
import { type ModelIssue, model, people, personNamed } from './model.ts';
import { opened, readAll } from './reading.ts';

const test = suite(import.meta.url);

const folder = new URL('exports/', import.meta.url);
const fileOf = (name: string) => readFileSync(new URL(name, folder));
const mailsOf = Object.fromEntries(people.slice(0, -1).map(({ mail }) => [mail.split('@')[0]!, mail]));

test('the exports are what makeExports.ts writes', (t) => {
  for (const [name, content] of Object.entries(exportsOf())) t.true(fileOf(name).equals(Buffer.from(content as string)), name);
});

test('each format is detected from the first bytes, without the name', (t) => {
  const formats = {
    'jira.csv': 'jira',
    'linear.csv': 'linear',
    'trello.json': 'trello',
    'asana.csv': 'asana',
    'github-rest.json': 'github',
    'github-cli.json': 'github',
    'free.csv': 'csv',
  };
  for (const [name, format] of Object.entries(formats)) t.is(detectFormat(fileOf(name).subarray(0, 65_536)), format as never, name);
});

const day = (iso: string | null) => iso?.slice(0, 10) ?? null;
const minute = (iso: string | null) => iso && `${iso.slice(0, 16)}:00.000Z`;
const commentsOf = ({ comments }: ModelIssue, nameOf = (author: string) => author) =>
  comments.map(({ author, at, body }) => ({ author: nameOf(author), at: minute(at), body }));
const readComments = ({ comments }: SourceIssue) =>
  comments.map(({ author, createdAt, body }) => ({ author: author?.name, at: minute(createdAt), body }));
const counted = (report: Report) => report.lost.entries.map(({ column, count }) => [column, count]).sort();
const isLoginOf = (name: string | null | undefined) => (name ? personNamed(name).mail.split('@')[0]! : undefined);

test('Jira: everything arrives but resolution, votes and links of another kind', async (t) => {
  const { issues, links, report, survey } = await readAll('jira', opened(fileOf('jira.csv')));
  for (const [n, expected] of model(80).entries()) {
    const issue = issues[n]!;
    t.like(issue, {
      key: `SHOP-${expected.n}`,
      title: expected.title,
      type: expected.type,
      status: expected.status,
      priority: expected.priority,
      points: expected.points,
    });
    t.deepEqual(issue.labels, expected.labels);
    t.is(issue.assignee?.name, expected.assignee ?? undefined);
    t.is(issue.reporter?.name, expected.reporter);
    t.deepEqual(
      [minute(issue.createdAt), minute(issue.closedAt), issue.dueDate],
      [minute(expected.created), minute(expected.closed), expected.due],
    );
    t.deepEqual(issue.sprints, expected.sprint ? [expected.sprint] : []);
    t.deepEqual(issue.milestones, expected.milestone ? [expected.milestone] : []);
    t.deepEqual(readComments(issue), commentsOf(expected));
    t.deepEqual(issue.attachments, expected.attachments);
    for (const line of expected.description.split('\n')) t.true(issue.description.includes(line), `${issue.key}: ${line}`);
    if (expected.description)
      for (const { text, done } of expected.checklist) t.true(issue.description.includes(`- [${done ? 'x' : ' '}] ${text}`));
    t.is(links.linksOf(issue.key).parentKey, expected.parent === null ? null : `SHOP-${expected.parent}`);
    t.deepEqual(new Set(links.linksOf(issue.key).blockedBy), new Set(expected.blockedBy.map((one) => `SHOP-${one}`)));
  }
  t.deepEqual(counted(report), [
    ['Outward issue link (Cloners)', 4],
    ['Resolution', 27],
    ['Votes', 6],
  ]);
  t.deepEqual([report.issues, report.comments, report.refused.count], [80, 120, 0]);
  t.deepEqual(report.changed.entries, []);
  t.deepEqual(survey.notes, [
    'Columns that were left out: Project key, Project name, Assignee Id, Reporter Id, Creator, Creator Id, Updated.',
  ]);
  t.notThrows(() => [Survey.parse(survey), Report.parse(report)]);
});

test('Jira: wiki markup becomes Markdown', async (t) => {
  const { issues } = await readAll('jira', opened(fileOf('jira.csv')));
  t.is(
    issues[4]!.description,
    [
      '## What **matters**\nFirst line of 5, with "quotes".\nSecond line; 10 € for Zoë.\n\nA new paragraph: naïve café – 20 %.\n1. first',
      '\n    1. nested [the shop](<https://shop.example/?a=1>)\n\n```java\nint total = a * b; // *not bold*\n```',
      '\n\n[Bild 5.png](<https://files.acme.example/5/bild.png>)',
    ].join(''),
  );
});

test('Linear: everything arrives but the SLA and the days of cycles', async (t) => {
  const { issues, links, report } = await readAll('linear', opened(fileOf('linear.csv')));
  const statuses: Record<string, string> = { 'To Do': 'Todo', 'Won’t do': 'Canceled' };
  for (const [n, expected] of model(80).entries()) {
    const issue = issues[n]!;
    t.like(issue, {
      key: `SHO-${expected.n}`,
      title: expected.title,
      status: statuses[expected.status] ?? expected.status,
      points: expected.points,
    });
    t.deepEqual(new Set(issue.labels), new Set(expected.labels));
    t.is(issue.assignee?.mail, expected.assignee ? personNamed(expected.assignee).mail : undefined);
    t.is(issue.reporter?.mail, personNamed(expected.reporter).mail);
    t.deepEqual([issue.createdAt, issue.closedAt, issue.dueDate], [expected.created, expected.closed, expected.due]);
    t.is(issue.closed, expected.closed === null ? null : expected.status === 'Done' ? 'done' : 'cancelled');
    t.deepEqual(
      issue.sprints,
      expected.sprint === null ? [] : [expected.sprint === 'Sprint 2' ? 'Sprint 2' : `Cycle ${expected.sprint.slice(-1)}`],
    );
    t.deepEqual(issue.milestones, [...(expected.milestone ? [expected.milestone] : []), ...(expected.n % 12 === 2 ? ['Beta'] : [])]);
    t.true(issue.description.startsWith(expected.description));
    for (const { text, done } of expected.checklist) t.true(issue.description.includes(`- [${done ? 'x' : ' '}] ${text}`));
    t.is(links.linksOf(issue.key).parentKey, expected.parent === null ? null : `SHO-${expected.parent}`);
    t.deepEqual(new Set(links.linksOf(issue.key).blockedBy), new Set(expected.blockedBy.map((one) => `SHO-${one}`)));
  }
  t.deepEqual(counted(report), [
    ['Cycle End', 60],
    ['Cycle Start', 60],
    ['SLA Status', 6],
    ['Team', 80],
  ]);
  t.deepEqual(report.refused.count, 0);
  t.deepEqual(
    report.milestones.entries.map(({ name, as, count }) => [name, as, count]),
    [
      ['2026.1 – Frühling', 'milestone', 14],
      ['Beta', 'label', 7],
    ],
  );
});

test('Trello: everything arrives but votes and a custom field', async (t) => {
  const { issues, planned, report } = await readAll('trello', opened(fileOf('trello.json')));
  for (const [n, expected] of model(80).entries()) {
    const issue = issues[n]!;
    t.like(issue, {
      title: expected.title,
      status: expected.status,
      points: expected.points,
      dueDate: expected.due,
      archived: expected.n % 40 === 0,
    });
    t.is(issue.url, `https://trello.com/c/${issue.key}`);
    t.deepEqual(issue.labels, [...expected.labels, ...(expected.n % 16 === 0 ? ['red'] : [])]);
    t.is(issue.assignee?.name, expected.assignee ?? undefined);
    t.is(issue.createdAt, expected.created);
    t.is(planned[n]!.status === 'done', expected.status === 'Done');
    t.deepEqual(readComments(issue), commentsOf(expected));
    t.deepEqual(issue.attachments, expected.attachments);
    const items = expected.checklist.map(({ text, done }) => `- [${done ? 'x' : ' '}] ${text}`);
    t.is(
      issue.description,
      [expected.description, ...(items.length ? [`**Before release**\n\n${items.join('\n')}`] : [])]
        .filter((part) => part !== '')
        .join('\n\n'),
    );
  }
  t.deepEqual(counted(report), [
    ['Browser', 4],
    ['Votes', 6],
  ]);
});

test('Asana: parents and blockers are found by their titles, also by those with commas', async (t) => {
  const { issues, links, report } = await readAll('asana', opened(fileOf('asana.csv')));
  const keyOf = (n: number) => String(1_200_000_000_000 + n);
  for (const [n, expected] of model(24).entries()) {
    const issue = issues[n]!;
    t.like(issue, {
      key: keyOf(expected.n),
      title: expected.title,
      status: expected.status,
      points: expected.points,
      dueDate: expected.due,
    });
    t.deepEqual([day(issue.createdAt), day(issue.closedAt)], [day(expected.created), day(expected.closed)]);
    t.is(issue.assignee?.mail, expected.assignee ? personNamed(expected.assignee).mail : undefined);
    t.deepEqual(issue.labels, [...expected.labels, 'Shop']);
    t.is(issue.description, expected.description);
    t.is(links.linksOf(issue.key).parentKey, expected.parent === null ? null : keyOf(expected.parent));
    t.deepEqual(new Set(links.linksOf(issue.key).blockedBy), new Set(expected.blockedBy.map(keyOf)));
  }
  t.deepEqual(counted(report), [['Effort level', 1]]);
  t.deepEqual(report.changed.entries, []);
});

test('GitHub: the list of the API has no comments, and pull requests are left out', async (t) => {
  const { issues, planned, report } = await readAll('github', opened(fileOf('github-rest.json')), { people: mailsOf });
  const expected = model(15).filter(({ n }) => n % 5 !== 0);
  t.deepEqual(
    issues.map(({ key, title }) => [key, title]),
    expected.map(({ n, title }) => [`acme/shop#${n}`, title]),
  );
  for (const [n, one] of expected.entries()) {
    t.is(issues[n]!.assignee?.name, isLoginOf(one.assignee));
    t.is(planned[n]!.status, one.closed === null ? 'planned' : one.status === 'Done' ? 'done' : 'cancelled');
    t.is(planned[n]!.url, `https://github.com/acme/shop/issues/${one.n}`);
    t.is(planned[n]!.container?.title, one.milestone ?? undefined);
  }
  t.deepEqual(report.skipped, { count: 3, reasons: ['pull requests are left out'] });
  t.deepEqual(counted(report), [
    ['Comments: this file has only their number', 9],
    ['Reactions', 1],
  ]);
});

test('GitHub: gh issue list has comments and reasons', async (t) => {
  const { issues, report } = await readAll('github', opened(fileOf('github-cli.json')), { people: mailsOf });
  for (const [n, expected] of model(10).entries()) {
    t.like(issues[n]!, {
      key: `acme/shop#${expected.n}`,
      createdAt: expected.created,
      closedAt: expected.closed,
      description: expected.description,
    });
    t.deepEqual(
      readComments(issues[n]!),
      commentsOf(expected, (author) => isLoginOf(author)!),
    );
  }
  t.deepEqual(report.lost.entries, []);
});

test('a free CSV in Windows-1252 with German headers, days before months and decimal commas', async (t) => {
  const { issues, report, survey } = await readAll('csv', opened(fileOf('free.csv')));
  t.deepEqual([survey.encoding, survey.delimiter], ['windows-1252', ';']);
  for (const [n, expected] of model(20).entries()) {
    const issue = issues[n]!;
    t.like(issue, {
      key: String(expected.n),
      status: expected.status,
      dueDate: expected.due,
      estimateHours: expected.points === null ? null : expected.points + 0.5,
    });
    t.is(day(issue.createdAt), day(expected.created));
    if (/^[\0-ÿ–]*$/.test(expected.title + expected.description))
      t.deepEqual([issue.title, issue.description], [expected.title, expected.description.replaceAll('…', '?')]);
  }
  t.true(issues[0]!.description.includes('10 € for Zoë.\n\nA new paragraph: naïve café – 20 %.'));
  t.deepEqual(counted(report), [['Kunde', 1]]);
  t.deepEqual(report.file, [
    'The file is not UTF-8, so it was read as Windows-1252. Check letters such as ä and é.',
    "'Erstellt': dates were read as day/month, the only order that fits all of them.",
    "'Fällig': dates were read as day/month, the only order that fits all of them.",
  ]);
});

test('the report tells who is no member, what became of statuses and types, and hours of points', async (t) => {
  const { report } = await readAll('jira', opened(fileOf('jira.csv')), { hoursPerPoint: 6 });
  t.deepEqual(
    report.people.entries.filter(({ as }) => as !== 'member').map(({ name, as }) => [name, as]),
    [["Sean O'Neil, Jr.", 'unassigned']],
  );
  t.deepEqual(
    Object.fromEntries(report.statuses.entries.map(({ name, key, how }) => [name, `${key} ${how}`])),
    Object.fromEntries([
      ['Backlog', 'planned nearest'],
      ['To Do', 'planned nearest'],
      ['In Progress', 'in_progress matched'],
      ['In Review', 'in_review matched'],
      ['Done', 'done matched'],
      ['Won’t do', 'cancelled nearest'],
    ]),
  );
  t.deepEqual(
    Object.fromEntries(report.types.entries.map(({ name, as, label }) => [name, [as, label]])),
    Object.fromEntries([
      ['Epic', ['requirement', null]],
      ['Story', ['task', 'Story']],
      ['Bug', ['task', 'Bug']],
      ['Task', ['task', null]],
      ['Sub-task', ['task', null]],
    ]),
  );
  const points = model(80).reduce((sum, one) => sum + (one.points ?? 0), 0);
  t.like(report.points, { points, hoursPerPoint: 6, hours: 6 * points });
  t.deepEqual(
    report.labels.entries.filter(({ how }) => how === 'matched').map(({ name }) => name),
    ['Mobile'],
  );
});
