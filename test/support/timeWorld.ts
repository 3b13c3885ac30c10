/** An account with people, a workspace and an item, made by SQL, for tests of time and plans. */
import pg from 'pg';
import type { Caller } from '../../src/access/caller.ts';
import { type AgentLevels, rightsOfLevels } from '../../src/access/rights.ts';
import { newSecret } from '../../src/access/secrets.ts';
import { connectDb, type Db } from '../../src/database/db.ts';
import { fileDatabase } from './database.ts';
import { currentSuite } from './suite.ts';

export interface World {
  readonly url: string;
  readonly db: Db;
  /** Rows of a statement as node-postgres returns them, with dates as text. */
  // biome-ignore lint/suspicious/noExplicitAny: each statement has its own rows
  rows(text: string, values?: unknown[]): Promise<any[]>;
  // biome-ignore lint/suspicious/noExplicitAny: the one value of a statement
  value(text: string, values?: unknown[]): Promise<any>;
  team(timezone?: string): Promise<Team>;
}

export interface Team {
  accountId: number;
  workspaceId: number;
  userId: number;
  itemId: number;
  /** The person as a caller, as in jobs and pages. */
  person: Caller;
  /** Another member of the workspace. */
  colleague: Caller;
  colleagueId: number;
  item(title?: string, workspaceId?: number): Promise<number>;
  workspace(): Promise<number>;
  /** A connection of the person with all workspaces made so far. */
  agent(levels?: Partial<AgentLevels>, timezone?: string): Promise<Caller & { connectionId: number }>;
}

const { DATE, INT8 } = pg.types.builtins;

/** Sets how node-postgres reads dates and large numbers. Returns the parsers before. */
function setParsers({ date, int8 }: Record<'date' | 'int8', (text: string) => unknown>) {
  const before = { date: pg.types.getTypeParser(DATE), int8: pg.types.getTypeParser(INT8) };
  pg.types.setTypeParser(DATE, date);
  pg.types.setTypeParser(INT8, int8);
  return before;
}

/** For the top level of a test file. */
export function timeWorld(): World {
  const database = fileDatabase();
  let db: Db | undefined;
  let pool: pg.Pool | undefined;
  let parsers: ReturnType<typeof setParsers> | undefined;
  currentSuite().before('connections', async () => {
    // Only for this suite: other suites of the process read them as usual.
    parsers = setParsers({ date: (text) => text, int8: Number });
    db = await connectDb(database.url, 12);
    pool = new pg.Pool({ connectionString: database.url, options: '-c timezone=UTC', max: 4 });
    pool.on('error', () => {});
  });
  currentSuite().after('close', async () => {
    if (parsers) setParsers(parsers);
    await db?.close();
    await pool?.end();
  });
  const rows = async (text: string, values: unknown[] = []) => (await pool!.query(text, values)).rows;
  const value = async (text: string, values: unknown[] = []) => Object.values((await rows(text, values))[0] ?? {})[0];
  return {
    get url() {
      return database.url;
    },
    get db() {
      return db!;
    },
    rows,
    value,
    team: (timezone = 'UTC') => makeTeam(value, timezone),
  };
}

let counter = 0;

async function makeTeam(value: World['value'], timezone: string): Promise<Team> {
  const accountId = await value(`insert into accounts (name) values ('Acme') returning id`);
  const user = (name: string) =>
    value(`insert into users (account_id, email, name, timezone, password_hash) values ($1, $2, $3, $4, 'set') returning id`, [
      accountId,
      `${name}${counter++}@acme.example`,
      name,
      timezone,
    ]);
  const userId = await user('Ana');
  const colleagueId = await user('Bo');
  const workspace = async () => {
    const id = await value(
      `insert into workspaces (account_id, name, mcp_enabled, mcp_rights) values ($1, 'Apollo', true, $2) returning id`,
      [
        accountId,
        rightsOfLevels({
          tasks: 'delete',
          requirements: 'delete',
          releases: 'delete',
          milestones: 'delete',
          time: 'write',
          plans: 'write',
        }),
      ],
    );
    await value(`insert into memberships (account_id, workspace_id, user_id, role) select $1, $2, unnest($3::bigint[]), 'member'`, [
      accountId,
      id,
      [userId, colleagueId],
    ]);
    return id;
  };
  const workspaceId = await workspace();
  const item = (title = 'Write the report', inWorkspace = workspaceId) =>
    value(
      `insert into items (account_id, workspace_id, type, title, status, status_key) values ($1, $2, 'task', $3, 'planned', 'planned') returning id`,
      [accountId, inWorkspace, title],
    );
  return {
    accountId,
    workspaceId,
    userId,
    colleagueId,
    itemId: await item(),
    person: { kind: 'user', userId },
    colleague: { kind: 'user', userId: colleagueId },
    item,
    workspace,
    async agent(levels = { tasks: 'write', time: 'write', plans: 'write' }, zone = timezone) {
      const { hash } = newSecret('agent');
      const connectionId = await value(
        `insert into connections (account_id, user_id, name, key_hash, rights, timezone) values ($1, $2, 'Agent', $3, $4, $5) returning id`,
        [accountId, userId, hash, rightsOfLevels(levels), zone],
      );
      await value(
        `insert into connection_workspaces (account_id, connection_id, workspace_id) select $1, $2, id from workspaces where account_id = $1`,
        [accountId, connectionId],
      );
      return { kind: 'agent', hash, connectionId };
    },
  };
}
