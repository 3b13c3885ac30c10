/** The job that carries out due erasures for some seconds. Each step commits alone, and the next job continues from there. */
import type { Db } from '../database/db.ts';
import { anyDue, dueWithAccount, type Erasure, endErasure, enqueueErasing, savePlace, takeDue } from './queries.ts';
import { rowsOfAccount, rowsOfWorkspace } from './rowQueries.ts';
import type { Step } from './stepQueries.ts';
import { stepsOfUser } from './traceQueries.ts';

const LONGEST_MS = 5_000;

export async function eraseDue(db: Db, signal?: AbortSignal): Promise<void> {
  const erasure = await takeDue(db.pool());
  if (!erasure) return;
  if (erasure.subject !== 'account' || !(await dueWithAccount(db.pool(), erasure.accountId))) await carryOut(db, erasure, signal);
  if (await anyDue(db.pool())) await enqueueErasing(db.pool());
}

const stepsOf: Record<Erasure['subject'], (erasure: Erasure) => Step[]> = {
  user: stepsOfUser,
  workspace: ({ accountId, id }) => rowsOfWorkspace(accountId, id),
  account: ({ id }) => rowsOfAccount(id),
};

async function carryOut(db: Db, erasure: Erasure, signal?: AbortSignal): Promise<void> {
  const end = performance.now() + LONGEST_MS;
  const steps = stepsOf[erasure.subject](erasure);
  let { step, nextId } = erasure;
  while (step < steps.length) {
    if (signal?.aborted || performance.now() > end) return savePlace(db.pool(), erasure, step, nextId);
    const next = await steps[step]!(db.pool(), nextId);
    nextId = next ?? 0;
    if (next === null) step++;
  }
  await endErasure(db.pool(), erasure);
}
