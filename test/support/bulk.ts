/** A workspace of any size, made by one statement each, for tests of plans and for the benchmark. */
import pg from 'pg';
import { ALL_RIGHTS, possibleNeeds } from '../../src/access/rights.ts';
import { hashSecret } from '../../src/access/secrets.ts';

interface Owner {
  accountId: number;
  workspaceId: number;
  userId: number;
}

export interface Bulk extends Owner {
  /** Raw REST key with every grant. */
  key: string;
  firstTaskId: number;
  lastTaskId: number;
}

/** An account with one owner, one workspace and `tasks` tasks under `tasks / 100` requirements and `tasks / 1000` releases. One task in
 *  eight has each set of ancestors, every hundredth has three comments. */
export async function makeBulk(databaseUrl: string, tasks: number): Promise<Bulk> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    const key = `bulk_${tasks}_${Math.random()}`;
    const base = await makeOwner(client, key);
    await client.query('begin; set local session_replication_role = replica');
    const ids = await withoutIndexes(client, ['items', 'item_texts'], () => makeItems(client, base, tasks));
    await client.query('commit');
    await client.query(
      `insert into comments (account_id, workspace_id, item_id, author_id, body)
       select $1, $2, i, $3, 'Comment ' || n from generate_series($4::bigint, $5::bigint, 100) i, generate_series(1, 3) n`,
      [base.accountId, base.workspaceId, base.userId, ids.firstTaskId, ids.lastTaskId],
    );
    await client.query('vacuum analyze');
    return { ...base, ...ids, key };
  } finally {
    await client.end();
  }
}

async function makeOwner(client: pg.Client, key: string) {
  const id = async (text: string, values: unknown[]) => Number((await client.query(`${text} returning id`, values)).rows[0].id);
  const accountId = await id(`insert into accounts (name) values ('Bulk')`, []);
  const userId = await id(`insert into users (account_id, email, name, account_role) values ($1, $2, 'Ana', 'owner')`, [
    accountId,
    `${key}@bulk.example`,
  ]);
  const workspaceId = await id(`insert into workspaces (account_id, name) values ($1, 'Bulk')`, [accountId]);
  await addOwner(client, { accountId, workspaceId, userId });
  await client.query('insert into rest_keys (account_id, user_id, name, key_hash, rights) values ($1, $2, $3, $4, $5)', [
    accountId,
    userId,
    'bulk',
    hashSecret(key),
    ALL_RIGHTS,
  ]);
  return { accountId, workspaceId, userId };
}

export async function addOwner(client: pg.Client, { accountId, workspaceId, userId }: Owner): Promise<void> {
  await client.query(`insert into memberships (account_id, workspace_id, user_id, role) values ($1, $2, $3, 'owner')`, [
    accountId,
    workspaceId,
    userId,
  ]);
}

/** Disables the placing triggers and sets their columns here: row by row they would take minutes. */
async function makeItems(client: pg.Client, { accountId, workspaceId, userId }: Owner, tasks: number) {
  const insert = async (count: number, type: string, needs: number | string, extra: string, links: string) =>
    Number(
      (
        await client.query(
          `with made as (
             insert into items (account_id, workspace_id, type, title, description, status, status_key, priority_key, needs ${extra && `, ${extra}`})
             select $1, $2, $3::text, initcap($3) || ' number ' || n, 'What it is about, in a few plain words.', 'planned', 'planned', 'normal', ${needs} ${links && `, ${links}`}
             from generate_series(0, $4::int - 1) n returning id)
           select min(id) as first from made`,
          [accountId, workspaceId, type, count],
        )
      ).rows[0].first,
    );
  const releases = Math.max(1, Math.floor(tasks / 1000));
  const requirements = Math.max(1, Math.floor(tasks / 100));
  const firstRelease = await insert(releases, 'release', possibleNeeds('release')[0]!, '', '');
  const firstRequirement = await insert(
    requirements,
    'requirement',
    possibleNeeds('requirement')[0]! | possibleNeeds('release')[0]!,
    'release_id',
    `${firstRelease} + n % ${releases}`,
  );
  const firstTask = await insert(
    tasks,
    'task',
    `(array[${possibleNeeds('task').join(',')}])[1 + n % 8]`,
    'assignee_id, estimated_hours, due_date, requirement_id',
    `case when n % 4 <> 0 then ${userId} end, n % 40, date '2026-01-01' + n % 365, case when n % 2 = 0 then ${firstRequirement} + n % ${requirements} end`,
  );
  await fillTexts(client, workspaceId);
  return { firstTaskId: firstTask, lastTaskId: firstTask + tasks - 1 };
}

/** Writes what the trigger would have written. */
export async function fillTexts(client: pg.Client, workspaceId: number): Promise<void> {
  await client.query(
    `insert into item_texts (account_id, workspace_id, item_id, words)
     select account_id, workspace_id, id, search_words(items) from items where workspace_id = $1`,
    [workspaceId],
  );
}

/** Drops the indexes without a constraint while `work` fills the tables: creating them afterwards is many times faster. */
export async function withoutIndexes<T>(client: pg.Client, tables: string[], work: () => Promise<T>): Promise<T> {
  const { rows } = await client.query(
    `select x.indexdef, x.indexname from pg_indexes x
     where x.tablename = any($1) and not exists (select from pg_constraint c where c.conname = x.indexname)`,
    [tables],
  );
  for (const { indexname } of rows) await client.query(`drop index ${indexname}`);
  const made = await work();
  await client.query(`set maintenance_work_mem = '512MB'`);
  for (const { indexdef } of rows) await client.query(indexdef);
  return made;
}
