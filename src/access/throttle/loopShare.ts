/** How much of a minute: one person's work may take a tenth of a process's event loop (behaviour §13.15). Beyond that, and an allowance for a
 *  few expensive pieces at once, the person waits while others are served. Normal use does not reach it. */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { Unavailable } from '../../values/errors.ts';

/** Less is not counted. */
const CHEAP_MS = 2;
/** Milliseconds of waiting owed for each millisecond of work. */
const PRICE = 9;
/** Waiting that a person may owe before they wait: a third of a second of the loop. */
const ALLOWANCE_MS = 3_000;
/** Charged in advance after a wait, so that many requests of one person do not begin together. */
const EXPECTED_MS = 10;
/** Together with everything else that a write waits for, less than a request may take. */
const MOST_WAIT_MS = 5_000;
/** Owed at most beyond the allowance: a single request waits no longer, whatever the one before it cost. */
const MOST_OWED_MS = 4_000;
const MOST_KNOWN = 10_000;

/** By user, until when they owe. */
const owedUntil = new Map<number, number>();

/** By user, when their latest piece of work begins. */
const latest = new Map<number, Promise<void>>();

/** For a person who owes time: one piece of work begins in each turn of the event loop, however many are ready together. */
export async function onePerTurn(userId: number): Promise<void> {
  if ((owedUntil.get(userId) ?? 0) <= performance.now()) return;
  const mine = (latest.get(userId) ?? Promise.resolve()).then(() => nextTurn());
  latest.set(userId, mine);
  await mine;
  if (latest.get(userId) === mine) latest.delete(userId);
}

/** Waits for the person's turn. Throws Unavailable when that takes too long, or when the work is not `wanted` any more. */
export async function turnOf(userId: number, wanted = () => true, mostWaitMs = MOST_WAIT_MS): Promise<void> {
  const asked = performance.now();
  const wait = () => (owedUntil.get(userId) ?? 0) - ALLOWANCE_MS - performance.now();
  let waited = false;
  for (let left = wait(); left > 0 && wanted(); left = wait()) {
    if (performance.now() - asked + left > mostWaitMs)
      throw new Unavailable('You have sent too many expensive requests at once. Retry in a few seconds.', 5);
    await sleep(left);
    waited = true;
  }
  if (!wanted()) throw new Unavailable();
  if (waited) charge(userId, EXPECTED_MS);
}

/** Counts what the person's work took of the loop, in milliseconds. */
export function charge(userId: number, ms: number): void {
  if (ms < CHEAP_MS) return;
  const now = performance.now();
  if (owedUntil.size >= MOST_KNOWN) for (const [id, until] of owedUntil) if (until < now) owedUntil.delete(id);
  const owed = Math.max(now, owedUntil.get(userId) ?? 0) + ms * PRICE;
  owedUntil.set(userId, Math.min(owed, now + ALLOWANCE_MS + MOST_OWED_MS));
}

function counted<T>(userId: number, work: () => T): T {
  const started = performance.now();
  try {
    return work();
  } finally {
    charge(userId, performance.now() - started);
  }
}

/** Does the work in the person's turn, and counts it. */
export async function inTurn<T>(userId: number, work: () => T, wanted = () => true): Promise<T> {
  await turnOf(userId, wanted);
  await onePerTurn(userId);
  return counted(userId, work);
}

/** Does a piece of a long work, and counts it. Other requests have the loop before and after it. */
export async function piece<T>(userId: number, work: () => T): Promise<T> {
  await nextTurn();
  try {
    return counted(userId, work);
  } finally {
    await nextTurn();
  }
}
