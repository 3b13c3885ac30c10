/** The attacker's most expensive content: hostile comments, and a workspace with as much as each page shows. */
import type pg from 'pg';
import { fillPages } from '../bench/pages.ts';
import { makePeopled } from '../bench/peopled.ts';
import type { Bulk } from '../support/bulk.ts';

const PEOPLE = 300;
const TASKS = 3_000;
const REQUIREMENTS = 20;
const COMMENTS = 100;
const LONGEST_COMMENT = 12_000;

const row = (cell: string) => `${`|${cell}`.repeat(10)}|\n`;
/** Texts that are slow to format: cells, names, emphasis, links. */
export const hostileTexts = [
  row('a') + row('-') + 'x\n'.repeat(LONGEST_COMMENT),
  '@a\n',
  '*a **b ',
  '[a](http://b.c) ',
  '![',
  '> - 1. ',
].map((text) => text.repeat(Math.ceil(LONGEST_COMMENT / text.length)).slice(0, LONGEST_COMMENT - 20));

export interface Costly {
  workspaceId: number;
  hostileItems: number[];
  requirements: number[];
  task: number;
}

/** An account with this workspace alone. */
export async function makeCostly(url: string, client: pg.Client): Promise<{ bulk: Bulk; costly: Costly }> {
  const bulk = await makePeopled(url, TASKS, PEOPLE);
  const { accountId, workspaceId, userId, firstTaskId } = bulk;
  await fillPages(client, bulk);
  const { rows } = await client.query(`select min(user_id) as person from memberships where workspace_id = $1 and role = 'member'`, [
    workspaceId,
  ]);
  const { person } = rows[0];
  // One of the hostile texts mentions this name.
  await client.query(`update users set name = 'a' where id = $1`, [person]);
  await client.query(
    `update items set title = rpad(title, 200, ' of a long & costly title'),
       assignee_id = case type when 'task' then $2::bigint + id % $3 end,
       target_date = case type when 'requirement' then current_date + 7 else target_date end
     where workspace_id = $1`,
    [workspaceId, person, PEOPLE],
  );
  await client.query(
    `insert into time_entries (account_id, workspace_id, user_id, item_id, kind, day, minutes)
     select $1, $2, $3, $4::bigint + n, 'manual', current_date - n % 300, 5 from generate_series(0, 1999) n`,
    [accountId, workspaceId, userId, firstTaskId],
  );
  const firstHostile = firstTaskId + 1_001;
  // Each text is unique, so none is cached.
  await client.query(
    `insert into comments (account_id, workspace_id, item_id, author_id, body)
     select $1, $2, $4::bigint + place - 1, $3, text || chr(10) || n
     from unnest($5::text[]) with ordinality hostile (text, place), generate_series(1, $6::int) n`,
    [accountId, workspaceId, userId, firstHostile, hostileTexts, COMMENTS],
  );
  const range = (length: number, first: number) => Array.from({ length }, (_, n) => first + n);
  const costly = {
    workspaceId,
    hostileItems: range(hostileTexts.length, firstHostile),
    requirements: range(REQUIREMENTS, firstTaskId - REQUIREMENTS),
    task: firstTaskId,
  };
  return { bulk, costly };
}
