/** The owner of a credential. It never changes, so it may be cached. Whether the credential still works is checked in every statement. */
import { LRUCache } from 'lru-cache';
import type { Db } from '../database/db.ts';
import { CredentialRefused, Unauthenticated } from '../values/errors.ts';
import type { KeyHolder, Owner, SessionCaller } from './caller.ts';
import { identify } from './presented.ts';

export interface Identity extends Owner {
  credentialId: number;
  credential: string;
}

const MOST = 10_000;

export class Identities {
  readonly #db: Db;
  readonly #known = new LRUCache<string, Identity>({ max: MOST });

  constructor(db: Db) {
    this.#db = db;
  }

  /** `fresh`: the database has just confirmed that the credential works. Throws Unauthenticated. */
  async find(caller: KeyHolder): Promise<{ identity: Identity; fresh: boolean }> {
    const known = this.remembered(caller);
    if (known) return { identity: known, fresh: false };
    const identity = await this.check(caller);
    this.#known.set(keyOf(caller), identity);
    return { identity, fresh: true };
  }

  /** The session of a request with these cookies. Null if no session is valid, or if they belong to different users (behaviour §12.30). */
  async session<One extends SessionCaller>(callers: readonly One[]): Promise<(One & { owner: Owner }) | null> {
    const good: (One & { owner: Owner })[] = [];
    for (const caller of callers) {
      // A single session needs no check here: the statement that acts for it checks it.
      const identity = await absentAsNull(callers.length > 1 ? this.check(caller) : this.find(caller).then((found) => found.identity));
      if (identity) good.push({ ...caller, owner: identity });
    }
    const [first] = good;
    return first && good.every(({ owner }) => owner.userId === first.owner.userId) ? first : null;
  }

  /** The cached owner, without a query. The credential may have been revoked since. */
  remembered(caller: KeyHolder): Identity | undefined {
    return this.#known.get(keyOf(caller));
  }

  async check(caller: KeyHolder): Promise<Identity> {
    const { account_id: accountId, user_id: userId, credential_id: id } = await identify(this.#db, caller);
    if (id === null) throw new CredentialRefused();
    return { accountId, userId, credentialId: id, credential: `${caller.kind} ${id}` };
  }
}

const absentAsNull = (found: Promise<Identity>): Promise<Identity | null> =>
  found.catch((error) => {
    if (error instanceof Unauthenticated) return null;
    throw error;
  });

const keyOf = ({ kind, hash }: KeyHolder): string => kind + hash.toString('latin1');
