/** Who a caller is, for faces that have to know before they run an operation: whether to tell what is wrong with a request, and whose it is. */
import type { Db } from '../database/db.ts';
import { Unauthenticated } from '../values/errors.ts';
import type { Caller } from './caller.ts';
import { authenticate } from './queries.ts';

/** The first of the callers whose credential is good; the last when none is, for what comes to refuse it. */
export async function firstGood<One extends Caller>(db: Db, callers: readonly [One, ...One[]]): Promise<One> {
  for (const caller of callers.slice(0, -1)) {
    const good = await identify(db, caller).then(
      () => true,
      (error) => {
        if (error instanceof Unauthenticated) return false;
        throw error;
      },
    );
    if (good) return caller;
  }
  return callers.at(-1)!;
}

/** Throws Unauthenticated. */
export const identify = (db: Db, caller: Caller) => authenticate(db.pool(), caller);
