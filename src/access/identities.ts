/** Whose a credential is. It never changes hands, so this may be remembered; whether it still works is asked on every call, by the
 *  statement that acts for it. */
import { LRUCache } from 'lru-cache';
import type { Db } from '../database/db.ts';
import type { KeyHolder } from './caller.ts';
import { identify } from './identify.ts';

export interface Identity {
  accountId: number;
  userId: number;
  credentialId: number;
  /** For logs: `key 7`, `agent 3`, `session 12`. */
  credential: string;
}

const MOST = 10_000;

export class Identities {
  readonly #db: Db;
  readonly #known = new LRUCache<string, Identity>({ max: MOST });

  constructor(db: Db) {
    this.#db = db;
  }

  /** Whose it is; `fresh`: it was found to work just now. Throws Unauthenticated. */
  async find(caller: KeyHolder): Promise<{ identity: Identity; fresh: boolean }> {
    const known = this.remembered(caller);
    if (known) return { identity: known, fresh: false };
    const identity = await this.check(caller);
    this.#known.set(keyOf(caller), identity);
    return { identity, fresh: true };
  }

  /** Whose it was when it was seen to work; asks nobody. */
  remembered(caller: KeyHolder): Identity | undefined {
    return this.#known.get(keyOf(caller));
  }

  /** Asks the database. Throws Unauthenticated. */
  async check(caller: KeyHolder): Promise<Identity> {
    const { account_id: accountId, user_id: userId, credential_id: id } = await identify(this.#db, caller);
    return { accountId, userId, credentialId: id!, credential: `${caller.kind} ${id}` };
  }
}

const keyOf = ({ kind, hash }: KeyHolder): string => kind + hash.toString('latin1');
