import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { accessTo } from '../access/queries.ts';
import { type Fragment, fixedSql, instantText, type Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { fieldNames, fields, isLink } from '../items/fields.ts';
import { forecastReaders } from '../workspaces/schema.ts';

export const PAGE = 200;

/** All pages read the same snapshot. Disables sequential scans, which would read the tables of all accounts. */
export async function beginExport(tx: Tx): Promise<void> {
  await tx.query(sql.unsafe`set transaction isolation level repeatable read, read only`);
  await tx.query(sql.unsafe`
    select set_config(name, value, true) from (values ('enable_seqscan', 'off'), ('enable_hashjoin', 'off'), ('enable_mergejoin', 'off')) as settings (name, value)`);
}

export const Entry = z.object({ id: z.number(), entry: z.string() });
export type Entry = z.infer<typeof Entry>;

const Account = z.object({ name: z.string() });

export async function readAccountName(tx: Tx, accountId: number): Promise<string | null> {
  return tx.maybeOneFirst(sql.type(Account)`select name from accounts where id = ${accountId}`);
}

const Region = z.object({ region: z.string().nullable() });

export function readHolidayRegion(tx: Tx, accountId: number): Promise<string | null> {
  return tx.oneFirst(sql.type(Region)`select holiday_region as region from accounts where id = ${accountId}`);
}

const instant = (column: string) => fixedSql(instantText(column));

const daysIn = (column: string) =>
  fixedSql(`array(select d from unnest(array['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']) with ordinality n (d, i)
        where ${column} & (1 << (i - 1)::integer) > 0 order by i)`);

/** `reasons`: also private reasons of absences. */
export function readUsers(tx: Tx, accountId: number, after: number, reasons: boolean) {
  return tx.any(sql.type(Entry)`
    select id, json_build_object('ref', 'user-' || id, 'email', email, 'name', name, 'accountRole', account_role, 'kind', kind,
      'timezone', timezone, 'weeklyHours', weekly_minutes / 60.0::float8, 'active', active, 'workingDays', ${daysIn('weekdays')},
      'holidayRegion', holiday_region,
      'hours', (select coalesce(json_agg(json_build_object('from', h.starts_on, 'weeklyHours', h.weekly_minutes / 60.0::float8,
          'workingDays', ${daysIn('h.weekdays')}) order by h.starts_on), '[]') from working_hours h where h.user_id = users.id),
      'absences', (select coalesce(json_agg(json_build_object('from', o.first_day, 'to', o.last_day, 'half', o.half, 'reason', case when ${reasons} or o.shared then o.reason else '' end,
          'shared', o.shared) order by o.first_day), '[]') from absences o where o.user_id = users.id))::text as entry
    from users where account_id = ${accountId} and id > ${after} order by id limit ${PAGE}`);
}

export function readFolders(tx: Tx, accountId: number, after: number) {
  return tx.any(sql.type(Entry)`
    select id, json_build_object('user', 'user-' || user_id, 'name', name)::text as entry
    from note_folders where account_id = ${accountId} and id > ${after} order by id limit ${PAGE}`);
}

const Note = Entry.extend({ userId: z.number(), cipher: z.string().nullable() });
export type Note = z.infer<typeof Note>;

/** Without attachments and ciphertext. Smaller pages, because a note may have 128 KiB and its ciphertext 256 KiB. */
export function readNotes(tx: Tx, accountId: number, after: number) {
  return tx.any(sql.type(Note)`
    select n.id, n.user_id as "userId", n.cipher,
      json_strip_nulls(json_build_object('ref', 'note-' || n.id, 'user', 'user-' || n.user_id, 'folder', f.name,
      'html', case when n.cipher is null then n.html end, 'protection', n.protection,
      'createdAt', ${instant('n.created_at')}, 'updatedAt', ${instant('n.updated_at')}))::text as entry
    from personal_notes n left join note_folders f on f.id = n.folder_id
    where n.account_id = ${accountId} and n.id > ${after} order by n.id limit ${PAGE / 10}`);
}

const Attachment = z.object({ id: z.number(), name: z.string(), content: z.instanceof(Buffer) });

/** The next attachment of a note. One at a time, because each may have 5 MiB. */
export function readAttachment(tx: Tx, accountId: number, noteId: number, after: number) {
  return tx.maybeOne(sql.type(Attachment)`
    select id, name, bytes_of(account_id, blob_id) as content from note_attachments
    where account_id = ${accountId} and note_id = ${noteId} and id > ${after} order by id limit 1`);
}

const Key = z.object({ id: z.number(), userId: z.number(), name: z.string(), rights: z.number(), expiresAt: z.string().nullable() });

/** Keys that are not revoked, expired ones included. */
export function readKeys(tx: Tx, accountId: number, after: number) {
  return tx.any(sql.type(Key)`
    select k.id, k.user_id as "userId", k.name, k.rights, ${instant('k.expires_at')} as "expiresAt"
    from rest_keys k join users u on u.id = k.user_id and u.active
    where k.account_id = ${accountId} and k.revoked_at is null and k.id > ${after} order by k.id limit ${PAGE}`);
}

const Connection = Key.extend({
  noteRights: z.number(),
  timezone: z.string(),
  plainLanguage: z.boolean(),
  workspaces: z.array(z.string()),
});

export function readConnections(tx: Tx, accountId: number, after: number) {
  return tx.any(sql.type(Connection)`
    select c.id, c.user_id as "userId", c.name, c.rights, ${instant('c.expires_at')} as "expiresAt", c.note_rights as "noteRights", c.timezone,
      c.plain_language as "plainLanguage",
      coalesce((select json_agg('workspace-' || cw.workspace_id order by cw.workspace_id) from connection_workspaces cw
        where cw.connection_id = c.id and cw.disconnected_at is null), '[]') as workspaces
    from connections c join users u on u.id = c.user_id and u.active
    where c.account_id = ${accountId} and c.revoked_at is null and c.id > ${after} order by c.id limit ${PAGE}`);
}

const Workspace = z.object({
  id: z.number(),
  name: z.string(),
  sample: z.boolean(),
  archived: z.boolean(),
  mcpEnabled: z.boolean(),
  mcpRights: z.number(),
  forecasts: z.enum(forecastReaders),
});

export function readWorkspaces(tx: Tx, accountId: number, after: number, only: number | null = null) {
  return tx.any(sql.type(Workspace)`
    select id, name, sample, archived_at is not null as archived, mcp_enabled as "mcpEnabled", mcp_rights as "mcpRights", forecasts
    from workspaces where account_id = ${accountId} and id > ${after} and (${only}::bigint is null or id = ${only}) order by id limit ${PAGE}`);
}

export function readMembers(tx: Tx, workspaceId: number, after: number) {
  return tx.any(sql.type(Entry)`
    select user_id as id, json_build_object('user', 'user-' || user_id, 'role', role, 'timeOversight', time_oversight, 'access', overrides)::text as entry
    from memberships where workspace_id = ${workspaceId} and user_id > ${after} order by user_id limit ${PAGE}`);
}

const Text = z.object({ entry: z.string() });

export function readStatuses(tx: Tx, workspaceId: number) {
  return tx.anyFirst(sql.type(Text)`
    select json_build_object('key', key, 'label', label, 'types', types, 'status', status, 'wipItems', wip_items, 'wipHours', wip_hours)::text as entry
    from statuses where workspace_id = ${workspaceId} order by position, key`);
}

export function readPriorities(tx: Tx, workspaceId: number) {
  return tx.anyFirst(sql.type(Text)`
    select json_build_object('key', key, 'label', label, 'rank', rank, 'default', is_default)::text as entry
    from priorities where workspace_id = ${workspaceId} order by rank, key`);
}

export function readLabels(tx: Tx, workspaceId: number) {
  return tx.anyFirst(sql.type(Text)`
    select json_build_object('name', name, 'color', color, 'description', description, 'archived', archived_at is not null)::text as entry
    from labels where workspace_id = ${workspaceId} and merged_into is null order by lower(name), id`);
}

const SMALL_PAGE = 10;

/** Small pages, because a template may have 2 MB. Labels by name; a merged one is the other. */
export function readTemplates(tx: Tx, workspaceId: number, after: number) {
  return tx.any(sql.type(Entry)`
    select t.id, json_build_object('name', t.name, 'items', (
      select jsonb_agg(e.item || jsonb_build_object('labels', coalesce((
          select jsonb_agg(distinct now.name) from jsonb_array_elements_text(e.item -> 'labels') given
          join labels l on l.id = given::bigint join labels now on now.id = coalesce(l.merged_into, l.id)), '[]')) order by e.n)
      from jsonb_array_elements(t.items) with ordinality e (item, n)))::text as entry
    from templates t where t.workspace_id = ${workspaceId} and t.id > ${after} order by t.id limit ${SMALL_PAGE}`);
}

/** Series that have not ended. */
export function readSeries(tx: Tx, workspaceId: number, after: number) {
  return tx.any(sql.type(Entry)`
    select r.id, json_build_object('item', 'item-' || r.item_id, 'user', 'user-' || r.user_id, 'rule', r.rule, 'mode', r.mode,
      'startsOn', r.starts_on, 'lastOn', r.last_on, 'paused', r.state = 'paused')::text as entry
    from recurrences r where r.workspace_id = ${workspaceId} and r.state <> 'ended' and r.id > ${after} order by r.id limit ${PAGE}`);
}

const pointer = (column: string, kind: string) =>
  `case when ${column} is not null then jsonb_build_object('ref', '${kind}-' || ${column}) end`;

function fieldValue(name: (typeof fieldNames)[number]): string {
  const column = `i.${fields[name].column}`;
  if (name === 'assigneeId') return pointer(column, 'user');
  return isLink(name) ? pointer(column, 'item') : column;
}

const itemFields = fixedSql(`jsonb_strip_nulls(jsonb_build_object(${fieldNames.map((name) => `'${name}', ${fieldValue(name)}`).join(', ')}))
  || case when i.type = 'task' and i.priority_key is null then '{"priorityKey": null}' else '{}' end::jsonb`);
/** Each property is null if the item has none of them. */
const relations = fixedSql(`
  'labels', (select jsonb_agg(l.name order by lower(l.name), l.id) from item_labels o join labels l on l.id = o.label_id where o.item_id = i.id),
  'blockedBy', (select jsonb_agg(jsonb_build_object('ref', 'item-' || d.blocker_id, 'lagDays', d.lag_days) order by d.blocker_id)
    from item_dependencies d where d.item_id = i.id),
  'source', (select jsonb_build_object('name', k.source, 'key', coalesce(k.key, k.shadowed_key), 'url', k.url,
      'shadowed', case when k.shadowed_key is not null then true end)
    from imported_items k where k.item_id = i.id and coalesce(k.key, k.shadowed_key) is not null)`);
const owner = fixedSql(pointer('i.owner_id', 'user'));

export function readItems(tx: Tx, workspaceId: number, after: number) {
  return tx.any(sql.type(Entry)`
    select i.id, (jsonb_strip_nulls(jsonb_build_object('ref', 'item-' || i.id, 'type', i.type, 'title', i.title, 'description', i.description,
      'status', i.status, 'archived', i.archived_at is not null, 'createdAt', ${instant('i.created_at')},
      'completedAt', ${instant('i.completed_at')}, 'ownerId', ${owner}, ${relations})) || jsonb_build_object('fields', ${itemFields}))::text as entry
    from items i where i.workspace_id = ${workspaceId} and i.id > ${after} order by i.id limit ${PAGE}`);
}

/** Start of a page of rows that belong to items. Their tables have no index by workspace, but one by item. */
export interface Place {
  item: number;
  id: number;
}
const Placed = Entry.extend({ item: z.number() });

/** `only`: condition. `caller`: adds the CTE `access` for `entry` and `only`. */
interface Shown {
  only?: Fragment;
  caller?: Caller | undefined;
}

export const ofItems = (
  tx: Tx,
  table: string,
  entry: Fragment,
  workspaceId: number,
  after: Place,
  { only = sql.fragment`true`, caller }: Shown = {},
) =>
  tx.any(sql.type(Placed)`
    ${caller ? sql.fragment`with ${accessTo(caller, workspaceId)}` : sql.fragment``}
    select i.id as item, x.id, json_strip_nulls(${entry})::text as entry
    from items i join ${sql.identifier([table])} x on x.item_id = i.id ${caller ? fixedSql('cross join access') : sql.fragment``}
    where i.workspace_id = ${workspaceId} and i.id >= ${after.item} and (i.id > ${after.item} or x.id > ${after.id}) and ${only}
    order by i.id, x.id limit ${PAGE}`);

const comment = fixedSql(`json_build_object('item', 'item-' || x.item_id, 'author', 'user-' || x.author_id, 'body', x.body,
  'originalBody', case when x.edited_at is null then x.original_body end, 'createdAt', ${instantText('x.created_at')}, 'reactions', (select json_agg(json_build_object(
      'user', 'user-' || r.user_id, 'reaction', r.reaction, 'createdAt', ${instantText('r.created_at')}) order by r.created_at, r.user_id, r.reaction)
    from comment_reactions r where r.comment_id = x.id))`);
export const readComments = (tx: Tx, workspaceId: number, after: Place) => ofItems(tx, 'comments', comment, workspaceId, after);

/** The person who gets the export. `overseen`: the workspaces in which they may see the recorded time of others. */
export interface Reader {
  userId: number;
  overseen: readonly number[];
}

const isOwn = (reader: Reader | null) => (reader ? sql.fragment`x.user_id = ${reader.userId}` : sql.fragment`true`);

/** Recorded time `x` of others is for who oversees the workspace in which it was written (behaviour §42.7). */
export const seesTime = ({ userId, overseen }: Reader): Fragment =>
  sql.fragment`(x.user_id = ${userId} or coalesce(x.written_in, x.workspace_id) = any(${sql.array([...overseen], 'int8')}))`;

/** Of time that was written in another workspace: that workspace, if the file has it. */
const writtenIn = (whole: boolean) => {
  const known = `${whole} and exists (select from workspaces w where w.id = x.written_in)`;
  return `'writtenIn', case when ${known} then 'workspace-' || x.written_in end,
  'writtenElsewhere', case when x.written_in is not null and not (${known}) then true end`;
};

/** A running timer ends at the time of the export. Notes of others are private. `whole`: the file has all workspaces of the account. */
const time = (reader: Reader | null, whole: boolean) =>
  sql.fragment`${fixedSql(`json_build_object('user', 'user-' || x.user_id, 'item', 'item-' || x.item_id,
  'date', case when x.kind = 'manual' then x.day end, 'minutes', case when x.kind = 'manual' then x.minutes end,
  'startedAt', ${instantText('x.started_at')}, ${writtenIn(whole)},
  'endedAt', case when x.kind = 'timer' then ${instantText('greatest(x.started_at, coalesce(x.ended_at, now()))')} end, 'note', case when`)} ${isOwn(reader)} then x.note else '' end)`;
/** Excludes corrected entries of 0 minutes, which an import can't create. */
const counts = fixedSql(`(x.kind = 'timer' or x.minutes > 0)`);
export function readTimeEntries(tx: Tx, workspaceId: number, after: Place, reader: Reader | null, whole: boolean) {
  const seen = reader ? seesTime(reader) : sql.fragment`true`;
  return ofItems(tx, 'time_entries', time(reader, whole), workspaceId, after, { only: sql.fragment`${counts} and ${seen}` });
}

/** A running block becomes finished, because its timer ends. */
const block = fixedSql(`json_build_object('ref', 'block-' || x.id, 'user', 'user-' || x.user_id, 'item', 'item-' || x.item_id,
  'startLocal', x.start_local, 'endLocal', x.end_local, 'timezone', x.timezone, 'note', x.note, 'autoStart', x.auto_start,
  'autoStop', x.auto_stop, 'remindStart', x.remind_start, 'remindMinutes', x.remind_minutes,
  'remindEnd', x.remind_end,
  'state', case x.state when 'running' then 'finished' else x.state end, 'reason', x.reason)`);
export const readBlocks = (tx: Tx, workspaceId: number, after: Place, reader: Reader | null = null) =>
  ofItems(tx, 'plan_blocks', block, workspaceId, after, { only: isOwn(reader) });
