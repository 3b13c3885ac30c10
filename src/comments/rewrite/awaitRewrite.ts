/** Enqueues a job that rewrites a note, and waits for the result (behaviour §8.5). No transaction is open while it waits. Saves nothing. */
import { hash } from 'node:crypto';
import type { Permit } from '../../access/caller.ts';
import { withoutSlot } from '../../access/throttle/concurrency.ts';
import type { Db } from '../../database/db.ts';
import type { Request, ToolCall } from '../../operations/request.ts';
import { enqueue } from '../../queue/jobs.ts';
import { Conflict, RewriteUnavailable } from '../../values/errors.ts';
import { CHANNEL, deleteRewrite, findRewrite, hasReceipt, insertRewrite, readRewrite } from './queries.ts';

export interface Rewritten {
  body: string;
  rewriteId: number;
}

/** Throws RewriteUnavailable if rewriting fails or takes too long. The row is then deleted, so a late result is never saved. */
export async function awaitRewrite(
  db: Db,
  { accountId }: Permit,
  body: string,
  request: Request<ToolCall>,
  part?: number,
): Promise<Rewritten> {
  const id = await startOrJoin(db, accountId, body, request, part);
  const waiting = await db.listen(CHANNEL, String(id));
  try {
    let found = await readRewrite(db.pool(), id);
    if (found && (found.state === 'waiting' || found.state === 'asked') && found.leftMs > 0) {
      const told = waiting.within(found.leftMs);
      await withoutSlot(request.apart?.(told) ?? told);
      found = await readRewrite(db.pool(), id);
    }
    if (found?.state === 'done' && found.rewritten !== null) return { body: found.rewritten, rewriteId: id };
  } finally {
    waiting.end();
  }
  await deleteRewrite(db.pool(), id);
  throw new RewriteUnavailable();
}

/** Stable ids for several notes of one request, so that a retry finds each again. */
const idOfPart = (requestId: string, part: number): string => {
  const hex = hash('sha256', `${requestId} ${part}`);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
};

/** Inserts the pending row and its job in one transaction. A retry of the same request joins the existing row. */
async function startOrJoin(
  db: Db,
  accountId: number,
  body: string,
  { call: { connectionId, requestId, userId }, patienceMs = 0 }: Request<ToolCall>,
  part: number | undefined,
): Promise<number> {
  const ownId = part === undefined ? requestId : idOfPart(requestId, part);
  const started = await db.transaction(async (tx) => {
    const id = await insertRewrite(tx, { accountId, connectionId, requestId: ownId, body, waitMs: patienceMs });
    if (id === null) return null;
    // insertRewrite may have removed the row of the same request, just saved: then its receipt is the answer.
    if (await hasReceipt(tx, connectionId, requestId)) throw new RewriteUnavailable();
    await enqueue(tx, 'rewrite_note', { rewriteId: id }, { about: { account: accountId, user: userId } });
    return id;
  });
  if (started !== null) return started;
  const running = await findRewrite(db.pool(), connectionId, ownId);
  if (!running) throw new RewriteUnavailable();
  if (running.body !== body) throw new Conflict('This requestId is in use for another note. Give each change a new UUID.');
  return running.id;
}
