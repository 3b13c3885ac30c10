/** One user's work may take a tenth of the event loop (behaviour §13.15). Above that and an allowance, the user waits. */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { Unavailable } from '../../values/errors.ts';

const CHEAP_MS = 2;
/** Milliseconds of debt for each millisecond of work. */
const PRICE = 9;
/** Debt that a user may have before they wait. Equals a third of a second of work, because each ms costs PRICE. */
const ALLOWANCE_MS = 3_000;
/** Charged in advance after a wait, so that many requests of one user do not start together. */
const EXPECTED_MS = 10;
const MOST_WAIT_MS = 5_000;
/** Limit of the debt above the allowance, so the longest wait of a single request in ms. */
const MOST_OWED_MS = 4_000;
const MOST_KNOWN = 10_000;

/** By user id, the time at which the debt is paid (performance.now()). */
const owedUntil = new Map<number, number>();

/** Start time of the latest piece of work, by user id. */
const latest = new Map<number, Promise<void>>();

/** True if the user has to wait before their next work. */
export const mustWait = (userId: number): boolean => (owedUntil.get(userId) ?? 0) - ALLOWANCE_MS > performance.now();

/** If the user has a debt, starts only one piece of their work in each turn of the event loop. */
export async function awaitOwnTurn(userId: number): Promise<void> {
  if ((owedUntil.get(userId) ?? 0) <= performance.now()) return;
  const mine = (latest.get(userId) ?? Promise.resolve()).then(() => nextTurn());
  latest.set(userId, mine);
  await mine;
  if (latest.get(userId) === mine) latest.delete(userId);
}

/** Waits until the debt is within the allowance. Throws Unavailable if that takes too long or the work is no longer `wanted`. */
export async function turnOf(userId: number, wanted = () => true, mostWaitMs = MOST_WAIT_MS): Promise<void> {
  const asked = performance.now();
  const wait = () => (owedUntil.get(userId) ?? 0) - ALLOWANCE_MS - performance.now();
  let waited = false;
  for (let left = wait(); left > 0 && wanted(); left = wait()) {
    if (performance.now() - asked + left > mostWaitMs)
      throw new Unavailable('You have sent too many expensive requests at once. Retry in a few seconds.', 5);
    // Timers drop fractions: waking early would let later requests go first.
    await sleep(Math.ceil(left));
    waited = true;
  }
  if (!wanted()) throw new Unavailable();
  if (waited) charge(userId, EXPECTED_MS);
}

export function charge(userId: number, ms: number): void {
  if (ms < CHEAP_MS) return;
  const now = performance.now();
  if (owedUntil.size >= MOST_KNOWN) for (const [id, until] of owedUntil) if (until < now) owedUntil.delete(id);
  const owed = Math.max(now, owedUntil.get(userId) ?? 0) + ms * PRICE;
  owedUntil.set(userId, Math.min(owed, now + ALLOWANCE_MS + MOST_OWED_MS));
}

/** CPU time of this thread in ms. A clock would also count the time in which a busy machine runs other processes. */
export function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** Charges the user for the time that the work takes. */
export function runCharged<T>(userId: number, work: () => T): T {
  const started = threadMs();
  try {
    return work();
  } finally {
    charge(userId, threadMs() - started);
  }
}

/** Runs one piece of long work and charges it. Lets the event loop serve other requests before and after. */
export async function runPiece<T>(userId: number, work: () => T): Promise<T> {
  await nextTurn();
  try {
    return runCharged(userId, work);
  } finally {
    await nextTurn();
  }
}
