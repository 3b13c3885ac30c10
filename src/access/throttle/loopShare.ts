/** While others use the event loop too, one user's work may take half of it in short steps, and a tenth in long ones (behaviour §13.15). Above
 *  that and an allowance, the user waits. */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { RateLimited, Unavailable } from '../../values/errors.ts';
import { meteredBy, type Payer, threadMs } from '../../values/meter.ts';
import type { Owner } from '../caller.ts';

/** Milliseconds of debt for each millisecond of work. Others notice long steps, because they wait for their end. */
const PRICE = { shortStep: 1, longStep: 9 };
const LONG_STEP_MS = 30;
/** A user is alone if no other one has been charged for this time. */
const ALONE_MS = 2_000;
/** Debt that a user may have before they wait. Equals a third of a second of long steps. */
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

/** If the user has a debt, starts only one piece of their work in each turn of the event loop. */
export async function awaitOwnTurn(userId: number): Promise<void> {
  if ((owedUntil.get(userId) ?? 0) <= performance.now()) return;
  const mine = (latest.get(userId) ?? Promise.resolve()).then(() => nextTurn());
  latest.set(userId, mine);
  await mine;
  if (latest.get(userId) === mine) latest.delete(userId);
}

/** Waits until the debt is within the allowance. Throws RateLimited if that takes too long, Unavailable if the work is no
 *  longer `wanted`. */
export async function turnOf(userId: number, wanted = () => true, mostWaitMs = MOST_WAIT_MS): Promise<void> {
  const asked = performance.now();
  const wait = () => (isAlone(userId) ? 0 : (owedUntil.get(userId) ?? 0) - ALLOWANCE_MS - performance.now());
  let waited = false;
  for (let left = wait(); left > 0 && wanted(); left = wait()) {
    if (performance.now() - asked + left > mostWaitMs)
      throw new RateLimited(5, 'You have sent too many expensive requests at once. Wait 5 s, then try again.');
    // Timers drop fractions: waking early would let later requests go first.
    await sleep(Math.ceil(left));
    waited = true;
  }
  if (!wanted()) throw new Unavailable();
  if (waited) charge(userId, EXPECTED_MS);
}

function debtOf(ms: number): number {
  const { shortStep, longStep } = PRICE;
  return ms * (shortStep + (longStep - shortStep) * Math.min(1, ms / LONG_STEP_MS));
}

/** The user charged last, and when; and when another one was. */
const last = { userId: 0, at: Number.NEGATIVE_INFINITY, otherAt: Number.NEGATIVE_INFINITY };

function isAlone(userId: number): boolean {
  const otherAt = userId === last.userId ? last.otherAt : last.at;
  return performance.now() - otherAt > ALONE_MS;
}

export function charge(userId: number, ms: number, debt = debtOf(ms)): void {
  const now = performance.now();
  if (userId !== last.userId) Object.assign(last, { userId, otherAt: last.at });
  last.at = now;
  if (owedUntil.size >= MOST_KNOWN) for (const [id, until] of owedUntil) if (until < now) owedUntil.delete(id);
  const owed = Math.max(now, owedUntil.get(userId) ?? 0) + debt;
  owedUntil.set(userId, Math.min(owed, now + ALLOWANCE_MS + MOST_OWED_MS));
}

/** Charges the user for all steps of the work. Visitors and jobs have no owner and are not charged. */
export const metered = <T>(owner: Owner | undefined, work: () => Promise<T>): Promise<T> =>
  owner ? meteredBy(payerFor(owner.userId), work) : work();

/** A helper thread's time costs as much as short steps: it uses a core, but others wait for turns on the thread, not for the event loop. */
const payerFor = (userId: number): Payer => ({
  charge: (ms) => charge(userId, ms),
  chargeThread: (ms) => charge(userId, ms, ms),
  turn: () => awaitOwnTurn(userId),
});

/** Runs one piece of long work and charges it. Lets the event loop serve other requests before and after. */
export async function runPiece<T>(userId: number, work: () => T): Promise<T> {
  await nextTurn();
  const started = threadMs();
  try {
    return work();
  } finally {
    charge(userId, threadMs() - started);
    await nextTurn();
  }
}
