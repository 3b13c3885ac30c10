/** The job that reads an uploaded file and prepares its report: nothing is written into the workspace (behaviour §36.20). */
import type { Db } from '../../database/db.ts';
import { AppError, InvalidRequest } from '../../values/errors.ts';
import { checkMap } from '../sources/checkMap.ts';
import { readSourceFacts } from './itemQueries.ts';
import { type FileReader, fileReader } from './reading.ts';
import type { Prepared } from './readRows.ts';
import { fileOf, KEEPS_FAILING, NO_RIGHTS } from './run.ts';
import { importPermit, readRun, requireStatusPermit, storePrepared, storeUnreadable } from './runQueries.ts';
import { callerOf, type Run } from './schema.ts';

/** Does nothing if the choices have changed since the job was added. Throws if the database fails, so that the job runs again. */
export async function prepareImport(
  db: Db,
  { importId, revision }: { importId: number; revision: number },
  signal: AbortSignal,
  reader = fileReader,
): Promise<void> {
  const run = await readRun(db.pool(), importId);
  if (run?.state !== 'reading' || run.revision !== revision) return;
  try {
    await storePrepared(db.pool(), importId, revision, await prepare(db, run, signal, reader));
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'unavailable') throw error;
    await storeUnreadable(db.pool(), importId, revision, error instanceof InvalidRequest ? error.message : NO_RIGHTS);
  }
}

export const giveUpPreparing = (db: Db, { importId, revision }: { importId: number; revision: number }): Promise<void> =>
  storeUnreadable(db.pool(), importId, revision, KEEPS_FAILING);

async function prepare(db: Db, run: Run, signal: AbortSignal, reader: FileReader): Promise<Prepared> {
  const facts = await readSourceFacts(db.pool(), await importPermit(db.pool(), callerOf(run), run.workspaceId));
  checkMap(run.map, facts);
  if (run.map.unknownStatuses === 'create') await requireStatusPermit(db.pool(), callerOf(run), run.workspaceId);
  return reader.prepare(fileOf(db, run), run.source, { map: run.map, facts }, signal);
}
