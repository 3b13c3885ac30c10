/** Writes the exports beside this file, in the formats of the services: `node test/import/sources/makeExports.ts`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type ModelIssue, model, people, personNamed } from './model.ts';

const quoted = (value: string) => (/[",;\n\r]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
const csv = (rows: readonly (readonly (string | number | null)[])[], separator = ',', end = '\n') =>
  rows.map((row) => row.map((value) => quoted(value === null ? '' : String(value))).join(separator) + end).join('');

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** Jira Cloud: 31/Dec/25 3:04 PM. */
function jiraDate(iso: string): string {
  const [year, month, day] = [iso.slice(2, 4), months[Number(iso.slice(5, 7)) - 1], iso.slice(8, 10)];
  const hour = Number(iso.slice(11, 13) || 0);
  return `${day}/${month}/${year} ${hour % 12 || 12}:${iso.slice(14, 16) || '00'} ${hour < 12 ? 'AM' : 'PM'}`;
}
const key = (n: number) => `SHOP-${n}`;
const idOf = (n: number | null) => (n === null ? '' : String(10_000 + n));
const spread = (values: readonly string[], width: number) => Array.from({ length: width }, (_, n) => values[n] ?? '');
const widest = (issues: readonly ModelIssue[], lengthOf: (issue: ModelIssue) => number) => Math.max(...issues.map(lengthOf));

function wiki({ description, checklist, attachments, n }: ModelIssue): string {
  if (description === '') return '';
  const code = n % 5 === 0 ? '\n\n{code:java}\nint total = a * b; // *not bold*\n{code}' : '';
  const tasks = checklist.map(({ text, done }) => `* ${done ? '(/)' : '(x)'} ${text}`).join('\n');
  const picture = attachments.map(({ name }) => `!${name}|thumbnail!`).join(' ');
  const heading = `h2. What *matters*\n${description}\n# first\n## nested [the shop|https://shop.example/?a=1]`;
  return [heading + code, tasks, picture].filter((part) => part !== '').join('\n\n');
}

export function jiraCsv(issues = model(80)): string {
  const [labels, comments, links] = [widest(issues, (one) => one.labels.length), widest(issues, (one) => one.comments.length), 2];
  const header = [
    ...['Summary', 'Issue key', 'Issue id', 'Parent id', 'Issue Type', 'Status', 'Project key', 'Project name', 'Priority', 'Resolution'],
    ...[
      'Assignee',
      'Assignee Id',
      'Reporter',
      'Reporter Id',
      'Creator',
      'Creator Id',
      'Created',
      'Updated',
      'Resolved',
      'Due date',
      'Votes',
    ],
    ...spread([], labels).map(() => 'Labels'),
    ...['Description', 'Sprint', 'Fix Version/s', 'Custom field (Story Points)', 'Attachment'],
    ...spread([], links).map(() => 'Inward issue link (Blocks)'),
    ...['Outward issue link (Cloners)', 'Custom field (Epic Link)'],
    ...spread([], comments).map(() => 'Comment'),
  ];
  return csv([header, ...issues.map((issue) => jiraRow(issue, { labels, comments, links }))], ',', '\r\n');
}

function jiraRow(issue: ModelIssue, width: { labels: number; comments: number; links: number }): (string | number | null)[] {
  const assignee = issue.assignee ? personNamed(issue.assignee) : null;
  const reporter = personNamed(issue.reporter);
  const isEpic = issue.parent !== null && issue.parent <= 4;
  return [
    ...[
      issue.title,
      key(issue.n),
      idOf(issue.n),
      isEpic ? '' : idOf(issue.parent),
      issue.type,
      issue.status,
      'SHOP',
      'Shop',
      issue.priority,
    ],
    ...[issue.closed ? 'Done' : '', assignee?.name ?? '', assignee?.id ?? '', reporter.name, reporter.id, reporter.name, reporter.id],
    ...[
      jiraDate(issue.created),
      jiraDate(issue.created),
      issue.closed ? jiraDate(issue.closed) : '',
      issue.due ? jiraDate(issue.due) : '',
      issue.votes || '',
    ],
    ...spread(issue.labels, width.labels),
    ...[wiki(issue), issue.sprint, issue.milestone, issue.points === null ? '' : `${issue.points}.0`],
    issue.attachments.map(({ name, url }) => `${jiraDate(issue.created)};${reporter.id};${name};${url}`)[0] ?? '',
    ...spread(issue.blockedBy.map(key), width.links),
    ...[issue.n % 20 === 6 ? key(issue.n - 1) : '', isEpic ? key(issue.parent!) : ''],
    ...spread(
      issue.comments.map(({ author, at, body }) => `${jiraDate(at)};${personNamed(author).id};${body}`),
      width.comments,
    ),
  ];
}

