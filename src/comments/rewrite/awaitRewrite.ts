/** Enqueues jobs that rewrite the notes of a request, and waits for the results (behaviour §8.5). No transaction is open while it waits. Saves nothing. */
import { hash } from 'node:crypto';
import type { Permit } from '../../access/caller.ts';
import { type Slots, slotsOf, withoutSlot } from '../../access/throttle/concurrency.ts';
import type { Db } from '../../database/db.ts';
import type { Request, ToolCall } from '../../operations/request.ts';
import { enqueueAll } from '../../queue/jobs.ts';
import { Conflict, RateLimited, RewriteUnavailable, Unavailable } from '../../values/errors.ts';
import { CHANNEL, countWaiting, deleteRewrites, findRewrites, hasReceipt, insertRewrites, readRewrite } from './queries.ts';

export interface Rewritten {
  body: string;
  rewriteId: number;
}

/** `part`: index among several notes of one request. */
export interface Note {
  body: string;
  part?: number;
}

/** Requests of a person that wait for the model at the same time in this process. Others wait for them. */
const MOST_AT_ONCE = 4;
const MOST_IN_LINE = 12;
const byPerson = new Map<number, Slots>();

const ofPerson = (userId: number): Slots =>
  slotsOf(byPerson, userId, {
    concurrent: MOST_AT_ONCE,
    mostWaiting: MOST_IN_LINE,
    refusal: () => new RateLimited(5, 'Too many notes are waiting to be rewritten. Wait 5 s, then try again.'),
  });

/** Returns the notes in the given order. Throws RewriteUnavailable if rewriting one fails or takes too long. All rows are then deleted, so
 *  a late result is never saved. Throws RateLimited if too many requests of the person wait. */
export async function awaitRewrites(db: Db, permit: Permit, notes: readonly Note[], request: Request<ToolCall>): Promise<Rewritten[]> {
  const slots = ofPerson(request.call.userId);
  await (slots.isFull ? withoutSlot(slots.take()) : slots.take());
  try {
    if (request.wanted?.() === false) throw new Unavailable();
    const ids = await startOrJoin(db, permit.accountId, notes, request);
    const done: Rewritten[] = [];
    for (const rewriteId of ids) {
      const body = await resultOf(db, rewriteId, request);
      if (body === null) {
        await deleteRewrites(db.pool(), ids);
        throw new RewriteUnavailable();
      }
      done.push({ body, rewriteId });
    }
    return done;
  } finally {
    slots.release();
  }
}

/** Null if rewriting failed or took too long. */
async function resultOf(db: Db, id: number, request: Request<ToolCall>): Promise<string | null> {
  const waiting = await db.listen(CHANNEL, String(id));
  try {
    let found = await readRewrite(db.pool(), id);
    if (found && (found.state === 'waiting' || found.state === 'asked') && found.leftMs > 0) {
      const told = waiting.within(found.leftMs);
      await withoutSlot(request.apart?.(told) ?? told);
      found = await readRewrite(db.pool(), id);
    }
    return found?.state === 'done' ? found.rewritten : null;
  } finally {
    waiting.end();
  }
}

/** Stable ids for several notes of one request, so that a retry finds each again. */
const idOfPart = (requestId: string, part: number): string => {
  const hex = hash('sha256', `${requestId} ${part}`);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
};

/** Inserts the pending rows and their jobs in one transaction. A retry of the same request joins the existing rows. People take turns: the
 *  n-th waiting note of a person has priority n. Returns ids in the order of the notes. */
function startOrJoin(
  db: Db,
  accountId: number,
  notes: readonly Note[],
  { call: { connectionId, requestId, userId }, patienceMs = 0 }: Request<ToolCall>,
): Promise<number[]> {
  const wanted = notes.map(({ body, part }) => ({ requestId: part === undefined ? requestId : idOfPart(requestId, part), body }));
  return db.transaction(async (tx) => {
    const before = await countWaiting(tx, accountId, userId);
    const started = await insertRewrites(tx, { accountId, connectionId, waitMs: patienceMs, notes: wanted });
    // insertRewrites may have removed rows of the same request, just saved: then its receipt is the answer.
    if (started.length > 0 && (await hasReceipt(tx, connectionId, requestId))) throw new RewriteUnavailable();
    const about = { account: accountId, user: userId };
    await enqueueAll(
      tx,
      started.map((rewriteId, n) => ({ name: 'rewrite_note', payload: { rewriteId }, priority: before + n + 1, about })),
    );
    const found = new Map((await findRewrites(tx, connectionId, wanted)).map((one) => [one.requestId, one]));
    return wanted.map((note) => {
      const running = found.get(note.requestId);
      if (!running) throw new RewriteUnavailable();
      if (running.body !== note.body) throw new Conflict('This requestId is in use for another note. Give each change a new UUID.');
      return running.id;
    });
  });
}
