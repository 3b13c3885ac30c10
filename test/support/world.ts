/** Worlds for tests, made from an import file (behaviour §2.5), and the web application over them.
 *
 *  ```ts
 *  const refs = await world(database.url, oneWorkspace({ items: [{ ref: 't1', type: 'task', title: 'Write' }] }));
 *  const web = await startWeb(database.url, { RATE_LIMIT_REST: '10' });
 *  const answer = await fetch(`${web.baseUrl}/api/v1/item?workspaceId=${refs.id('apollo')}&id=${refs.id('t1')}`, { headers: { 'X-API-Key': refs.key('k1') } });
 *  await web.stop();
 *  ```
 *
 *  `world(databaseUrl, file) -> refs`: `refs.id('name')`, and `refs.key('name')` of REST keys and connections. `oneWorkspace(parts)` is a file with one
 *  account, owner `ana`, workspace `apollo` with MCP on, key `k1` with every grant and connection `c1` with every right; email addresses
 *  are new each time, so that a database can hold many. `startWeb` runs in this process, `spawnWeb` as a process of its own. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'slonik';
import { agentResources, grants } from '../../src/access/rights.ts';
import { makeOwnerLink } from '../../src/accounts/firstAccount.ts';
import { makeApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { type Db, openDb } from '../../src/database/db.ts';
import { Metrics } from '../../src/http/metrics.ts';
import { importData } from '../../src/import/importData.ts';
import type { ImportInput } from '../../src/import/schema.ts';
import { makeLogger } from '../../src/log.ts';
import { PASSWORD, PASSWORD_HASH } from './password.ts';
import { answered, type Spawned, spawnNode } from './processes.ts';
import { withDb } from './withDb.ts';

/** The ids and keys of the file's refs. An unknown name throws. */
export interface WorldRefs {
  id(ref: string): number;
  key(ref: string): string;
}

export async function world(databaseUrl: string, file: ImportInput): Promise<WorldRefs> {
  const { rest, emails } = withoutPassword(file);
  const refs = await withDb(databaseUrl, 2, async (db) => {
    const imported = await importData(db, rest);
    if (emails.length) await givePassword(db, emails);
    return imported;
  });
  const known = (ref: string, property: 'id' | 'key') => {
    const value = refs[ref]?.[property];
    if (value === undefined) throw new Error(`The file has no ref '${ref}' with ${property === 'id' ? 'an id' : 'a key'}.`);
    return value;
  };
  return { id: (ref) => known(ref, 'id') as number, key: (ref) => known(ref, 'key') as string };
}

/** The file without the test password, and the addresses of the people who should get it. Other passwords stay. */
function withoutPassword(file: ImportInput): { rest: ImportInput; emails: string[] } {
  const emails: string[] = [];
  // A test may pass an invalid file.
  const accounts = file?.accounts?.map?.((account) => {
    const users = account?.users?.map?.((user) => {
      if (user?.password !== PASSWORD) return user;
      emails.push(user.email);
      const { password: _hashedAlready, ...others } = user;
      return others;
    });
    return users ? { ...account, users } : account;
  });
  return { rest: emails.length ? { ...file, accounts } : file, emails };
}

/** An address may already exist in another account: its user keeps their password. */
const givePassword = (db: Db, emails: string[]) =>
  db.pool().query(sql.unsafe`
    update users set password_hash = ${PASSWORD_HASH}
    where password_hash is null and lower(email) in (select lower(e) from unnest(${sql.array(emails, 'text')}) e)`);

/** The path of a one-time link for the first owner, of an account or of the installation. Throws if one exists. */
export async function ownerPath(databaseUrl: string, accountId: number | null = null): Promise<string> {
  const link = await withDb(databaseUrl, 1, (db) => makeOwnerLink(db.pool(), '', accountId));
  if (link === null) throw new Error('An owner already exists.');
  return link;
}

type AccountInput = ImportInput['accounts'][number];
type WorkspaceInput = NonNullable<AccountInput['workspaces']>[number];

