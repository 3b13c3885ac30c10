/** A workspace for forecasts: open tasks of every size, all assigned. */
import pg from 'pg';
import { type Bulk, makeBulk } from '../support/bulk.ts';

export async function makePeopled(url: string, tasks: number, people: number): Promise<Bulk> {
  const bulk = await makeBulk(url, tasks);
  const { accountId, workspaceId } = bulk;
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(
      `with people as (
         insert into users (account_id, email, name, weekly_minutes)
         select $1, 'p' || n || '.' || $2::bigint || '@bulk.example', 'Person ' || n, 2400 from generate_series(1, $3::int) n returning id)
       insert into memberships (account_id, workspace_id, user_id, role) select $1, $2, id, 'member' from people`,
      [accountId, workspaceId, people],
    );
    await client.query('begin; set local session_replication_role = replica');
    await client.query(
      `update items set assignee_id = p.first + items.id % $2::int, estimated_hours = 1 + items.id % 60, progress_percent = items.id % 90
       from (select min(user_id) as first from memberships where workspace_id = $1 and role = 'member') p
       where workspace_id = $1 and type = 'task'`,
      [workspaceId, people],
    );
    await client.query('commit');
    await client.query('vacuum analyze items');
    return bulk;
  } finally {
    await client.end();
  }
}
