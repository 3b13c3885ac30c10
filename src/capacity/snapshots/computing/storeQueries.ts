import type { ClientBase } from 'pg';
import type { Part, StoredLine } from '../../forecast/outline.ts';
import type { Explained, ProjectForecast, TrendPoint } from '../../forecast/schema.ts';
import type { Scope } from './source.ts';

/** One computation of a forecast at a time. A session lock, because waiting in the transaction would make its snapshot old. */
export async function tryLock(client: ClientBase, forecastId: number): Promise<boolean> {
  const { rows } = await client.query('select pg_try_advisory_lock($1, $2::integer) as locked', [LOCK_SPACE, forecastId % 2 ** 31]);
  return rows[0].locked;
}

export async function unlock(client: ClientBase, forecastId: number): Promise<void> {
  await client.query('select pg_advisory_unlock($1, $2::integer)', [LOCK_SPACE, forecastId % 2 ** 31]);
}

const LOCK_SPACE = 0x43_41_50;

/** True if a snapshot of today is newer than `since` (ISO instant). */
export async function isFresh(client: ClientBase, forecastId: number, since: string | null): Promise<boolean> {
  const { rows } = await client.query(
    `select ($2::timestamptz is null or as_of > $2::timestamptz)
              and exists (select from capacity_pages where snapshot_id = capacity_snapshots.id and part = 'head' and n = 0)
              and not exists (select from capacity_projects where snapshot_id = capacity_snapshots.id and line is null) as fresh
     from capacity_snapshots where forecast_id = $1 and day = current_date order by as_of desc limit 1`,
    [forecastId, since],
  );
  return rows[0]?.fresh ?? false;
}

/** What a snapshot includes, as text. */
export interface Begun {
  day: string;
  asOf: string;
  seen: string;
}

/** Don't write before the commit: changes of all accounts wait for the oldest transaction that writes (behaviour §15.4). */
export async function beginReading(client: ClientBase): Promise<Begun> {
  await client.query('begin isolation level repeatable read read only; set local cursor_tuple_fraction = 1');
  const { rows } = await client.query('select current_date::text as day, now()::text as "asOf", pg_current_snapshot()::text as seen');
  return rows[0];
}

export async function scopeOf(client: ClientBase, forecastId: number): Promise<Scope | undefined> {
  const { rows } = await client.query(
    `select account_id as "accountId", workspace_id as "workspaceId", array_to_json(workspace_ids) as "workspaceIds",
            week - date '1970-01-01' as from, current_date - date '1970-01-01' as today
     from capacity_forecasts where id = $1`,
    [forecastId],
  );
  return rows[0];
}

export async function scopeOfWorkspace(client: ClientBase, workspaceId: number): Promise<Scope | undefined> {
  const { rows } = await client.query(
    `select account_id as "accountId", id as "workspaceId", json_build_array(id) as "workspaceIds",
            date_trunc('week', current_date)::date - date '1970-01-01' as from, current_date - date '1970-01-01' as today
     from workspaces where id = $1 and archived_at is null`,
    [workspaceId],
  );
  return rows[0];
}

/** Readers don't find it until `closeSnapshot`, because it has no day. Call it with the lock of `tryLock`. */
export async function openSnapshot(client: ClientBase, accountId: number, forecastId: number, { asOf, seen }: Begun): Promise<number> {
  const { rows } = await client.query(
    `with unfinished as (delete from capacity_snapshots where forecast_id = $2 and day = 'infinity')
     insert into capacity_snapshots (account_id, forecast_id, day, as_of, seen) values ($1, $2, 'infinity', $3, $4::pg_snapshot) returning id`,
    [accountId, forecastId, asOf, seen],
  );
  return rows[0].id;
}

export async function addPiece(client: ClientBase, accountId: number, snapshotId: number, n: number, text: string): Promise<void> {
  const values = [accountId, snapshotId, n, text];
  await client.query({
    name: 'capacity-piece',
    text: 'insert into capacity_pieces (account_id, snapshot_id, n, text) values ($1, $2, $3, $4)',
    values,
  });
}

export async function addPage(client: ClientBase, accountId: number, snapshotId: number, { part, n, text }: Page): Promise<void> {
  await client.query({
    name: 'capacity-page',
    text: 'insert into capacity_pages (account_id, snapshot_id, part, n, text) values ($1, $2, $3, $4, $5)',
    values: [accountId, snapshotId, part, n, text],
  });
}