/** Linear marks formulas as text. */
const marked = (text: string) => text.replace(/^(?=[=+@-])/, "'");

const linearStatus: Record<string, string> = { 'To Do': 'Todo', 'Won’t do': 'Canceled' };
const linearPriority: Record<string, string> = { Highest: 'Urgent', Lowest: 'No priority' };
/** Linear writes dates as JavaScript prints them. */
const linearDate = (iso: string | null) =>
  iso === null ? '' : `${new Date(iso).toUTCString().replace(/^(\w+), (\d+) (\w+) (\d+) (.*) GMT$/, '$1 $3 $2 $4 $5 GMT+0000')} (GMT)`;

export function linearCsv(issues = model(80)): string {
  const header = [
    'ID',
    'Team',
    'Title',
    'Description',
    'Status',
    'Estimate',
    'Priority',
    'Project ID',
    'Project',
    'Creator',
    'Assignee',
    'Labels',
    'Cycle Number',
    'Cycle Name',
    'Cycle Start',
    'Cycle End',
    'Created',
    'Updated',
    'Started',
    'Triaged',
    'Completed',
    'Canceled',
    'Archived',
    'Due Date',
    'Parent issue',
    'Initiatives',
    'Project Milestone ID',
    'Project Milestone',
    'SLA Status',
    'Roadmaps',
    'Blocked by',
  ];
  return csv([header, ...issues.map(linearRow)]);
}

function linearRow(issue: ModelIssue): (string | number | null)[] {
  const cycle = issue.sprint === null ? '' : issue.sprint.slice(-1);
  const [completed, canceled] = issue.status === 'Done' ? [issue.closed, null] : [null, issue.closed];
  return [
    ...[
      `SHO-${issue.n}`,
      'Shop',
      marked(issue.title),
      markdown(issue),
      linearStatus[issue.status] ?? issue.status,
      issue.points,
      linearPriority[issue.priority] ?? issue.priority,
    ],
    ...[
      issue.milestone && 'p-1',
      issue.milestone,
      personNamed(issue.reporter).mail,
      issue.assignee && personNamed(issue.assignee).mail,
      issue.labels.join(', '),
    ],
    ...[
      cycle,
      cycle === '2' ? issue.sprint : '',
      linearDate(cycle ? issue.created : null),
      linearDate(cycle ? issue.created : null),
      linearDate(issue.created),
      linearDate(issue.created),
    ],
    ...[
      '',
      '',
      linearDate(completed),
      linearDate(canceled),
      '',
      linearDate(issue.due),
      issue.parent === null ? '' : `SHO-${issue.parent}`,
      '',
    ],
    ...['', issue.n % 12 === 2 ? 'Beta' : '', issue.votes ? 'Breached' : '', '', issue.blockedBy.map((n) => `SHO-${n}`).join(', ')],
  ];
}

const markdown = ({ description, checklist }: ModelIssue) =>
  [description, checklist.map(({ text, done }) => `- [${done ? 'x' : ' '}] ${text}`).join('\n')].filter((part) => part !== '').join('\n\n');

/** An id whose first eight digits are the second of creation, as Trello's are. */
const trelloId = (iso: string, n: number) => `${Math.floor(Date.parse(iso) / 1_000).toString(16)}${n.toString(16).padStart(16, '0')}`;
const trelloPerson = (name: string) => ({ id: personNamed(name).id, fullName: name, username: personNamed(name).mail.split('@')[0] });

