/** An import from another service: its workers are killed while they read and write it. Each issue is written exactly once (behaviour §36.22). */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../src/database/db.ts';
import { startImport, uploadImport } from '../../src/import/runs/imports.ts';
import { perform } from '../../src/operations/perform.ts';
import { fileOf, pieces } from '../import/runs/importWorld.ts';
import { type Imported, killTwice, linkedIssues, readImported } from '../import/runs/kills.ts';
import { withDb } from '../support/withDb.ts';
import type { Postgres } from './postgres.ts';
import type { Stage } from './tool.ts';
import type { Town } from './town.ts';

export const ISSUES = 600;

/** Returns the import's id. */
export const uploadIssues = (postgres: Postgres, { workspaceId, ownerId }: Town): Promise<number> =>
  withDb(postgres.url, 1, (db) =>
    uploadImport(
      db,
      { kind: 'user', userId: ownerId },
      { workspaceId, fileName: 'shop.csv', source: pieces(fileOf(linkedIssues(ISSUES))), quotaBytes: 1e9 },
    ),
  );

/** Starts the import once its file is read, and kills all workers during each of its phases. */
export async function killImport(
  postgres: Postgres,
  { crew, givesUpAt }: Stage,
  { workspaceId, ownerId }: Town,
  importId: number,
): Promise<void> {
  const until = async (statement: string, attempt: () => Promise<unknown> = async () => {}) => {
    while (performance.now() < givesUpAt) {
      // PostgreSQL may be down. After a lost answer, the state says whether the import has started.
      await attempt().catch(() => {});
      const [row] = await postgres.rows(statement).catch(() => []);
      if (row && Object.values(row)[0] === true) return;
      await sleep(25);
    }
  };
  const start = (db: Db) => perform(db, { kind: 'user', userId: ownerId }, startImport, { workspaceId, importId });
  await until(`select state <> 'reading' from imports where id = ${importId}`);
  await until(`select state <> 'ready' from imports where id = ${importId}`, () => withDb(postgres.url, 1, start));
  const killWorkers = () => Promise.all(crew.of('worker').map((member) => crew.kill(member, 0)));
  await killTwice(importId, ISSUES, { until, killWorkers });
}

export async function judgeImport(postgres: Postgres, importId: number): Promise<Imported> {
  const [{ state, problem }] = await postgres.rows('select state, problem from imports where id = $1', [importId]);
  const { lost, doubled } = await readImported((text, values) => postgres.rows(text, values), importId, ISSUES);
  return { lost: state === 'done' ? lost : [`the import is ${state}: ${problem}`, ...lost], doubled };
}
