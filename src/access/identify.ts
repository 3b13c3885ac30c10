/** Who a caller is, for faces that have to know before they run an operation: whether to tell what is wrong with a request, and whose it is. */
import type { Db } from '../database/db.ts';
import type { Caller } from './caller.ts';
import { authenticate } from './queries.ts';

/** Throws Unauthenticated. */
export const identify = (db: Db, caller: Caller) => authenticate(db.pool(), caller);
