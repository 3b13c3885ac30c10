/** Workspaces of one agent, with any numbers of tasks of the same mixture, and rare cases of each property. */
import pg from 'pg';
import type { Caller } from '../../src/access/caller.ts';
import { possibleNeeds, rightsOfLevels } from '../../src/access/rights.ts';
import { newSecret } from '../../src/access/secrets.ts';
import { addOwner, fillTexts, withoutIndexes } from './bulk.ts';

const everything = rightsOfLevels({ tasks: 'delete', requirements: 'delete', releases: 'delete', milestones: 'delete' });

export interface BulkWorkspace {
  workspaceId: number;
  /** With 20 tasks, and with half of all. */
  smallRequirement: number;
  bigRelease: number;
  /** A hundred consecutive tasks, and a hundred spread ones. */
  firstIds: number[];
  spreadIds: number[];
}

export async function workBulk(databaseUrl: string, sizes: number[]) {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const value = async (text: string, values: unknown[] = []) => Number(Object.values((await client.query(text, values)).rows[0])[0]);
  try {
    const { hash } = newSecret('agent');
    const accountId = await value(`insert into accounts (name) values ('Bulk') returning id`);
    const userId = await value(`insert into users (account_id, email, name) values ($1, 'ana@bulk.example', 'Ana') returning id`, [
      accountId,
    ]);
    await client.query(
      `insert into users (account_id, email, name) select $1, n || '@bulk.example', 'Member ' || n from generate_series(1, 20) n`,
      [accountId],
    );
    const connectionId = await value(
      `insert into connections (account_id, user_id, name, key_hash, rights) values ($1, $2, 'Agent', $3, $4) returning id`,
      [accountId, userId, hash, everything],
    );
    const places: BulkWorkspace[] = [];
    for (const size of sizes) places.push(await makeWorkspace(client, value, { accountId, userId, connectionId }, size));
    await client.query('vacuum analyze');
    return { caller: { kind: 'agent', hash } as Caller, userId, places };
  } finally {
    await client.end();
  }
}

type Value = (text: string, values?: unknown[]) => Promise<number>;

async function makeWorkspace(
  client: pg.Client,
  value: Value,
  who: { accountId: number; userId: number; connectionId: number },
  size: number,
): Promise<BulkWorkspace> {
  const { accountId, userId, connectionId } = who;
  const workspaceId = await value(
    `insert into workspaces (account_id, name, mcp_enabled, mcp_rights) values ($1, 'Bulk', true, $2) returning id`,
    [accountId, everything],
  );
  await addOwner(client, { accountId, workspaceId, userId });
  await client.query('insert into connection_workspaces (account_id, connection_id, workspace_id) values ($1, $2, $3)', [
    accountId,
    connectionId,
    workspaceId,
  ]);
  await client.query(
    `insert into statuses (account_id, workspace_id, key, label, types, status, position) values ($1, $2, 'rare', 'Rare', '{task}', 'in_progress', 9)`,
    [accountId, workspaceId],
  );
  const above = (type: string) =>
    value(
      `insert into items (account_id, workspace_id, type, title, status, status_key) values ($1, $2, $3, 'Above', 'planned', 'planned') returning id`,
      [accountId, workspaceId, type],
    );
  const place: BulkWorkspace = {
    workspaceId,
    smallRequirement: await above('requirement'),
    bigRelease: await above('release'),
    firstIds: [],
    spreadIds: [],
  };
  await client.query('begin; set local session_replication_role = replica');
  await withoutIndexes(client, ['items', 'item_texts', 'comments'], async () => {
    await client.query(tasks(place), [accountId, workspaceId, userId, size]);
    await client.query('delete from item_texts where workspace_id = $1', [workspaceId]);
    await fillTexts(client, workspaceId);
    await client.query(notes, [accountId, workspaceId, userId, size]);
  });
  await client.query('commit');
  const tasksOf = `from items where workspace_id = $1 and type = 'task'`;
  const first = await value(`select min(id) as first ${tasksOf}`, [workspaceId]);
  for (let n = 0; n < 100; n++) {
    place.firstIds.push(first + n);
    place.spreadIds.push(first + n * (size / 100));
  }
  return place;
}

/** A note on one task in ten. Twenty of them contain a rare word. */
const notes = `
  insert into comments (account_id, workspace_id, item_id, author_id, body)
  select $1, $2, id, $3, case when n % ($4::int / 20) = 0 then 'Wir prüfen 予算' else 'Looked at it' end
  from (select id, row_number() over (order by id) as n from items where workspace_id = $2 and type = 'task') i where n % 10 = 0`;

/** Every value depends on its own number, so that any two are nearly independent. `n % $4 / 20`: twenty of a kind at any size. */
const tasks = ({ smallRequirement, bigRelease }: BulkWorkspace) => `
  insert into items (account_id, workspace_id, type, title, status, status_key, priority_key, assignee_id, due_date, requirement_id, release_id, needs)
  select $1, $2, 'task', 'Task ' || n || case when rare = 1 then ' needle Größe 会議 Задача' else '' end || case when n % 67 = 0 then ' medium' else '' end,
    case when n % 3 = 0 then 'done' when rare = 2 then 'in_progress' else 'planned' end,
    case when n % 3 = 0 then 'done' when rare = 2 then 'rare' else 'planned' end,
    case when rare = 4 then 'urgent' when n % 2 = 0 then 'normal' else 'high' end,
    case when n % 4 <> 0 then $3 when n % 8 <> 0 then $3 + 1 + n % 19 end,
    case when rare = 5 then current_date + 400 when n % 10 <> 0 then current_date - 180 + (n * 7919 % 365)::int end,
    case when rare = 7 then ${smallRequirement} end, case when n % 2 = 1 then ${bigRelease} end,
    (array[${possibleNeeds('task').join(', ')}])[1 + (n / 7) % 8]
  from (select n, n % ($4::int / 20) as rare from generate_series(1, $4::int) n) numbers`;
