/** Peak memory of imports: of a worker that imports 20,000 issues with 60,000 comments from a Jira CSV (behaviour §36.20), and of `stint
 *  import` and `stint export` with ROWS items (1,000,000 if unset). */
import { createWriteStream, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { startImport, uploadImport } from '../../src/import/runs/imports.ts';
import { perform } from '../../src/operations/perform.ts';
import { jiraCsv } from '../import/sources/makeExports.ts';
import { type ModelIssue, model } from '../import/sources/model.ts';
import { makeBulk } from '../support/bulk.ts';
import { cheapestFolder, temporaryFolder } from '../support/disposable.ts';
import { eventually } from '../support/eventually.ts';
import { isAlive } from '../support/processes.ts';
import { withDb } from '../support/withDb.ts';
import { type Bench, settingsOf } from './bench.ts';
import { atMost, type Goal, mostMegabytes } from './measure.ts';

const COMMENTS = 3;
const HOUR_MS = 3_600_000;

export async function imports(bench: Bench): Promise<Goal[]> {
  const items = Number(process.env.ROWS ?? (bench.quick ? 5_000 : 1_000_000));
  return [await byWorker(bench, issuesOf(bench.quick ? 500 : 20_000)), ...(await byCommand(bench, items))];
}

const sentence = 'The customer can not finish the order, because the button stays grey after the second step. ';
const text = (n: number, sentences: number) => `${n}: ${sentence.repeat(1 + (n % sentences))}`;

/** Issues of the model with longer texts and as many comments each, all of the same year. */
const issuesOf = (count: number): ModelIssue[] =>
  model(count).map((issue, n) => ({
    ...issue,
    ...{ description: text(n, 12), created: new Date(Date.UTC(2025, 1, 3) + n * 1_000).toISOString(), milestone: null },
    comments: Array.from({ length: COMMENTS }, (_, at) => ({
      author: issue.reporter,
      at: new Date(Date.UTC(2025, 2, 3) + (n * COMMENTS + at) * 1_000).toISOString(),
      body: text(n + at, 5),
    })),
  }));

async function byWorker(bench: Bench, issues: ModelIssue[]): Promise<Goal> {
  const url = await bench.database();
  const { workspaceId, userId } = await makeBulk(url, 1);
  const client = await bench.client(url);
  const caller = { kind: 'user', userId } as const;
  const worker = await bench.worker(url, { unheard: true });
  const ended = (state: string) =>
    eventually(
      async () => {
        if (!isAlive(worker.pid)) throw new Error('The worker has ended.');
        return (await client.query('select state, problem, created, comments, refused from imports')).rows[0];
      },
      (found) => found.state !== state,
      HOUR_MS,
    );
  await withDb(url, 2, async (db) => {
    const source = new Blob([jiraCsv(issues)]).stream();
    const importId = await uploadImport(db, caller, { workspaceId, fileName: 'export', source, quotaBytes: 1e9 });
    await ended('reading');
    await perform(db, caller, startImport, { workspaceId, importId });
  });
  const { created, comments, refused, problem } = await ended('running');
  if (created !== issues.length || comments !== issues.length * COMMENTS || refused > 0)
    throw new Error(`${created}, ${comments}, ${refused}: ${problem}`);
  return atMost(`memory of a worker that imports ${issues.length} issues, MB`, mostMegabytes(worker.pid), 256);
}

/** A file as `stint export` writes it. */
function* exported(count: number) {
  yield '{"accounts":[{"name":"Bulk","users":[{"ref":"ana","email":"ana@rows.example","name":"Ana","accountRole":"owner"}],';
  yield '"workspaces":[{"ref":"w","name":"Bulk","members":[{"user":"ana","role":"owner"}],"items":[';
  for (let n = 0; n < count; n++) {
    const item = { ref: `t${n}`, type: 'task', title: `Task number ${n}`, description: 'What it is about, in a few plain words.' };
    yield `${n ? ',' : ''}${JSON.stringify({ ...item, fields: { assigneeId: { ref: 'ana' }, estimatedHours: n % 40 } })}`;
  }
  yield ']}]}]}';
}

async function byCommand(bench: Bench, count: number): Promise<Goal[]> {
  const folder = temporaryFolder(cheapestFolder());
  bench.later(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'import.json');
  await pipeline(Readable.from(exported(count)), createWriteStream(file));
  const url = await bench.database();
  const started = performance.now();
  const importing = await peakOf(bench, url, 'import', file, '--json');
  const minutes = (performance.now() - started) / 60_000;
  return [
    atMost(`import of ${count} items: memory, MB`, importing, 300),
    atMost(`import of ${count} items: minutes`, minutes, 5),
    atMost(`export of ${count} items: memory, MB`, await peakOf(bench, url, 'export', '--account', '1'), 300),
  ];
}

/** Megabytes of a command, as package.json starts it. */
async function peakOf(bench: Bench, url: string, ...args: string[]): Promise<number> {
  const command = bench.start(['--max-semi-space-size=4', 'src/cli.ts', ...args], { env: settingsOf(url), unheard: true });
  let most = 0;
  while (isAlive(command.pid)) {
    most = Math.max(most, mostMegabytes(command.pid));
    await sleep(200);
  }
  const { code } = await command.exit();
  if (code !== 0) throw new Error(`${args[0]} ended with ${code}: ${command.lines.join('\n')}`);
  return most;
}