interface Page {
  part: Part;
  n: number;
  text: string;
}

/** Figures that are queried individually: dates of projects, and overloaded people by week. */
export async function addFigures(client: ClientBase, accountId: number, snapshotId: number, figures: Figures): Promise<void> {
  await client.query(
    `with stands as (
       insert into capacity_projects
         (account_id, snapshot_id, project_id, forecast_date, buffered_date, outlook, explained, place, line, workspace_ids)
       select $1, $2, p.id, p."forecastDate", p."bufferedDate", p.outlook, p.explained, p.place, p.line,
         case when json_typeof(p."workspaceIds") = 'array' then array(select value::bigint from json_array_elements_text(p."workspaceIds")) end
       from json_to_recordset($3::json) as p
         (id bigint, "forecastDate" date, "bufferedDate" date, outlook text, explained json, place integer, line json, "workspaceIds" json))
     insert into capacity_overloads (account_id, snapshot_id, user_id, week)
     select $1, $2, o.id, o.week from json_to_recordset($4::json) as o (id bigint, week date)`,
    [accountId, snapshotId, JSON.stringify(figures.projects), JSON.stringify(figures.overloads)],
  );
}

export interface Figures {
  projects: (Pick<ProjectForecast, 'id' | 'forecastDate' | 'bufferedDate' | 'outlook'> & {
    explained: Explained | null | undefined;
    place: number;
    line: StoredLine;
    workspaceIds: number[] | null;
  })[];
  overloads: { id: number; week: string }[];
}

export async function closeSnapshot(client: ClientBase, snapshotId: number, etag: string, day: string): Promise<void> {
  await client.query(
    'update capacity_snapshots set etag = $2, day = $3, took_ms = extract(milliseconds from clock_timestamp() - as_of) where id = $1',
    [snapshotId, etag, day],
  );
}

/** Pieces per fetch, about 64 KiB each, so that memory never holds a whole large answer. */
export const PIECES_AT_ONCE = 8;

export const SNAPSHOT_CHANNEL = 'capacity_snapshot';
const WEEKS_KEPT = 32;

/** Large snapshots are kept this long after their replacement, because a client may still be reading one. */
const BEING_READ = '1 minute';

/** Call it after the commit. Notifies waiting readers and deletes replaced snapshots. */
export async function announce(client: ClientBase, forecastId: number): Promise<void> {
  await client.query(
    `with newest as (select as_of from capacity_snapshots where forecast_id = $1 and day = current_date order by as_of desc limit 1),
     old as (
       delete from capacity_snapshots s using newest where s.forecast_id = $1 and s.as_of < newest.as_of
         and (not exists (select from capacity_pieces where snapshot_id = s.id and n = ${PIECES_AT_ONCE})
              or exists (select from capacity_snapshots next where next.forecast_id = $1 and next.as_of > s.as_of
                           and next.as_of < now() - interval '${BEING_READ}'))),
     there as (update capacity_forecasts set asked_at = null where id = $1 and asked_at is not null),
     many as (
       delete from capacity_forecasts where id in (
         select f.id from capacity_forecasts f join capacity_forecasts me on me.scope_key = f.scope_key
         where me.id = $1 order by f.read_at desc, f.id desc offset ${WEEKS_KEPT}))
     select pg_notify('${SNAPSHOT_CHANNEL}', $1::text)`,
    [forecastId],
  );
}

/** Stores the trend points of `day` for projects that existed then. Existing points stay. */
export async function addTrendPoints(
  client: ClientBase,
  { accountId, workspaceId }: Scope,
  day: string,
  points: (TrendPoint & { projectId: number })[],
): Promise<void> {
  await client.query(
    `insert into trend_points (account_id, workspace_id, project_id, day, scope_hours, remaining_hours, weighted_progress)
     select $1, $2, p."projectId", $3, p."scopeHours", p."remainingHours", p."weightedProgress"
     from json_to_recordset($4::json) as p ("projectId" bigint, "scopeHours" float8, "remainingHours" float8, "weightedProgress" float8)
     join items i on i.id = p."projectId" and i.created_at < $3::date + 1
     on conflict do nothing`,
    [accountId, workspaceId, day, JSON.stringify(points)],
  );
}
