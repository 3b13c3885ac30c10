/** Which connection a key belongs to. A key never changes hands, so this may be remembered; whether it still works is asked on every
 *  call, by the statement that acts for it. */
import { LRUCache } from 'lru-cache';
import type { Caller } from '../access/caller.ts';
import { identify } from '../access/identify.ts';
import type { Db } from '../database/db.ts';

export interface Identity {
  accountId: number;
  userId: number;
  connectionId: number;
}

type Agent = Caller & { kind: 'agent' };

const MOST = 10_000;

export class Identities {
  readonly #db: Db;
  readonly #known = new LRUCache<string, Identity>({ max: MOST });

  constructor(db: Db) {
    this.#db = db;
  }

  /** The connection of a key; `fresh`: it was found to work just now. Throws Unauthenticated. */
  async find(caller: Agent): Promise<{ identity: Identity; fresh: boolean }> {
    const key = caller.hash.toString('latin1');
    const known = this.#known.get(key);
    if (known) return { identity: known, fresh: false };
    const identity = await this.check(caller);
    this.#known.set(key, identity);
    return { identity, fresh: true };
  }

  /** Asks the database. Throws Unauthenticated. */
  async check(caller: Agent): Promise<Identity> {
    const { account_id: accountId, user_id: userId, credential_id: connectionId } = await identify(this.#db, caller);
    return { accountId, userId, connectionId: connectionId! };
  }
}
