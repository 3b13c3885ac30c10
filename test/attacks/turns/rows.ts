/** The largest request of every operation, page, form, job and file, from their tables (behaviour §13.15). A new one has its row by itself;
 *  rows.unit.test.ts fails if an id is not known by its name or the input does not fit. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Format } from '../../../src/import/sources/source.ts';
import { fieldNames, fields } from '../../../src/items/fields.ts';
import { tools } from '../../../src/mcp/tools.ts';
import { isRead, type Operation } from '../../../src/operations/operation.ts';
import { pageRoutes } from '../../../src/pages/routes.ts';
import { type JobName, payloads } from '../../../src/queue/jobs.ts';
import { restRoutes } from '../../../src/rest/routes.ts';
import { keysOf } from '../../../src/values/records.ts';
import { asanaCsv, freeCsv, githubRest, jiraCsv, linearCsv, trelloJson } from '../../import/sources/makeExports.ts';
import { model } from '../../import/sources/model.ts';
import { callTool, restHeaders } from '../requests.ts';
import { largest, longText } from './largest.ts';
import { formValues, idOf, idsOf, named } from './names.ts';
import type { Ids } from './place.ts';

export interface Asked {
  method: 'GET' | 'POST';
  path: string;
  /** With a key. Without headers it is sent in a session. */
  headers?: Record<string, string>;
  /** Values of a form. */
  form?: [name: string, value: string][];
  file?: { name: string; bytes(): Buffer };
  body?: string;
}

export interface Turn {
  title: string;
  /** The n-th request: each has another id, text and requestId. */
  request(ids: Ids, n: number, keys: { restKey: string; agentKey: string }): Asked;
}

// biome-ignore lint/suspicious/noExplicitAny: operations of every input
type AnyOperation = Operation<any, any>;

/** Arguments that their names do not decide. Null leaves one out. */
const own: Record<string, (ids: Ids, n: number) => Record<string, unknown>> = {
  listItems: (ids) => ({ label: Number(idOf(ids, 'label', 0)), limit: 100 }),
  getItem: (ids) => ({ id: Number(idOf(ids, 'itemId', 0)) }),
  getItemWithProgressNotes: (ids) => ({ id: Number(idOf(ids, 'itemId', 0)) }),
  listComments: (ids) => ({ id: Number(idOf(ids, 'itemId', 0)) }),
  listChanges: () => ({ itemId: null, limit: 200 }),
  saveLabel: (ids, n) => ({ id: Number(idOf(ids, 'label', n)), name: `${n} ${'x'.repeat(70)}` }),
  saveItem: () => ({ id: null, version: null, ...onlyTasks }),
  saveRelations: (ids, n) => ({ labels: idsOf(ids, 'label', 20).map(Number), blockedBy: blockers(ids, n) }),
  createItems: (ids, n) => ({ ...onlyTasks, below: null, labels: idsOf(ids, 'labelName', 20), blockedBy: blockers(ids, n) }),
  updateItem: (ids, n) => ({ ...onlyTasks, labels: idsOf(ids, 'labelName', 20), blockedBy: blockers(ids, n) }),
  updateItems: (ids, n) => ({ ...onlyTasks, workspaceId: Number(idOf(ids, 'workspaceId', n)), items: versions(ids).slice(0, 100) }),
  findWork: () => ({
    ...{
      assignee: 'all',
      status: 'all',
      search: 'a long costly title of task',
      searchIn: 'all',
      limit: 100,
      type: null,
      ids: null,
      underId: null,
    },
    ...{
      requirementId: null,
      releaseId: null,
      label: null,
      fields: null,
      groupBy: null,
      sum: null,
      dueWindow: null,
      dueFrom: null,
      dueTo: null,
    },
    ...{ priorityKey: null },
  }),
  myTime: () => ({ period: null, date: null }),
  trackTime: () => ({ action: 'log', entryId: null, revision: null, startedAt: null, endedAt: null, reason: null }),
  planBlock: (ids) => ({
    ...{ action: 'create', blockId: null, revision: null, itemId: null, startLocal: null, endLocal: null, note: null, autoStart: null },
    ...{ autoStop: null, remindStart: null, remindEnd: null, remindMinutes: null, blocks: planned(ids) },
  }),
  listNotes: () => ({ folderId: null, search: 'Wörter fett', limit: 100 }),
  getNote: (ids, n) => ({ id: Number(idOf(ids, 'noteId', n)) }),
  updateNote: (ids, n) => ({ id: Number(idOf(ids, 'noteId', n)), append: null }),
  deleteNote: (ids, n) => ({ id: Number(idOf(ids, 'noteId', n)) }),
};

