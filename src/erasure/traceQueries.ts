/** Removes an erased user from rows that stay: notes, key names, addresses, and quotes in texts (behaviour §14.6). */
import { z } from 'zod';
import { type Fragment, fixedSql, type Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { longest } from '../values/text.ts';
import { deleteFound, type Erasure, inRanges, runOnce, type Step } from './queries.ts';
import { rowsOfUser } from './rowQueries.ts';

const Shared = z.object({ shared: z.array(z.string()) });

/** Names of the erased user that another user of the account has, too. */
async function readShared(tx: Tx, { accountId, id, names }: Erasure): Promise<readonly string[]> {
  const { shared } = await tx.one(sql.type(Shared)`
    select array(select n from unnest(${sql.array(names, 'text')}) n where exists (
      select from users u where u.account_id = ${accountId} and u.id <> ${id} and lower(u.name) = lower(n))) as shared`);
  return shared;
}

interface Quoted {
  mention: string;
  address: string;
  any: string;
  by: string;
}

const escaped = (text: string): string => text.replaceAll(/[^\p{L}\p{N}\s]/gu, '\\$&');
const oneOf = (texts: readonly string[]): string => (texts.length ? `(?:${texts.map(escaped).join('|')})` : '(?=a)b');

const spelledInJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** A line break as written in JSON. */
const AFTER_BREAK = '(?<=\\\\[nrt])';

/** If another user has the same name, only a mention with the user's id is replaced (behaviour §10.21). */
function quotedAs({ id, names, addresses }: Erasure, shared: readonly string[], spelled = (text: string) => text): Quoted {
  const own = names.filter((name) => !shared.includes(name));
  const mention = `(?:(?<!\\w)|${AFTER_BREAK})@(?:${oneOf(names.map(spelled))}#${id}(?!\\d)|${oneOf(own.map(spelled))}(?!\\w|#\\d))`;
  const address = `(?:(?<![\\w.+-])|${AFTER_BREAK})${oneOf(addresses.map(spelled))}(?![\\w-]|\\.\\w)`;
  return { mention, address, any: `${mention}|${address}`, by: `@Deleted user ${id}` };
}

const replaced = (text: Fragment, { mention, address, by }: Quoted): Fragment =>
  sql.fragment`regexp_replace(regexp_replace(${text}, ${mention}, ${by}, 'gi'), ${address}, '[deleted]', 'gi')`;

interface Place {
  table: string;
  key?: string;
  /** Columns and their maximum length in characters. */
  texts?: Record<string, number>;
  json?: string;
}

/** The approved copy changes before the item, because the two are compared. */
const places: readonly Place[] = [
  { table: 'comments', texts: { body: longest.comment, original_body: longest.comment } },
  { table: 'approvals', texts: { comment: longest.comment }, json: 'approved' },
  { table: 'items', texts: { title: longest.title, description: longest.text, acceptance: longest.text, blocked_reason: longest.line } },
  { table: 'labels', texts: { description: 1_000 } },
  { table: 'templates', json: 'items' },
  { table: 'item_files', texts: { name: 200 } },
  { table: 'imports', texts: { file_name: 255, problem: longest.line } },
  { table: 'import_rows', key: 'import_id', texts: { problem: longest.line }, json: 'planned' },
  { table: 'imported_items', key: 'item_id', texts: { url: 2_000 }, json: 'written' },
  { table: 'changes', texts: { left_title: longest.title }, json: 'fields' },
  { table: 'change_texts', key: 'change_id', texts: { before: longest.text } },
  { table: 'time_entries', texts: { note: longest.line } },
  { table: 'time_entry_versions', key: 'entry_id', texts: { note: longest.line, reason: longest.line } },
  { table: 'plan_blocks', texts: { note: longest.line } },
  { table: 'webhook_deliveries', texts: { answer: 4_000 } },
  { table: 'audit', json: 'changes' },
];

function replacing(erasure: Erasure, { table, key = 'id', texts = {}, json }: Place): Step {
  return async (tx, from) => {
    const shared = await readShared(tx, erasure);
    const plain = quotedAs(erasure, shared);
    const inJson = quotedAs(erasure, shared, spelledInJson);
    const sets = Object.entries(texts).map(([name, most]) => {
      const column = sql.identifier([name]);
      return sql.fragment`${column} = left(${replaced(sql.fragment`${column}`, plain)}, ${most})`;
    });
    const found = Object.keys(texts).map((name) => sql.fragment`${sql.identifier([name])} ~* ${plain.any}`);
    if (json) {
      const column = sql.identifier([json]);
      sets.push(sql.fragment`${column} = ${replaced(sql.fragment`${column}::text`, inJson)}::jsonb`);
      found.push(sql.fragment`${column}::text ~* ${inJson.any}`);
    }
    const step = inRanges(
      table,
      key,
      (inRange) => sql.fragment`
      update ${sql.identifier([table])} set ${sql.join(sets, fixedSql(', '))}
      where ${inRange} and account_id = ${erasure.accountId} and (${sql.join(found, fixedSql(' or '))})`,
    );
    return step(tx, from);
  };
}

const Id = z.object({ id: z.number() });

/** Stored answers of all users of the account, one user at a time. In these a whole string may be a name. */
function replacingInReceipts(erasure: Erasure): Step {
  return async (tx, from) => {
    const userId = await tx.maybeOneFirst(sql.type(Id)`
      select id from users where account_id = ${erasure.accountId} and id > ${from} order by id limit 1`);
    if (userId === null) return null;
    const shared = await readShared(tx, erasure);
    const quoted = quotedAs(erasure, shared, spelledInJson);
    const names = `"${oneOf(erasure.names.filter((name) => !shared.includes(name)).map(spelledInJson))}"`;
    const result = sql.fragment`regexp_replace(${replaced(sql.fragment`result::text`, quoted)}, ${names}, ${`"Deleted user ${erasure.id}"`}, 'g')::json`;
    const found = sql.fragment`(result::text ~* ${quoted.any} or result::text ~ ${names})`;
    for (const [table, column, credentials] of [
      ['receipts', 'connection_id', 'connections'],
      ['rest_receipts', 'key_id', 'rest_keys'],
      ['rest_receipts', 'session_id', 'sessions'],
    ] as const) {
      await tx.query(sql.unsafe`
        update ${sql.identifier([table])} set result = ${result}
        where ${sql.identifier([column])} in (select id from ${sql.identifier([credentials])} where user_id = ${userId}) and ${found}`);
    }
    return userId;
  };
}

function anonymising({ accountId, id, names }: Erasure): Step[] {
  const [own, name] = [sql.fragment`account_id = ${accountId} and user_id = ${id}`, `Deleted user ${id}`];
  return [
    inRanges('time_entries', 'id', (inRange) => sql.fragment`update time_entries set note = '' where ${inRange} and ${own} and note <> ''`),
    inRanges(
      'time_entry_versions',
      'entry_id',
      (inRange) => sql.fragment`
      update time_entry_versions set note = '', reason = 'deleted'
      where ${inRange} and exists (select from time_entries e where e.id = entry_id and e.user_id = ${id}) and (note <> '' or reason <> 'deleted')`,
    ),
    // The choices of people, by name and address.
    inRanges(
      'imports',
      'id',
      (inRange) => sql.fragment`update imports set map = map - 'people' where ${inRange} and account_id = ${accountId} and map ? 'people'`,
    ),
    // An import under way needs the columns of its file, without samples, and the names of other people.
    inRanges(
      'import_reports',
      'import_id',
      (inRange) => sql.fragment`
      update import_reports set report = null, preview = null, survey = survey || jsonb_build_object(
        'people', (select coalesce(jsonb_agg(p), '[]') from jsonb_array_elements(survey -> 'people') p where p ->> 1 <> all(${sql.array(names, 'text')})),
        'columns', (select coalesce(jsonb_agg(c || '{"samples": []}' order by n), '[]') from jsonb_array_elements(survey -> 'columns') with ordinality as e (c, n)))
      where ${inRange} and account_id = ${accountId}`,
    ),
    inRanges('plan_blocks', 'id', (inRange) => sql.fragment`update plan_blocks set note = '' where ${inRange} and ${own} and note <> ''`),
    inRanges(
      'changes',
      'id',
      (inRange) => sql.fragment`
      update changes set credential_name = 'deleted'
      where ${inRange} and account_id = ${accountId} and actor_id = ${id} and credential_name <> 'deleted'`,
    ),
    inRanges(
      'audit',
      'id',
      (inRange) => sql.fragment`
      update audit set
        actor_name = case when actor_id = ${id} then ${name} else actor_name end,
        credential_name = case when actor_id = ${id} and credential_name is not null then 'deleted' else credential_name end,
        address = case when actor_id = ${id} or actor_id is null then null else address end,
        subject_name = case when user_id is distinct from ${id} then subject_name when subject in ('user', 'member') then ${name}
          when subject in ('key', 'connection') then 'deleted' else subject_name end,
        changes = case when user_id = ${id} and subject in ('user', 'key', 'connection') then changes - array['name', 'email', 'timezone', 'weeklyHours']
          else changes end
      where ${inRange} and account_id = ${accountId} and (user_id = ${id} or actor_id = ${id})`,
    ),
  ];
}

const endingJobs = (erasure: Erasure): Step =>
  runOnce((tx) => {
    const { address } = quotedAs(erasure, []);
    return tx.query(sql.unsafe`
      select count(*) from graphile_worker.complete_jobs(array(
        select j.id from graphile_worker._private_jobs j where j.payload::text ~* ${address} or j.last_error ~* ${address}))`);
  });

export const stepsOfUser = (erasure: Erasure): Step[] => [
  ...rowsOfUser(erasure.accountId, erasure.id),
  ...anonymising(erasure),
  ...places.map((place) => replacing(erasure, place)),
  replacingInReceipts(erasure),
  // Forecasts contain names of people. They are computed again on demand.
  deleteFound('capacity_forecasts', sql.fragment`account_id = ${erasure.accountId}`),
  endingJobs(erasure),
];