export function trelloJson(issues = model(80)): string {
  const lists = [...new Set(issues.map(({ status }) => status))];
  const actions = issues.flatMap((issue) => issue.comments.map((comment, c) => commentAction(issue, comment, c))).toReversed();
  const board = {
    id: '64f1a0000000000000000001',
    name: 'Shop',
    desc: '',
    closed: false,
    url: 'https://trello.com/b/AbCd1234/shop',
    prefs: { permissionLevel: 'private' },
    labelNames: { green: '', red: 'bug' },
    limits: { cards: { openPerBoard: { status: 'ok' } } },
    actions,
    cards: issues.map((issue) => card(issue, lists)),
    labels: [],
    lists: lists.map((name, n) => ({ id: `list${n}`, name, closed: false, pos: n })),
    members: people.map(({ name }) => trelloPerson(name)),
    checklists: issues.flatMap((issue) => checklist(issue)),
    customFields: [
      { id: 'cf-points', name: 'Story points', type: 'number' },
      { id: 'cf-browser', name: 'Browser', type: 'list', options: [{ id: 'o1', value: { text: 'Firefox' } }] },
    ],
    memberships: [],
    pluginData: [],
  };
  return `${JSON.stringify(board, null, 1)}\n`;
}

const commentAction = (issue: ModelIssue, { author, at, body }: ModelIssue['comments'][number], c: number) => ({
  id: trelloId(at, c),
  type: 'commentCard',
  date: at,
  idMemberCreator: personNamed(author).id,
  memberCreator: trelloPerson(author),
  data: { text: body, card: { id: trelloId(issue.created, issue.n), name: issue.title } },
});

function card(issue: ModelIssue, lists: readonly string[]): object {
  const { n, points } = issue;
  return {
    id: trelloId(issue.created, n),
    idShort: n,
    shortLink: `card${String(n).padStart(4, '0')}`,
    shortUrl: `https://trello.com/c/card${String(n).padStart(4, '0')}`,
    name: issue.title,
    desc: issue.description,
    idList: `list${lists.indexOf(issue.status)}`,
    idMembers: issue.assignee ? [personNamed(issue.assignee).id] : [],
    labels: [
      ...issue.labels.map((name) => ({ id: `l-${name}`, name, color: 'green' })),
      ...(n % 16 === 0 ? [{ id: 'l-red', name: '', color: 'red' }] : []),
    ],
    due: issue.due && `${issue.due}T12:00:00.000Z`,
    dueComplete: issue.status === 'Done',
    closed: n % 40 === 0,
    dateLastActivity: issue.created,
    pos: n,
    attachments: issue.attachments.map((file) => ({ ...file, id: `a${n}`, bytes: 1_000, isUpload: true })),
    customFieldItems: [
      ...(points === null ? [] : [{ id: `i${n}`, idCustomField: 'cf-points', value: { number: String(points) } }]),
      ...(n % 17 === 0 ? [{ id: `b${n}`, idCustomField: 'cf-browser', idValue: 'o1', value: null }] : []),
    ],
    idMembersVoted: issue.votes ? [people[0]!.id] : [],
    stickers: [],
    cover: { color: null, idAttachment: null },
    badges: { votes: 0 },
    idChecklists: [],
  };
}

const checklist = ({ n, created, checklist: items }: ModelIssue) =>
  items.length === 0
    ? []
    : [
        {
          id: `ch${n}`,
          idCard: trelloId(created, n),
          name: 'Before release',
          checkItems: items.map(({ text, done }, pos) => ({
            id: `ci${n}-${pos}`,
            name: text,
            state: done ? 'complete' : 'incomplete',
            pos,
          })),
        },
      ];

export function asanaCsv(issues = model(24)): string {
  const header = [
    'Task ID',
    'Created At',
    'Completed At',
    'Last Modified',
    'Name',
    'Section/Column',
    'Assignee',
    'Assignee Email',
    'Start Date',
    'Due Date',
    'Tags',
    'Notes',
    'Projects',
    'Parent task',
    'Blocked By (Dependencies)',
    'Blocking (Dependencies)',
    'Story points',
    'Effort level',
  ];
  const titleOf = (n: number) => issues[n - 1]!.title;
  const rows = issues.map((issue) => [
    ...[
      String(1_200_000_000_000 + issue.n),
      issue.created.slice(0, 10),
      issue.closed?.slice(0, 10) ?? '',
      issue.created.slice(0, 10),
      issue.title,
      issue.status,
    ],
    ...[
      issue.assignee,
      issue.assignee && personNamed(issue.assignee).mail,
      '',
      issue.due,
      issue.labels.join(','),
      issue.description,
      'Shop',
    ],
    ...[
      issue.parent === null ? '' : titleOf(issue.parent),
      issue.blockedBy.map(titleOf).join(','),
      '',
      issue.points,
      issue.votes ? 'High' : '',
    ],
  ]);
  return csv([header, ...rows]);
}

