/** Limits how many operations one credential, or all sessions of one person, run at once in this process (behaviour §13.6), so that a client
 *  that sends many requests together leaves database connections and memory to others. Further operations wait in a queue of their own. */
import { Unavailable } from '../values/errors.ts';
import type { Caller, KeyHolder } from './caller.ts';

/** Less than half of the pool's usual size. */
export const MOST_AT_ONCE = 4;
/** After this time the request has been answered 503 (behaviour §13.1): a write must not be carried out afterwards. */
const MOST_WAIT_MS = 10_000;

/** Slots in use, and what waits for one. */
interface Slots {
  used: number;
  waiting: (() => void)[];
}

const slotsByCredential = new Map<string, Slots>();

const keyOf = (caller: KeyHolder): string =>
  caller.kind === 'session' && caller.personId !== undefined ? `person ${caller.personId}` : caller.hash.toString('latin1');

function slotsOf(key: string): Slots {
  const slots = slotsByCredential.get(key) ?? { used: 0, waiting: [] };
  slotsByCredential.set(key, slots);
  return slots;
}

/** Does the work as soon as the caller's credential has a free slot. Throws Unavailable when that takes too long, or when the work is not
 *  `wanted` any more by then. Callers without a credential are not limited here: workers have limits of their own, sign-in has its
 *  limiter. */
export async function withSlot<T>(caller: Caller, work: () => Promise<T>, wanted = () => true): Promise<T> {
  if (!('hash' in caller)) return work();
  const key = keyOf(caller);
  const slots = slotsOf(key);
  let inTime = true;
  if (slots.used < MOST_AT_ONCE) slots.used++;
  else inTime = await nextSlot(slots);
  try {
    if (!inTime || !wanted()) throw new Unavailable();
    return await work();
  } finally {
    release(key, slots);
  }
}

/** Uses a slot without waiting, over the limit if need be: for a result that stays in memory after its operation, until the client has
 *  received it. Returns what frees the slot. */
export function holdSlot(caller: Caller): () => void {
  if (!('hash' in caller)) return () => {};
  const key = keyOf(caller);
  const slots = slotsOf(key);
  slots.used++;
  return () => release(key, slots);
}

/** Hands the slot to the next in the queue instead of freeing it first: nobody can take it in between. */
function release(key: string, slots: Slots): void {
  const next = slots.used <= MOST_AT_ONCE && slots.waiting.shift();
  if (next) next();
  else if (--slots.used === 0) slotsByCredential.delete(key);
}

async function nextSlot(slots: Slots): Promise<boolean> {
  const since = performance.now();
  await new Promise<void>((resolve) => slots.waiting.push(resolve));
  return performance.now() - since < MOST_WAIT_MS;
}
