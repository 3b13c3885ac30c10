/** The job that undoes an import: archives what the run created and no one has changed since (behaviour §36.27). */
import type { Permit } from '../../access/caller.ts';
import type { Db, Tx } from '../../database/db.ts';
import { setArchived } from '../../items/writeQueries.ts';
import { markForecastOf } from '../../queue/jobs.ts';
import { AppError, Forbidden } from '../../values/errors.ts';
import { endRun, heldPermit, lockRun, readRun } from './runQueries.ts';
import { callerOf, type Run, type RunCaller } from './schema.ts';
import { forget, type Made, nextMade, noteKept, passUndone } from './undoQueries.ts';

const ITEMS_AT_ONCE = 100;
const NO_RIGHTS = 'The person who started the undo may not delete all of these items. An owner of the workspace can start it again.';

/** Does nothing unless an undo is under way. Each batch leaves the run in its transaction, so none is undone twice. */
export async function undoImport(db: Db, importId: number, signal: AbortSignal): Promise<void> {
  const run = await readRun(db.pool(), importId);
  if (run?.state !== 'undoing') return;
  const caller = callerOf(run);
  try {
    while (await db.transaction((tx) => undoNext(tx, run, caller))) signal.throwIfAborted();
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'unavailable') throw error;
    await db.transaction((tx) => endRun(tx, run.id, 'done', error.code === 'conflict' ? error.message : NO_RIGHTS));
  }
}

export async function giveUpUndo(db: Db, importId: number): Promise<void> {
  const run = await readRun(db.pool(), importId);
  if (run?.state !== 'undoing') return;
  await db.transaction((tx) => endRun(tx, run.id, 'done', 'The server stopped several times during the undo. Start it again to continue.'));
}

async function undoNext(tx: Tx, { id, workspaceId }: Run, caller: RunCaller): Promise<boolean> {
  const run = await lockRun(tx, id, 'undoing');
  if (!run) return false;
  const permit = await heldPermit(tx, caller, workspaceId);
  const made = await nextMade(tx, permit, run, ITEMS_AT_ONCE);
  if (made.length === 0) {
    await endRun(tx, id, 'undone', null);
    await markForecastOf(tx, workspaceId);
    return false;
  }
  await undoItems(tx, permit, run, made);
  await passUndone(tx, id, made.length);
  return true;
}

async function undoItems(tx: Tx, permit: Permit, run: Run, made: readonly Made[]): Promise<void> {
  const removed = new Set<number>();
  const kept: { id: number; key: string | null; problem: string }[] = [];
  for (const item of made) {
    const reason = reasonToKeep(item, removed);
    if (reason === null) removed.add(item.id);
    else kept.push({ id: item.id, key: item.key, problem: `Kept item ${item.id}: ${reason}` });
  }
  const archived = made.filter(({ id, shown }) => removed.has(id) && shown);
  if (archived.length > 0 && !(await setArchived(tx, permit, archived, true))) throw new Forbidden();
  await forget(
    tx,
    run,
    [...removed],
    kept.map(({ id }) => id),
  );
  if (kept.length > 0) await noteKept(tx, run, run.done, kept);
}

/** One sentence for all that was found, because the person may not see the comments, the time or the items below. */
function reasonToKeep({ readable, changed, used, below }: Made, removed: ReadonlySet<number>): string | null {
  if (!readable) return 'the person who started the undo may not see it.';
  return changed || used || below.some((id) => !removed.has(id))
    ? 'since the import it was changed, or got comments, time or items below it.'
    : null;
}
