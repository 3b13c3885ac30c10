/** The job of an import: stages the file, then writes it in batches (behaviour §36.21–§36.24). Each batch is one transaction with its place, so
 *  a killed worker loses and repeats none. */
import type { Db } from '../../database/db.ts';
import { deleteBlob, readBlob } from '../../files/blobs.ts';
import { asAppError, sqlState } from '../../operations/refusals.ts';
import { markForecastOf } from '../../queue/jobs.ts';
import { AppError } from '../../values/errors.ts';
import { release } from '../../values/lazy.ts';
import type { OpenSource } from '../sources/source.ts';
import { itemOfRow, writeRows } from './batch.ts';
import type { FileReader } from './reading.ts';
import { dropRows, nextRows, noteProblems } from './rowQueries.ts';
import { advance, endRun, heldPermit, lockRun, readRun } from './runQueries.ts';
import { callerOf, noCounts, type Run, type RunCaller } from './schema.ts';
import { Cancelled, stage } from './stage.ts';

const ROWS_AT_ONCE = 200;
const CHARACTERS_AT_ONCE = 500_000;

/** Does nothing unless the import is running: a repeated job is harmless. Throws if the database fails, so that the job runs again. */
export async function runImport(db: Db, importId: number, signal: AbortSignal, reader?: FileReader): Promise<void> {
  const run = await readRun(db.pool(), importId);
  if (run?.state !== 'running') return;
  const caller = callerOf(run);
  try {
    if (run.staged !== null) await stage(db, run, caller, fileOf(db, run), signal, reader);
    while (await writeNext(db, run, caller, ROWS_AT_ONCE)) signal.throwIfAborted();
  } catch (error) {
    if (error instanceof Cancelled) return;
    // Another worker has ended it and deleted its file.
    if ((await readRun(db.pool(), importId))?.state !== 'running') return;
    if (!(error instanceof AppError) || error.code === 'unavailable') throw error;
    await stop(db, run, problemOf(error));
  }
}

export function fileOf(db: Db, { accountId, blobId, fileSize }: Run): OpenSource {
  if (blobId === null) throw new Cancelled();
  return async function* () {
    for await (const chunk of readBlob(db.pool(), { accountId, id: blobId, size: fileSize })) {
      yield chunk;
      release(chunk);
    }
  };
}

export const NO_RIGHTS = 'The person who started this import may no longer import into this workspace. An owner or manager can resume it.';
const problemOf = (error: AppError): string => (error.code === 'forbidden' || error.code === 'unauthenticated' ? NO_RIGHTS : error.message);

const stop = (db: Db, run: Run, problem: string): Promise<void> =>
  db.transaction(async (tx) => {
    if ((await endRun(tx, run.id, 'stopped', problem)) !== null) await markForecastOf(tx, run.workspaceId);
  });

/** Shown to the person of an import that was set aside (behaviour §13.20). */
export const KEEPS_FAILING =
  'The server stopped several times while it worked on this import, so it was set aside. Split the file, and import each part.';

export async function giveUpImport(db: Db, importId: number): Promise<void> {
  const run = await readRun(db.pool(), importId);
  if (run?.state === 'running') await stop(db, run, KEEPS_FAILING);
}

/** Writes the next rows, all or none; if one is refused, row by row. Returns whether there may be more. */
async function writeNext(db: Db, run: Run, caller: RunCaller, most: number): Promise<boolean> {
  try {
    return await writeBatch(db, run, caller, most);
  } catch (error) {
    if (!isOfRow(error)) throw error;
    for (let rows = 0; rows < most; rows++) if (!(await writeOne(db, run, caller))) return false;
    return true;
  }
}

/** PostgreSQL refuses values that break a rule of a trigger or a constraint, or that it can't store. */
const refusals = /^(ST|22|23)/;
/** True if the row's values are the reason, not the database or a right that was lost. */
const isOfRow = (error: unknown): boolean =>
  error instanceof AppError ? error.code !== 'unavailable' && !(error instanceof NoRights) : refusals.test(sqlState(error) ?? '');

async function writeOne(db: Db, run: Run, caller: RunCaller): Promise<boolean> {
  try {
    // A conflict means that a person saved the item at the same moment.
    return await writeBatch(db, run, caller, 1).catch((error) => {
      if (asAppError(error).code !== 'conflict') throw error;
      return writeBatch(db, run, caller, 1);
    });
  } catch (error) {
    if (!isOfRow(error)) throw error;
    const { code, message } = asAppError(error);
    return refuseOne(db, run, caller, code === 'forbidden' ? MAY_NOT_WRITE : code === 'unavailable' ? BREAKS_RULE : message);
  }
}

const MAY_NOT_WRITE = 'You may not write items of this type, or it links to one that you may not see.';
const BREAKS_RULE = 'The database refused a value of this row. Check it for unusual characters and very long words.';

class NoRights extends AppError {
  constructor(cause: unknown) {
    super('forbidden', NO_RIGHTS);
    this.cause = cause;
  }
}

function writeBatch(db: Db, run: Run, caller: RunCaller, most: number): Promise<boolean> {
  return db.transaction(async (tx) => {
    const locked = await lockRun(tx, run.id, 'running');
    if (!locked) throw new Cancelled();
    const permit = await heldPermit(tx, caller, run.workspaceId).catch((error) => {
      throw error instanceof AppError ? new NoRights(error) : error;
    });
    const rows = await nextRows(tx, run.id, locked.done, most, CHARACTERS_AT_ONCE);
    const last = rows.at(-1);
    if (!last) {
      await endRun(tx, run.id, 'done', null);
      await dropRows(tx, run.id);
      if (locked.blobId !== null) await deleteBlob(tx, { accountId: locked.accountId, id: locked.blobId });
      await markForecastOf(tx, run.workspaceId);
      return false;
    }
    const { counts, notes } = await writeRows(tx, locked, permit, rows);
    await noteProblems(tx, run.id, notes);
    await advance(tx, run.id, last.place, counts);
    return true;
  });
}

function refuseOne(db: Db, run: Run, caller: RunCaller, problem: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const locked = await lockRun(tx, run.id, 'running');
    if (!locked) throw new Cancelled();
    const [row] = await nextRows(tx, run.id, locked.done, 1, CHARACTERS_AT_ONCE);
    if (!row) return true;
    const itemId = await itemOfRow(tx, run, await heldPermit(tx, caller, run.workspaceId), row);
    await noteProblems(tx, run.id, [{ n: row.n, problem, refused: true, itemId }]);
    await advance(tx, run.id, row.place, { ...noCounts, refused: row.kind === 'issue' ? 1 : 0 });
    return true;
  });
}
