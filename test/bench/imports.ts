/** Peak memory of a worker that imports 20,000 issues with 60,000 comments, from a Jira CSV and from a Trello board (behaviour §36.20). */
import { startImport, uploadImport } from '../../src/import/runs/imports.ts';
import { perform } from '../../src/operations/perform.ts';
import { jiraCsv, trelloJson } from '../import/sources/makeExports.ts';
import { type ModelIssue, model } from '../import/sources/model.ts';
import { makeBulk } from '../support/bulk.ts';
import { eventually } from '../support/eventually.ts';
import { withDb } from '../support/withDb.ts';
import type { Bench } from './bench.ts';
import { atMost, type Goal, mostMegabytes } from './measure.ts';

const COMMENTS = 3;
const HOUR_MS = 3_600_000;

const sentence = 'The customer can not finish the order, because the button stays grey after the second step. ';
const text = (n: number, sentences: number) => `${n}: ${sentence.repeat(1 + (n % sentences))}`;

/** Issues of the model with longer texts and as many comments each, all of the same year. */
const issuesOf = (count: number): ModelIssue[] =>
  model(count).map((issue, n) => ({
    ...issue,
    ...{ description: text(n, 12), created: new Date(Date.UTC(2025, 1, 3) + n * 1_000).toISOString(), milestone: null },
    ...{ checklist: [], attachments: [] },
    comments: Array.from({ length: COMMENTS }, (_, at) => ({
      author: issue.reporter,
      at: new Date(Date.UTC(2025, 2, 3) + (n * COMMENTS + at) * 1_000).toISOString(),
      body: text(n + at, 5),
    })),
  }));

export async function imports(bench: Bench): Promise<Goal[]> {
  const issues = issuesOf(bench.quick ? 500 : 20_000);
  return [
    await measured(bench, 'Jira CSV', jiraCsv(issues), issues.length),
    await measured(bench, 'Trello JSON', trelloJson(issues), issues.length),
  ];
}

async function measured(bench: Bench, name: string, file: string, issues: number): Promise<Goal> {
  const url = await bench.database();
  const { workspaceId, userId } = await makeBulk(url, 1);
  const client = await bench.client(url);
  const caller = { kind: 'user', userId } as const;
  const worker = await bench.worker(url, { unheard: true });
  const ended = (state: string) =>
    eventually(
      async () => {
        if (mostMegabytes(worker.pid) === 0) throw new Error('The worker has ended.');
        return (await client.query('select state, problem, created, comments, refused from imports')).rows[0];
      },
      (found) => found.state !== state,
      HOUR_MS,
    );
  await withDb(url, 2, async (db) => {
    const source = new Blob([file]).stream();
    const importId = await uploadImport(db, caller, { workspaceId, fileName: 'export', source, quotaBytes: 1e9 });
    await ended('reading');
    await perform(db, caller, startImport, { workspaceId, importId });
  });
  const { created, comments, refused, problem } = await ended('running');
  if (created !== issues || comments !== issues * COMMENTS || refused > 0)
    throw new Error(`${created}, ${comments}, ${refused}: ${problem}`);
  return atMost(`memory of a worker that imports ${issues} issues (${name}), MB`, mostMegabytes(worker.pid), 256);
}
