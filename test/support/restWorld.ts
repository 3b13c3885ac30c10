/** The REST API over a database, with people, workspaces and keys inserted by SQL. Every answer is checked against the document. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { grants as allGrants, type Grant, rightsOfGrants } from '../../src/access/rights.ts';
import { newSecret } from '../../src/access/secrets.ts';
import { answerChecker, checkedFetch } from './checkedFetch.ts';
import { Visitor } from './visitor.ts';
import { startWeb } from './world.ts';

// biome-ignore lint/suspicious/noExplicitAny: bodies are JSON, looked into freely
type Json = any;

export interface Answer {
  status: number;
  /** X-Error-Code, or null. */
  code: string | null;
  body: Json;
  headers: Headers;
}

export interface Api {
  /** The address with its context path and /api/v1. */
  base: string;
  port: number;
  document: Json;
  fetch: typeof fetch;
  check: ReturnType<typeof answerChecker>;
  close(): Promise<void>;
}

/** The web application in this process on a free port. `settings` are environment variables. */
export async function startApi(databaseUrl: string, settings: Record<string, string> = {}): Promise<Api> {
  const web = await startWeb(databaseUrl, settings);
  const base = `${web.baseUrl}/api/v1`;
  const document = await fetch(`${base}/openapi.json`, { headers: { 'X-Forwarded-Proto': 'https' } }).then((answer) => answer.json());
  const port = Number(new URL(base).port);
  return { base, port, document, fetch: checkedFetch(document, base), check: answerChecker(document), close: web.stop };
}

export interface Client {
  get(path: string, query?: Record<string, string | number>, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** POST /items/save, expecting 200. */
  save(record: Json): Promise<Json>;
}

/** Calls with one key. Fills in an omitted `workspaceId`. */
export function clientOf(api: Api, key: string, workspaceId: number): Client {
  const call = async (target: string, init: RequestInit): Promise<Answer> => {
    const answer = await api.fetch(api.base + target, { ...init, headers: { 'X-API-Key': key, ...init.headers } });
    const text = await answer.text();
    return {
      status: answer.status,
      code: answer.headers.get('x-error-code'),
      body: text ? JSON.parse(text) : null,
      headers: answer.headers,
    };
  };
  const search = (path: string, query: Record<string, string | number>) => {
    const takesWorkspace = api.document.paths[path]?.get?.parameters.some(({ name }: Json) => name === 'workspaceId');
    const pairs = Object.entries({ ...(takesWorkspace ? { workspaceId } : {}), ...query });
    return pairs.length === 0 ? '' : `?${pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`;
  };
  const post: Client['post'] = (path, body, headers) =>
    call(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify({ workspaceId, ...(body as object) }),
    });
  return {
    get: (path, query = {}, headers = {}) => call(`${path}${search(path, query)}`, { headers }),
    post,
    async save(record) {
      const answer = await post('/items/save', { record });
      if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)} to ${JSON.stringify(record)}`);
      return answer.body;
    },
  };
}

const kept = ['accounts', 'users', 'workspaces', 'memberships', 'statuses', 'priorities', 'items', 'comments', 'capacity_marks'];

/** People, workspaces, items and keys as rows. */
export class Fixtures {
  readonly #pool: pg.Pool;
  #count = 0;

  constructor(databaseUrl: string) {
    this.#pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
    // The file's database may stop before this is closed.
    this.#pool.on('error', () => {});
  }

  close(): Promise<void> {
    return this.#pool.end();
  }

  async sql(text: string, values: unknown[] = []): Promise<Json[]> {
    return (await this.#pool.query(text, values)).rows;
  }

  async #insert(text: string, values: unknown[]): Promise<number> {
    return Number((await this.sql(`${text} returning id`, values))[0].id);
  }

  account(): Promise<number> {
    return this.#insert('insert into accounts (name) values ($1)', [`Account ${++this.#count}`]);
  }

