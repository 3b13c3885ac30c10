/** Reads the credential from the raw headers, because Node and Koa merge repeated headers into one (behaviour §5.4). */

import type { Db } from '../database/db.ts';
import { Unauthenticated } from '../values/errors.ts';
import type { Caller, KeyHolder, SessionCaller } from './caller.ts';
import { type AgentClient, authenticate, setClients, touchCredentials } from './queries.ts';
import { hashSecret } from './secrets.ts';

export const SESSION_COOKIE = 'JSESSIONID';
/** Same value as the session cookie. A sibling site can't set it: browsers accept a `__Host-` cookie only from this very host. */
export const COMPANION_COOKIE = `__Host-${SESSION_COOKIE}`;

interface Presented {
  authorization: string[];
  apiKey: string[];
  cookie: string[];
}

/** All values of a header. `name`: in lower case. */
export function headerValues(rawHeaders: readonly string[], name: string): string[] {
  const isNamed = (given = '') => given.length === name.length && given.toLowerCase() === name;
  return rawHeaders.filter((_value, at) => at % 2 === 1 && isNamed(rawHeaders[at - 1]));
}

const presented = (rawHeaders: readonly string[]): Presented => ({
  authorization: headerValues(rawHeaders, 'authorization'),
  apiKey: headerValues(rawHeaders, 'x-api-key'),
  cookie: headerValues(rawHeaders, 'cookie'),
});

const keyInQuery = /stint_(?:rest|agent)_|(?:^|&)(?:x-)?(?:api[-_]?key|key|token|access_token|authorization)=/i;

/** The key from exactly one header, or null. Throws Unauthenticated for two keys, a key in the URL or an unknown scheme. */
function presentedKey({ authorization, apiKey }: Presented, querystring: string, scheme: 'ApiKey' | 'Bearer'): string | null {
  if (querystring && keyInQuery.test(querystring)) {
    throw new Unauthenticated('This key was sent in a URL, where it is logged. Rotate it, and send the new key in a header.');
  }
  if (authorization.length + apiKey.length > 1) {
    throw new Unauthenticated(`Send exactly one credential header: either X-API-Key or Authorization: ${scheme}, once.`);
  }
  const [header] = apiKey.length ? apiKey : authorization.map((value) => schemeless(value, scheme));
  if (header === undefined) return null;
  if (header === '') throw new Unauthenticated(`Send the key as X-API-Key: <key> or as Authorization: ${scheme} <key>.`);
  return header;
}

function schemeless(value: string, scheme: string): string {
  const space = value.indexOf(' ');
  return value.slice(0, space).toLowerCase() === scheme.toLowerCase() ? value.slice(space + 1).trim() : '';
}

/** The possible callers of a REST request: a key header, or else the session cookies. With a key, cookies are ignored. */
export function restCallers(
  rawHeaders: readonly string[],
  querystring: string,
  companions: boolean,
): (Caller & { kind: 'key' }) | SessionCaller[] {
  const found = presented(rawHeaders);
  const key = presentedKey(found, querystring, 'ApiKey');
  if (key) return { kind: 'key', hash: hashSecret(key) };
  const sessions = sessionsOf(found.cookie, companions);
  if (sessions.length) return sessions.map((caller) => ({ ...caller, over: 'rest' }));
  throw new Unauthenticated(
    'Send a REST key as X-API-Key: <key> or Authorization: ApiKey <key>; an account owner creates one under Settings, API keys.',
  );
}

export function agentCaller(rawHeaders: readonly string[], querystring: string): Caller & { kind: 'agent' } {
  const key = presentedKey(presented(rawHeaders), querystring, 'Bearer');
  if (key) return { kind: 'agent', hash: hashSecret(key) };
  throw new Unauthenticated(
    'Send your agent key as Authorization: Bearer <key>; create one on the page /mcp-access. OAuth is not supported.',
  );
}

const MOST_COOKIES = 4;

/** Several callers if a sibling site has set a cookie. `companions`: a companion cookie limits them to sessions with its value. */
export function sessionsOf(cookieHeaders: readonly string[], companions: boolean): SessionCaller[] {
  const pairs = cookieHeaders.flatMap((header) => header.split(';')).map((pair) => pair.trim());
  const valuesOf = (name: string) =>
    new Set(pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1)));
  const bound = companions ? valuesOf(COMPANION_COOKIE) : new Set();
  const values = [...valuesOf(SESSION_COOKIE)].filter((value) => value !== '' && (bound.size === 0 || bound.has(value)));
  return values.length > MOST_COOKIES ? [] : values.map((value) => ({ kind: 'session', hash: hashSecret(value) }));
}

export const identify = (db: Db, caller: Caller) => authenticate(db.pool(), caller);

/** When each credential was last used. Collected in memory and written in batches, so a read request does not write (behaviour §3.27). */
const tables = { key: 'rest_keys', agent: 'connections', session: 'sessions' } as const;
const FLUSH_MS = 1_000;

export class LastUse {
  readonly #db: Db;
  #seen = new Map<string, KeyHolder>();
  #clients = new Map<string, AgentClient>();
  #timer: NodeJS.Timeout | undefined;

  constructor(db: Db) {
    this.#db = db;
  }

  note(caller: Caller): void {
    if (!('hash' in caller)) return;
    const key = caller.kind + caller.hash.toString('latin1');
    if (this.#seen.has(key)) return;
    this.#seen.set(key, caller);
    this.#timer ??= setTimeout(() => void this.flush().catch(() => {}), FLUSH_MS).unref();
  }

  /** Call `note` as well. `names`: true if the message may name its client. `read` is slow, so it runs at most once a second, or again for
   *  a name. */
  noteClient({ hash }: KeyHolder, names: boolean, read: () => Omit<AgentClient, 'hash'>): void {
    const key = hash.toString('base64');
    const known = this.#clients.get(key);
    if (known === undefined || (names && !known.named)) this.#clients.set(key, { ...read(), hash: key });
  }

  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const callers = [...this.#seen.values()];
    const clients = [...this.#clients.values()];
    this.#seen = new Map();
    this.#clients = new Map();
    for (const kind of ['key', 'agent', 'session'] as const) {
      const hashes = callers.filter((caller) => caller.kind === kind).map((caller) => caller.hash);
      if (hashes.length) await touchCredentials(this.#db.pool(), tables[kind], hashes);
    }
    if (clients.length) await setClients(this.#db.pool(), clients);
  }
}
