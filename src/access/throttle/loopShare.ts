/** One user's work may take half of an idle event loop, and a tenth of a busy one (behaviour §13.15). Above that and an allowance, the user
 *  waits. */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { RateLimited, Unavailable } from '../../values/errors.ts';
import { meteredBy, threadMs } from '../../values/meter.ts';
import type { Owner } from '../caller.ts';

/** Milliseconds of debt for each millisecond of work. */
const PRICE = { idle: 1, busy: 9 };
/** The loop is busy if all users' work has taken half of it, averaged over about this time. */
const LOAD_MS = 10_000;
const BUSY = 0.5;
/** Debt that a user may have before they wait. Equals a third of a second of work when the loop is busy. */
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
  const wait = () => (owedUntil.get(userId) ?? 0) - ALLOWANCE_MS - performance.now();
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

/** Milliseconds of all users' work, fading over LOAD_MS. */
const load = { ms: 0, at: 0 };

function priceAfter(ms: number, now: number): number {
  load.ms = load.ms * Math.exp((load.at - now) / LOAD_MS) + ms;
  load.at = now;
  return load.ms > BUSY * LOAD_MS ? PRICE.busy : PRICE.idle;
}

export function charge(userId: number, ms: number): void {
  const now = performance.now();
  if (owedUntil.size >= MOST_KNOWN) for (const [id, until] of owedUntil) if (until < now) owedUntil.delete(id);
  const owed = Math.max(now, owedUntil.get(userId) ?? 0) + ms * priceAfter(ms, now);
  owedUntil.set(userId, Math.min(owed, now + ALLOWANCE_MS + MOST_OWED_MS));
}

/** Charges the user for all steps of the work. Visitors and jobs have no owner and are not charged. */
export const metered = <T>(owner: Owner | undefined, work: () => Promise<T>): Promise<T> =>
  owner ? meteredBy({ charge: (ms) => charge(owner.userId, ms), turn: () => awaitOwnTurn(owner.userId) }, work) : work();

/** Charges the user for the time that the work takes. */
function runCharged<T>(userId: number, work: () => T): T {
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