  user(accountId: number, name = `Person ${++this.#count}`, active = true): Promise<number> {
    const email = `${randomUUID()}@example.org`;
    return this.#insert('insert into users (account_id, email, name, active) values ($1, $2, $3, $4)', [accountId, email, name, active]);
  }

  workspace(accountId: number, name = `Workspace ${++this.#count}`): Promise<number> {
    return this.#insert('insert into workspaces (account_id, name) values ($1, $2)', [accountId, name]);
  }

  async member(workspaceId: number, userId: number, role = 'owner', overrides: Record<string, string> = {}): Promise<void> {
    await this.sql(
      `insert into memberships (account_id, workspace_id, user_id, role, overrides)
       select account_id, id, $2, $3, $4 from workspaces where id = $1`,
      [workspaceId, userId, role, overrides],
    );
  }

  /** A REST key of the user. */
  async key(userId: number, grants: readonly Grant[] = allGrants, expiresAt: string | null = null): Promise<string> {
    const { secret, hash } = newSecret('rest');
    await this.sql(
      `insert into rest_keys (account_id, user_id, name, key_hash, rights, expires_at)
       select account_id, id, 'Key', $2, $3, $4 from users where id = $1`,
      [userId, hash, rightsOfGrants(grants), expiresAt],
    );
    return secret;
  }

  /** The cookie value of a new session of the user. */
  async session(userId: number): Promise<string> {
    const { secret, hash } = newSecret('session');
    await this.sql(
      `insert into sessions (account_id, user_id, token_hash, expires_at)
       select account_id, id, $2, now() + interval '1 day' from users where id = $1`,
      [userId, hash],
    );
    return secret;
  }

  /** A digest of everything that a request may change, including jobs. */
  async fingerprint(): Promise<string> {
    const parts = [...kept, 'graphile_worker._private_jobs'].map(
      (table) => `(select md5(string_agg(t::text, '' order by t::text)) from ${table} t)`,
    );
    return (await this.sql(`select concat_ws('.', ${parts.join(', ')}) as found`))[0].found;
  }
}

/** A new item for POST /items/save. */
export const draftOf = <Type extends string>(type: Type, fields: object = {}, more: object = {}) => ({
  type,
  title: 'T',
  description: '',
  status: 'planned',
  fields,
  ...more,
});

/** An API, a workspace, and its owner with a key of every grant. */
export async function restWorld(databaseUrl: string, settings: Record<string, string> = {}) {
  const api = await startApi(databaseUrl, settings);
  const fixtures = new Fixtures(databaseUrl);
  const accountId = await fixtures.account();
  const ownerId = await fixtures.user(accountId, 'Ana');
  const workspaceId = await fixtures.workspace(accountId, 'Apollo');
  await fixtures.member(workspaceId, ownerId);
  const key = await fixtures.key(ownerId);
  /** A member of the workspace with their own key. */
  const join = async (role: string, overrides: Record<string, string> = {}, grants?: readonly Grant[]) => {
    const userId = await fixtures.user(accountId);
    await fixtures.member(workspaceId, userId, role, overrides);
    return { userId, client: clientOf(api, await fixtures.key(userId, grants), workspaceId) };
  };
  /** A signed-in visitor of the pages. */
  const visitor = async (userId: number): Promise<Visitor> => {
    const made = new Visitor(api.base.replace('/api/v1', ''));
    made.cookie = await fixtures.session(userId);
    return made;
  };
  const owner = clientOf(api, key, workspaceId);
  /** An item that the owner saves. */
  const make = (type: string, fields = {}, more = {}): Promise<Json> => owner.save(draftOf(type, fields, more));
  /** An item as the owner reads it. */
  const read = async (id: number): Promise<Json> => (await owner.get('/item', { id })).body;
  const end = async () => {
    await Promise.all([api.close(), fixtures.close()]);
  };
  return { api, fixtures, accountId, ownerId, workspaceId, key, owner, visitor, make, read, join, end };
}
export type RestWorld = Awaited<ReturnType<typeof restWorld>>;