export function githubRest(issues = model(15)): string {
  const user = (name: string) => ({ login: personNamed(name).mail.split('@')[0], id: 1, type: 'User', site_admin: false });
  const entry = (issue: ModelIssue) => ({
    url: `https://api.github.com/repos/acme/shop/issues/${issue.n}`,
    html_url: `https://github.com/acme/shop/issues/${issue.n}`,
    id: 9_000 + issue.n,
    node_id: `I_${issue.n}`,
    number: issue.n,
    title: issue.title,
    user: user(issue.reporter),
    labels: issue.labels.map((name) => ({ id: 1, name, color: 'ededed', default: false, description: null })),
    state: issue.closed ? 'closed' : 'open',
    state_reason: issue.closed ? (issue.status === 'Done' ? 'completed' : 'not_planned') : null,
    locked: false,
    assignee: issue.assignee && user(issue.assignee),
    assignees: issue.assignee ? [user(issue.assignee)] : [],
    milestone: issue.milestone && { title: issue.milestone, number: 1, state: 'open' },
    comments: issue.comments.length,
    created_at: issue.created,
    updated_at: issue.created,
    closed_at: issue.closed,
    author_association: 'MEMBER',
    body: issue.description || null,
    reactions: { total_count: issue.votes ? 2 : 0, '+1': issue.votes ? 2 : 0 },
    ...(issue.n % 5 === 0 && { pull_request: { url: 'https://api.github.com/repos/acme/shop/pulls/5' } }),
  });
  return `${JSON.stringify(issues.map(entry), null, 1)}\n`;
}

export function githubCli(issues = model(10)): string {
  const user = (name: string) => ({ id: 'U_1', is_bot: false, login: personNamed(name).mail.split('@')[0], name });
  const entry = (issue: ModelIssue) => ({
    assignees: issue.assignee ? [user(issue.assignee)] : [],
    author: user(issue.reporter),
    body: issue.description,
    closedAt: issue.closed,
    comments: issue.comments.map(({ author, at, body }) => ({
      id: 'IC_1',
      author: { login: personNamed(author).mail.split('@')[0] },
      body,
      createdAt: at,
      url: '',
    })),
    createdAt: issue.created,
    labels: issue.labels.map((name) => ({ id: 'LA_1', name, description: '', color: 'ededed' })),
    milestone: issue.milestone && { number: 1, title: issue.milestone },
    number: issue.n,
    state: issue.closed ? 'CLOSED' : 'OPEN',
    stateReason: issue.closed ? 'COMPLETED' : '',
    title: issue.title,
    updatedAt: issue.created,
    url: `https://github.com/acme/shop/issues/${issue.n}`,
  });
  return `${JSON.stringify(issues.map(entry), null, 1)}\n`;
}

/** A sheet of a German Excel: semicolons, days before months, decimal commas, Windows-1252. */
export function freeCsv(issues = model(20)): Buffer {
  const german = (day: string | null) => day?.slice(0, 10).split('-').toReversed().join('.') ?? null;
  const header = ['Nr.', 'Titel', 'Beschreibung', 'Status', 'Aufwand', 'Bearbeiter', 'Erstellt', 'Fällig', 'Schlagworte', 'Kunde'];
  const text = (value: string) => value.replaceAll(/[^\u0020-\u00ff€–’\n]/g, '?');
  const rows = issues.map((issue) => [
    ...[
      issue.n,
      text(issue.title),
      text(issue.description),
      issue.status,
      issue.points === null ? '' : `${issue.points},5`,
      text(issue.assignee ?? ''),
    ],
    ...[german(issue.created), german(issue.due), text(issue.labels.join(', ')), issue.votes ? 'Bäckerei Groß' : ''],
  ]);
  const special: Record<string, number> = { '€': 0x80, '–': 0x96, '’': 0x92 };
  return Buffer.from(Array.from(csv([header, ...rows], ';', '\r\n'), (letter) => special[letter] ?? letter.charCodeAt(0)));
}

export const exportsOf = (): Record<string, string | Buffer> => ({
  'jira.csv': jiraCsv(),
  'linear.csv': linearCsv(),
  'trello.json': trelloJson(),
  'asana.csv': asanaCsv(),
  'github-rest.json': githubRest(),
  'github-cli.json': githubCli(),
  'free.csv': freeCsv(),
});

if (import.meta.main) {
  const folder = fileURLToPath(new URL('exports/', import.meta.url));
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of Object.entries(exportsOf())) writeFileSync(folder + name, content);
}
