/** `npm run bench -- imports`: CPU and peak memory of a worker that imports 20,000 issues with 60,000 comments, for a Jira CSV and a Trello
 *  board, beside those of an idle worker (behaviour §36.20). ISSUES=2000 for a shorter run. */
import type { Db } from '../../src/database/db.ts';
import { startImport, uploadImport } from '../../src/import/runs/imports.ts';
import { perform } from '../../src/operations/perform.ts';
import { memoryOf } from '../../src/start/services.ts';
import { type Spawned, spawnNode } from '../support/processes.ts';
import { Fixtures } from '../support/restWorld.ts';
import { withDb } from '../support/withDb.ts';
import { cpuOfChildren, cpuSeconds, mostMegabytes, round } from './measure.ts';
import { benchDatabase, settingsOf } from './servers.ts';

const ISSUES = Number(process.env.ISSUES ?? 20_000);
const COMMENTS = 3;
const MOST_MEGABYTES = 256;

const sentence = 'The customer can not finish the order, because the button stays grey after the second step. ';
const text = (n: number, sentences: number) => `${n}: ${sentence.repeat(1 + (n % sentences))}`;
const author = (n: number) => `Person ${n % 40}`;

/** As Jira exports it: a column for each comment. */
async function* jiraFile(): AsyncGenerator<Uint8Array> {
  const header = ['Summary', 'Issue key', 'Issue Type', 'Status', 'Priority', 'Assignee', 'Created', 'Description', 'Parent key'];
  yield Buffer.from(`${[...header, 'Labels', 'Inward issue link (Blocks)', ...Array(COMMENTS).fill('Comment')].join(',')}\n`);
  const cell = (value: string) => `"${value.replaceAll('"', '""')}"`;
  for (let n = 0; n < ISSUES; n++) {
    const own = [`Issue number ${n}`, `SHOP-${n}`, n % 50 ? 'Task' : 'Epic', ['To Do', 'In Progress', 'Done'][n % 3]!, 'High', author(n)];
    const parent = n % 50 ? `SHOP-${n - (n % 50)}` : '';
    const rest = ['03/Feb/26 10:00 AM', text(n, 12), parent, `label ${n % 30}`, n % 10 ? '' : `SHOP-${n + 1}`];
    const comments = Array.from({ length: COMMENTS }, (_, at) => `04/Feb/26 1${at}:00 AM;${author(n + at)};${text(n + at, 5)}`);
    yield Buffer.from(`${[...own, ...rest, ...comments].map(cell).join(',')}\n`);
  }
}

const hex = (kind: number, n: number) => `${kind}${n.toString(16).padStart(23, '0')}`;

async function* trelloFile(): AsyncGenerator<Uint8Array> {
  const lists = ['To do', 'Doing', 'Done'].map((name, at) => ({ id: hex(1, at), name, closed: false }));
  const members = Array.from({ length: 40 }, (_, at) => ({ id: hex(2, at), fullName: author(at), username: `person${at}` }));
  yield Buffer.from(`{"id":"${hex(9, 0)}","name":"Shop","lists":${JSON.stringify(lists)},"members":${JSON.stringify(members)},"cards":[`);
  for (let n = 0; n < ISSUES; n++) {
    const card = {
      id: hex(3, n),
      idShort: n,
      name: `Card number ${n}`,
      desc: text(n, 12),
      idList: hex(1, n % 3),
      idMembers: [hex(2, n % 40)],
    };
    yield Buffer.from(
      `${n ? ',' : ''}${JSON.stringify({ ...card, closed: false, labels: [{ id: hex(4, n % 30), name: `label ${n % 30}` }] })}`,
    );
  }
  yield Buffer.from('],"actions":[');
  for (let n = 0; n < ISSUES * COMMENTS; n++) {
    const memberCreator = { id: hex(2, n % 40), fullName: author(n) };
    const data = { text: text(n, 5), card: { id: hex(3, n % ISSUES) } };
    const date = new Date(Date.UTC(2026, 1, 3) + n * 1_000).toISOString();
    yield Buffer.from(`${n ? ',' : ''}${JSON.stringify({ id: hex(5, n), type: 'commentCard', date, memberCreator, data })}`);
  }
  yield Buffer.from(']}');
}

const files = { 'Jira CSV': jiraFile, 'Trello JSON': trelloFile } as const;

export async function imports(adminUrl: string, postmaster: number): Promise<void> {
  const table: Record<string, object> = {};
  for (const [name, file] of Object.entries(files)) {
    if (process.env.FILE && !name.startsWith(process.env.FILE)) continue;
    const url = await benchDatabase(adminUrl, `bench_imports_${name.slice(0, 4).toLowerCase()}`);
    table[name] = await withDb(url, 2, (db) => measured(url, db, file, postmaster));
  }
  console.table(table);
}

async function measured(url: string, db: Db, file: () => AsyncIterable<Uint8Array>, postmaster: number): Promise<object> {
  const fixtures = new Fixtures(url);
  const account = await fixtures.account();
  const userId = await fixtures.user(account);
  const workspaceId = await fixtures.workspace(account);
  await fixtures.member(workspaceId, userId);
  const caller = { kind: 'user', userId } as const;
  const importId = await uploadImport(db, caller, { workspaceId, fileName: 'export', source: file(), quotaBytes: 1e9 });
  // The job waits until the idle worker is measured.
  await fixtures.sql(`update graphile_worker._private_jobs set run_at = now() + interval '15 s'`);
  const worker = spawnNode([...memoryOf.worker, 'workers/index.ts'], { env: settingsOf(url), unheard: true });
  try {
    const state = async () => (await fixtures.sql('select state, problem, created, comments, refused from imports'))[0];
    await new Promise((resolve) => setTimeout(resolve, 12_000));
    const [idle, cpu, postgres] = [mostMegabytes(worker.pid), cpuSeconds(worker.pid), cpuOfChildren(postmaster)];
    await ended(worker, async () => (await state()).state !== 'reading');
    const [reading, started] = [mostMegabytes(worker.pid), performance.now()];
    await perform(db, caller, startImport, { workspaceId, importId });
    await ended(worker, async () => (await state()).state !== 'running');
    const seconds = (performance.now() - started) / 1_000;
    const { created, comments, refused, problem } = await state();
    if (created !== ISSUES || comments !== ISSUES * COMMENTS || refused > 0)
      throw new Error(`${created}, ${comments}, ${refused}: ${problem}`);
    const most = mostMegabytes(worker.pid);
    const megabytes = { 'idle MB': round(idle), 'after reading MB': round(reading), 'most MB': round(most), wanted: `≤ ${MOST_MEGABYTES}` };
    const cpus = { 'worker CPU s': round(cpuSeconds(worker.pid) - cpu), 'PostgreSQL CPU s': round(cpuOfChildren(postmaster) - postgres) };
    return { ...megabytes, ...cpus, 'writing s': round(seconds) };
  } finally {
    worker.kill('SIGKILL');
    await worker.exit();
    await fixtures.close();
  }
}

async function ended(worker: Spawned, isDone: () => Promise<boolean>): Promise<void> {
  while (!(await isDone())) {
    if (mostMegabytes(worker.pid) === 0) throw new Error('The worker has ended.');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
