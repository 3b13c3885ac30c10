/** Whose a credential is. It never changes hands, so this may be remembered; whether it still works is asked on every call, by the
 *  statement that acts for it. */
import { LRUCache } from 'lru-cache';
import type { Db } from '../database/db.ts';
import { Unauthenticated } from '../values/errors.ts';
import type { KeyHolder, SessionCaller } from './caller.ts';
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

  /** The session that a request with these counts as, and whose it is. Null where none works, or where those that work are of different
   *  people: a sibling site may have planted one (behaviour §12.30). */
  async session<One extends SessionCaller>(callers: readonly One[]): Promise<One | null> {
    const good: (One & { personId: number })[] = [];
    for (const caller of callers) {
      // The statement that acts for a single one checks it.
      const identity = await absentAsNull(callers.length > 1 ? this.check(caller) : this.find(caller).then((found) => found.identity));
      if (identity) good.push({ ...caller, personId: identity.userId });
    }
    const [first] = good;
    return first && good.every(({ personId }) => personId === first.personId) ? first : null;
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

const absentAsNull = (found: Promise<Identity>): Promise<Identity | null> =>
  found.catch((error) => {
    if (error instanceof Unauthenticated) return null;
    throw error;
  });

const keyOf = ({ kind, hash }: KeyHolder): string => kind + hash.toString('latin1');