const onlyTasks = Object.fromEntries(fieldNames.filter((name) => !fields[name].types.includes('task')).map((name) => [name, null]));
const blockers = (ids: Ids, n: number) =>
  idsOf(ids, 'task', 60)
    .slice(10)
    .map((id) => ({ id: Number(id), lagDays: n }));
const versions = (ids: Ids) =>
  idsOf(ids, 'task', 100).map((id, at) => ({
    id: Number(id),
    version: Number(idOf(ids, 'version', at)),
    title: longText(290),
    description: longText(4_000),
  }));
const planned = (ids: Ids) =>
  Array.from({ length: 10 }, (_, at) => ({
    itemId: Number(idOf(ids, 'task', at)),
    startLocal: '2027-03-01T09:00',
    endLocal: '2027-03-01T09:30',
    note: longText(2_000),
  }));

/** The largest input, as JSON. */
export function inputOf({ name, input }: AnyOperation, ids: Ids, n: number): Record<string, unknown> {
  const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  const given = largest(schema, named(ids, n, { id: Number(idOf(ids, 'task', n)), ...own[name]?.(ids, n) }));
  return JSON.parse(JSON.stringify(given, (_, value) => value ?? undefined));
}

const rest = restRoutes({ secretKey: 'turns', listener: { on: () => () => {} } as never });

const ofRest = rest.map(
  ({ method, path, operation }): Turn => ({
    title: `REST ${method} ${path}`,
    request(ids, n, keys) {
      const input = inputOf(operation, ids, n);
      const asked = { method, path: `/api/v1${path}`, headers: restHeaders(keys) };
      if (method === 'POST') return { ...asked, body: JSON.stringify(input) };
      const query = new URLSearchParams(Object.entries(input).map(([name, value]): [string, string] => [name, String(value)]));
      return { ...asked, path: `${asked.path}?${query}` };
    },
  }),
);

const isWrite = (operation: AnyOperation) => !isRead(operation);

const ofTools = tools.map(
  ({ name, operation }): Turn => ({
    title: `tool ${name}`,
    request: (ids, n, keys) => ({
      method: 'POST',
      ...callTool(keys, name, { ...inputOf(operation, ids, n), ...(isWrite(operation) && { requestId: randomUUID() }) }),
    }),
  }),
);

/** Queries with which a page shows more. */
const queries: Record<string, readonly string[]> = {
  '/workspaces/:id': ['status=all', 'view=board&status=all', 'view=timeline&status=all', 'type=goal', 'type=requirement', 'type=milestone'],
  '/workspaces/:id/move': ['ids=:moving&to=:target'],
  '/capacity/what-if': ['workspaceId=:busy', 'workspaceId=:busy&h:me=12'],
  '/capacity/people/:personId': ['workspaceId=:busy&week=:monday'],
  '/my': ['view=week'],
  '/search': ['q=long+costly+title', `q=${'word+'.repeat(40)}`],
  '/reports/time': ['by=item', 'by=person'],
  '/workspaces/:id/list.csv': ['type=task&status=all'],
};

const withIds = (path: string, ids: Ids, n: number): string =>
  path.replace(/:(\w+)/g, (_, name: string) => (name === 'field' ? 'priority' : idOf(ids, name, n)));

/** Fields that mean something else in this form. */
const ofForm: Record<string, (ids: Ids, n: number) => Record<string, unknown>> = {
  '/profile': () => ({ theme: 'system' }),
  '/favorites': (ids, n) => ({ kind: 'item', id: idOf(ids, 'task', n) }),
  '/my/act': (ids, n) => ({ done: idOf(ids, 'task', n) }),
  '/my/line': () => ({ line: `45m ${longText(200)}`, in: '' }),
  '/settings/hours/add': () => ({ reason: 'x'.repeat(200) }),
  '/settings/hours/change': (ids, n) => ({ id: idOf(ids, 'absenceId', n), reason: 'x'.repeat(200) }),
  '/settings/hours/remove': (ids, n) => ({ id: idOf(ids, 'absenceId', n) }),
  '/settings/hours/days': () => ({ days: [1, 2, 3, 4, 5] }),
  '/settings/people/add': () => ({ kind: 'service' }),
  '/settings/people/invitations': (_ids, n) => ({ addresses: Array.from({ length: 30 }, (_, at) => `p${n}-${at}@x.example`).join('\n') }),
  '/workspaces/:id/bulk': (_ids, n) => ({ change: n % 2 ? 'priority' : 'status', value: n % 2 ? 'high' : 'in_progress' }),
  '/workspaces/:id/board': (ids, n) => ({ itemId: idOf(ids, 'task', n), value: 'in_progress' }),
  '/workspaces/:id/move': (ids, n) => ({ ids: idOf(ids, 'moving', n), to: idOf(ids, 'target', n), below: 'on', seen: '' }),
  '/workspaces/:id/items': () => ({ requirementId: '', releaseId: '', goalId: '', parentItemId: '', labels: [] }),
  '/workspaces/:id/items/:itemId/repeat': () => ({ revision: '' }),
};

