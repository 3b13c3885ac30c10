/** Rows of the CSV files in an export: each an array of cells, as JSON text. */
import { z } from 'zod';
import type { Caller } from '../../access/caller.ts';
import { visibleFields } from '../../changes/queries.ts';
import { type Fragment, fixedSql, instantText, type Tx } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';
import { type FieldName, fieldNames, fields } from '../../items/fields.ts';
import { shownUrl } from '../../notifications/shownUrl.ts';
import { Entry, ofItems, PAGE, type Place, type Reader, seesTime } from '../exportQueries.ts';

const nameOf = (id: string) => `(select u.name from users u where u.id = ${id})`;
const at = (column: string) => instantText(column);

const fieldCell = (name: FieldName): string => (name === 'assigneeId' ? nameOf('i.assignee_id') : `i.${fields[name].column}`);

export const itemHeads = [
  ...['Number', 'Type', 'Title', 'Description', 'Category of status'],
  ...fieldNames.map((name) => fields[name].label),
  ...['Owner', 'Labels', 'Waits for', 'Created', 'Completed', 'Archived'],
];
const itemCells =
  fixedSql(`json_build_array(i.id, i.type, i.title, i.description, i.status, ${fieldNames.map(fieldCell).join(', ')}, ${nameOf('i.owner_id')},
  (select string_agg(l.name, ', ' order by lower(l.name)) from item_labels o join labels l on l.id = o.label_id where o.item_id = i.id),
  (select string_agg(d.blocker_id::text, ', ' order by d.blocker_id) from item_dependencies d where d.item_id = i.id),
  ${at('i.created_at')}, ${at('i.completed_at')}, case when i.archived_at is not null then 'yes' end)`);

export function readItemCells(tx: Tx, workspaceId: number, after: number): Promise<readonly Entry[]> {
  return tx.any(sql.type(Entry)`
    select i.id, ${itemCells}::text as entry from items i where i.workspace_id = ${workspaceId} and i.id > ${after} order by i.id limit ${PAGE}`);
}

interface Table {
  name: string;
  heads: readonly string[];
  read(tx: Tx, workspaceId: number, after: Place, reader: Reader): ReturnType<typeof ofItems>;
}

function table(
  name: string,
  from: string,
  heads: readonly string[],
  cells: string | ((reader: Reader) => Fragment),
  { only = () => sql.fragment`true`, caller }: { only?: (reader: Reader) => Fragment; caller?: (reader: Reader) => Caller } = {},
) {
  const of = typeof cells === 'string' ? () => fixedSql(cells) : cells;
  const entry = (reader: Reader) => sql.fragment`json_build_array(i.id, i.title, ${of(reader)})`;
  return {
    name,
    heads: ['Item', 'Title', ...heads],
    read: (tx: Tx, workspaceId: number, after: Place, reader: Reader) =>
      ofItems(tx, from, entry(reader), workspaceId, after, { only: only(reader), caller: caller?.(reader) }),
  };
}

const callerOf = ({ userId }: Reader): Caller => ({ kind: 'user', userId });
const own = ({ userId }: Reader) => sql.fragment`x.user_id = ${userId}`;

/** In order of item. History shows fields as the API does. Other people's time needs time oversight; notes of time, plans and watches are only the reader's own. */
export const tables: readonly Table[] = [
  table('comments', 'comments', ['Author', 'Written', 'Text'], `${nameOf('x.author_id')}, ${at('x.created_at')}, x.body`),
  table(
    'history',
    'changes',
    ['Time', 'Person', 'Through', 'Change', 'Version', 'Fields'],
    (reader) => sql.fragment`${fixedSql(`${at('x.at')}, ${nameOf('x.actor_id')}, x.via, x.kind, x.version`)},
      (select ${visibleFields(callerOf(reader))} from (select x.fields) c)::text`,
    // The other row of a move away belongs to the workspace that the item has left.
    { only: () => sql.fragment`x.left_needs is null`, caller: callerOf },
  ),
  table(
    'time',
    'time_entries',
    ['Person', 'Date', 'Start', 'End', 'Minutes', 'Hours', 'Note'],
    (reader) => sql.fragment`
      ${fixedSql(`${nameOf('x.user_id')}, x.day, ${at('x.started_at')}, ${at('x.ended_at')}, x.minutes, round(x.minutes / 60.0, 4)::float8`)}, case when ${own(reader)} then x.note end`,
    { only: seesTime },
  ),
  table('plans', 'plan_blocks', ['Start', 'End', 'Time zone', 'State', 'Note'], 'x.start_local, x.end_local, x.timezone, x.state, x.note', {
    only: own,
  }),
  table(
    'approvals',
    'approvals',
    ['Person', 'Time', 'Action', 'Comment', 'Version'],
    `${nameOf('x.user_id')}, ${at('x.at')}, x.action, x.comment, x.item_version`,
  ),
];

