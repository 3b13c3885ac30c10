import type { Db } from '../database/db.ts';
import type { Caller } from './caller.ts';
import { authenticate } from './queries.ts';

export const identify = (db: Db, caller: Caller) => authenticate(db.pool(), caller);