/** Forms without a session are short. */
const SHORT = 1_000;

const ofPages = pageRoutes.flatMap(({ method, path, development, public: isPublic }): Turn[] => {
  if (development) return [];
  if (method === 'GET')
    return (queries[path] ?? ['']).map((query) => ({
      title: `page ${path}${query && `?${query.slice(0, 30)}`}`,
      request: (ids, n) => ({ method, path: withIds(`${path}${query && `?${query}`}`, ids, n) }),
    }));
  return [
    {
      title: `form ${path}`,
      request(ids, n) {
        const form = Object.entries({ ...formValues(ids, n), ...ofForm[path]?.(ids, n) }).flatMap(([name, value]) =>
          [value].flat().map((one): [string, string] => [name, String(one)]),
        );
        const sent = isPublic ? form.map(([name, value]): [string, string] => [name, value.slice(0, SHORT)]).slice(0, 60) : form;
        return { method, path: withIds(path, ids, n), form: [...sent, ['_once', randomUUID()]] };
      },
    },
  ];
});

const ISSUES = 2_000;
const issues = () => model(ISSUES).map((issue) => ({ ...issue, description: longText(2_000) }));
export const files: Record<Format, () => string | Buffer> = {
  csv: () => freeCsv(issues()),
  jira: () => jiraCsv(issues()),
  linear: () => linearCsv(issues()),
  asana: () => asanaCsv(issues()),
  trello: () => trelloJson(issues()),
  github: () => githubRest(issues()),
  stint: () =>
    JSON.stringify({
      accounts: [
        { name: 'A', users: Array.from({ length: 20_000 }, (_, n) => ({ ref: `u${n}`, email: `${n}@x.example`, name: longText(90) })) },
      ],
    }),
};

const uploads: Record<string, Buffer> = { picture: Buffer.alloc(5 * 1024 * 1024 - 100, 'picture'), page: Buffer.from(longText(4_000_000)) };
const ofFiles = [
  ...Object.entries(files).map(
    ([format, make]): Turn => ({
      title: `import of ${format}`,
      request: (ids, n) => ({
        ...{ method: 'POST', path: withIds('/workspaces/:id/settings/import/upload', ids, n) },
        file: { name: `export.${['trello', 'github', 'stint'].includes(format) ? 'json' : 'csv'}`, bytes: () => Buffer.from(make()) },
      }),
    }),
  ),
  ...['/workspaces/:id/items/:itemId/files', '/my/notes/:noteId/files'].flatMap((path) =>
    Object.entries(uploads).map(
      ([name, bytes]): Turn => ({
        title: `file ${path} ${name}`,
        request: (ids, n) => ({ method: 'POST', path: withIds(path, ids, n), file: { name: `${name}.txt`, bytes: () => bytes } }),
      }),
    ),
  ),
];

/** They take what the other rows need. */
const isEnd = ({ title }: Turn) =>
  /erase|archive$|sign-out|end-all|settings\/(people|members)\/(active|remove|role)|settings\/members$/.test(title);
const all = [...ofRest, ...ofTools, ...ofPages, ...ofFiles];
export const turns: readonly Turn[] = [
  ...all.filter((one) => !isEnd(one)),
  ...all.filter(isEnd).toSorted((a, b) => Number(/account/.test(a.title)) - Number(/account/.test(b.title))),
];

/** Payloads by the names of their ids. */
export const jobs: readonly { name: JobName; payload(ids: Ids, n: number): Record<string, unknown> }[] = keysOf(payloads).map((name) => ({
  name,
  payload(ids, n) {
    const known: Record<string, unknown> = {
      ...{
        due: new Date().toISOString(),
        day: new Date().toISOString().slice(0, 10),
        edge: 'start',
        email: 'attacker@x.example',
        address: '::1',
      },
      ...{ userIds: [Number(idOf(ids, 'me', 0))], userId: Number(idOf(ids, 'me', 0)), rewriteId: 1, revision: 1, accountId: 1 },
    };
    const schema = z.toJSONSchema(payloads[name]) as { properties: Record<string, unknown> };
    return Object.fromEntries(
      Object.keys(schema.properties).map((one) => [one, known[one] ?? (one === 'changeId' ? 1 : Number(idOf(ids, one, n)))]),
    );
  },
}));
