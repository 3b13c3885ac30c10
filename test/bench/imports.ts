/** Peak memory of a worker that imports 20,000 issues with 60,000 comments, from a Jira CSV and from a Trello board (behaviour §36.20). */
import { startImport, uploadImport } from '../../src/import/runs/imports.ts';
import { perform } from '../../src/operations/perform.ts';
import { eventually } from '../support/eventually.ts';
import { Fixtures } from '../support/restWorld.ts';
import { withDb } from '../support/withDb.ts';
import type { Bench } from './bench.ts';
import { atMost, type Goal, mostMegabytes } from './measure.ts';

const COMMENTS = 3;

const sentence = 'The customer can not finish the order, because the button stays grey after the second step. ';
const text = (n: number, sentences: number) => `${n}: ${sentence.repeat(1 + (n % sentences))}`;
const author = (n: number) => `Person ${n % 40}`;

/** As Jira exports it: a column for each comment. */
async function* jiraFile(issues: number): AsyncGenerator<Uint8Array> {
  const header = ['Summary', 'Issue key', 'Issue Type', 'Status', 'Priority', 'Assignee', 'Created', 'Description', 'Parent key'];
  yield Buffer.from(`${[...header, 'Labels', 'Inward issue link (Blocks)', ...Array(COMMENTS).fill('Comment')].join(',')}\n`);
  const cell = (value: string) => `"${value.replaceAll('"', '""')}"`;
  for (let n = 0; n < issues; n++) {
    const own = [`Issue number ${n}`, `SHOP-${n}`, n % 50 ? 'Task' : 'Epic', ['To Do', 'In Progress', 'Done'][n % 3]!, 'High', author(n)];
    const parent = n % 50 ? `SHOP-${n - (n % 50)}` : '';
    const rest = ['03/Feb/26 10:00 AM', text(n, 12), parent, `label ${n % 30}`, n % 10 ? '' : `SHOP-${n + 1}`];
    const comments = Array.from({ length: COMMENTS }, (_, at) => `04/Feb/26 1${at}:00 AM;${author(n + at)};${text(n + at, 5)}`);
    yield Buffer.from(`${[...own, ...rest, ...comments].map(cell).join(',')}\n`);
  }
}

const hex = (kind: number, n: number) => `${kind}${n.toString(16).padStart(23, '0')}`;

async function* trelloFile(issues: number): AsyncGenerator<Uint8Array> {
  const lists = ['To do', 'Doing', 'Done'].map((name, at) => ({ id: hex(1, at), name, closed: false }));
  const members = Array.from({ length: 40 }, (_, at) => ({ id: hex(2, at), fullName: author(at), username: `person${at}` }));
  yield Buffer.from(`{"id":"${hex(9, 0)}","name":"Shop","lists":${JSON.stringify(lists)},"members":${JSON.stringify(members)},"cards":[`);
  for (let n = 0; n < issues; n++) {
    const own = { id: hex(3, n), idShort: n, name: `Card number ${n}`, desc: text(n, 12), closed: false };
    const labels = [{ id: hex(4, n % 30), name: `label ${n % 30}` }];
    yield Buffer.from(`${n ? ',' : ''}${JSON.stringify({ ...own, idList: hex(1, n % 3), idMembers: [hex(2, n % 40)], labels })}`);
  }
  yield Buffer.from('],"actions":[');
  for (let n = 0; n < issues * COMMENTS; n++) {
    const memberCreator = { id: hex(2, n % 40), fullName: author(n) };
    const data = { text: text(n, 5), card: { id: hex(3, n % issues) } };
    const date = new Date(Date.UTC(2026, 1, 3) + n * 1_000).toISOString();
    yield Buffer.from(`${n ? ',' : ''}${JSON.stringify({ id: hex(5, n), type: 'commentCard', date, memberCreator, data })}`);
  }
  yield Buffer.from(']}');
}

const files = { 'Jira CSV': jiraFile, 'Trello JSON': trelloFile };

export async function imports(bench: Bench): Promise<Goal[]> {
  const issues = bench.quick ? 500 : 20_000;
  const goals: Goal[] = [];
  for (const [name, file] of Object.entries(files)) goals.push(await measured(bench, name, file(issues), issues));
  return goals;
}

async function measured(bench: Bench, name: string, source: AsyncIterable<Uint8Array>, issues: number): Promise<Goal> {
  const url = await bench.database();
  const fixtures = new Fixtures(url);
  bench.later(() => fixtures.close());
  const account = await fixtures.account();
  const userId = await fixtures.user(account);
  const workspaceId = await fixtures.workspace(account);
  await fixtures.member(workspaceId, userId);
  const caller = { kind: 'user', userId } as const;
  const worker = await bench.worker(url, { unheard: true });
  const ended = async (state: string) => {
    const row = async () => (await fixtures.sql('select state, problem, created, comments, refused from imports'))[0];
    for (;;) {
      const found = await eventually(row, (one) => one.state !== state);
      if (found.state !== state) return found;
      if (mostMegabytes(worker.pid) === 0) throw new Error('The worker has ended.');
    }
  };
  await withDb(url, 2, async (db) => {
    const importId = await uploadImport(db, caller, { workspaceId, fileName: 'export', source, quotaBytes: 1e9 });
    await ended('reading');
    await perform(db, caller, startImport, { workspaceId, importId });
  });
  const { created, comments, refused, problem } = await ended('running');
  if (created !== issues || comments !== issues * COMMENTS || refused > 0)
    throw new Error(`${created}, ${comments}, ${refused}: ${problem}`);
  return atMost(`memory of a worker that imports ${issues} issues (${name}), MB`, mostMegabytes(worker.pid), 256);
}