export const watchHeads = ['Item', 'Title', 'Watching'];

export function readWatchCells(tx: Tx, workspaceId: number, after: number, { userId }: Reader): Promise<readonly Entry[]> {
  return tx.any(sql.type(Entry)`
    select i.id, json_build_array(i.id, i.title, case when x.watching then 'yes' else 'no' end)::text as entry
    from item_watches x join items i on i.id = x.item_id
    where x.workspace_id = ${workspaceId} and x.user_id = ${userId} and x.item_id > ${after} order by x.item_id limit ${PAGE}`);
}

export const viewHeads = ['Name', 'Owner', 'Shared', 'Address'];

/** The reader's own and shared ones. */
export function readViewCells(tx: Tx, workspaceId: number, after: number, { userId }: Reader): Promise<readonly Entry[]> {
  return tx.any(sql.type(Entry)`
    select v.id, json_build_array(v.name, ${fixedSql(nameOf('v.user_id'))}, case when v.shared then 'yes' else 'no' end, '?' || v.query)::text as entry
    from views v where v.workspace_id = ${workspaceId} and (v.user_id = ${userId} or v.shared) and v.id > ${after} order by v.id limit ${PAGE}`);
}

export const webhookHeads = ['Address', 'Format', 'Events', 'Creator', 'Created', 'Paused'];

/** Reads webhooks without their secrets. */
export function readWebhookCells(tx: Tx, workspaceId: number, after: number): Promise<readonly Entry[]> {
  return tx.any(sql.type(Entry)`
    select h.id, json_build_array(${shownUrl('h')}, h.format, array_to_string(h.kinds, ', '), ${fixedSql(nameOf('h.user_id'))}, ${fixedSql(at('h.created_at'))}, ${fixedSql(at('h.rests_since'))})::text as entry
    from webhooks h where h.workspace_id = ${workspaceId} and h.revoked_at is null and h.id > ${after} order by h.id limit ${PAGE}`);
}

export const peopleHeads = ['Name', 'Email', 'Role', 'Kind', 'Time zone', 'Active'];

export function readPeopleCells(tx: Tx, accountId: number, after: number): Promise<readonly Entry[]> {
  return tx.any(sql.type(Entry)`
    select u.id, json_build_array(u.name, u.email, u.account_role, u.kind, u.timezone, case when u.active then 'yes' else 'no' end)::text as entry
    from users u where u.account_id = ${accountId} and u.id > ${after} order by u.id limit ${PAGE}`);
}

const Kept = z.object({ id: z.number(), blobId: z.number(), itemId: z.number(), name: z.string(), size: z.number() });

/** Files that readers may open (behaviour §35). */
export function readFiles(tx: Tx, workspaceId: number, after: number): Promise<readonly z.infer<typeof Kept>[]> {
  return tx.any(sql.type(Kept)`
    select f.id, b.id as "blobId", f.item_id as "itemId", f.name, f.size
    from item_files f join blobs b on b.account_id = f.account_id and b.id = f.blob_id
    where f.workspace_id = ${workspaceId} and f.state = 'ready' and f.removed_at is null and f.id > ${after}
    order by f.id limit ${PAGE}`);
}