const everyLimit = Object.fromEntries(agentResources.map((resource) => [resource, 'delete'] as const));
let count = 0;

/** `workspace` is merged into apollo (its lists come after ours), `account` into the account. */
export function oneWorkspace(workspace: Partial<WorkspaceInput> = {}, account: Partial<AccountInput> = {}): ImportInput {
  const email = `ana${++count}.${process.pid}@acme.example`;
  return {
    accounts: [
      {
        name: 'Acme',
        ...account,
        users: [{ ref: 'ana', email, name: 'Ana', accountRole: 'owner', weeklyHours: 40 }, ...(account.users ?? [])],
        workspaces: [
          {
            ref: 'apollo',
            name: 'Apollo',
            mcp: { enabled: true, limits: everyLimit },
            ...workspace,
            members: [{ user: 'ana', role: 'owner' }, ...(workspace.members ?? [])],
          },
          ...(account.workspaces ?? []),
        ],
        restKeys: [{ ref: 'k1', user: 'ana', name: 'Everything', grants: [...grants] }, ...(account.restKeys ?? [])],
        connections: [
          {
            ref: 'c1',
            user: 'ana',
            name: 'Agent',
            workspaces: ['apollo'],
            permissions: everyLimit,
            notes: ['read', 'add', 'edit', 'delete'],
          },
          ...(account.connections ?? []),
        ],
      },
    ],
  };
}

export const TEST_SECRET = 'a secret of thirty-two characters';
/** Context path, and limits that no test reaches by default. */
const settings = {
  SECRET_KEY: TEST_SECRET,
  LOG_LEVEL: 'error',
  RATE_LIMIT_REST: '1000000',
  RATE_LIMIT_MCP: '1000000',
  RATE_LIMIT_PAGES: '1000000',
  RATE_LIMIT_SIGN_IN: '100000',
};

export interface Web {
  /** With the context path /stint, without a trailing slash: `${baseUrl}/api/v1/items`, `${baseUrl}/mcp`. */
  baseUrl: string;
  stop(): Promise<void>;
}

/** The web application inside this process, on a free port. `env`: environment variables. Its deadline suits a busy machine. */
export async function startWeb(databaseUrl: string, env: Record<string, string> = {}, deadlineMs = 60_000): Promise<Web> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const here = `http://127.0.0.1:${port}/stint`;
  const config = readConfig({ ...settings, BASE_URL: here, LOG_LEVEL: 'silent', DATABASE_URL: databaseUrl, ...env });
  const db = openDb(config.databaseUrl, env.DATABASE_POOL_SIZE ? config.databasePoolSize : 5, config);
  const { app, flush } = makeApp({ config, db, log: makeLogger(config.logLevel, 'web'), metrics: new Metrics(), deadlineMs });
  server.on('request', app.callback());
  await answered(`http://127.0.0.1:${port}${config.basePath}/readyz`);
  return {
    baseUrl: `http://127.0.0.1:${port}${config.basePath}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await flush();
      await db.close();
    },
  };
}

/** The web application as a separate process, ready. `process` has its output and end. */
export async function spawnWeb(databaseUrl: string, env: Record<string, string> = {}): Promise<Web & { process: Spawned }> {
  const spawned = spawnNode(['src/web.ts'], {
    env: { ...settings, BASE_URL: 'http://localhost/stint', LOG_LEVEL: 'info', PORT: '0', DATABASE_URL: databaseUrl, ...env },
  });
  const { port } = await spawned.log({ msg: 'listening' });
  const baseUrl = `http://127.0.0.1:${port}${new URL(env.BASE_URL ?? '/stint', 'http://localhost').pathname.replace(/\/$/, '')}`;
  await answered(`${baseUrl}/readyz`);
  return {
    baseUrl,
    process: spawned,
    async stop() {
      spawned.kill('SIGTERM');
      await spawned.exit();
    },
  };
}
