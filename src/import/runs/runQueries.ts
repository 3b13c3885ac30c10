/** SQL of imports: their state, choices and progress (behaviour §36.20). */
import { z } from 'zod';
import { type AccountPermit, runsWorkspace } from '../../access/accountAccessQueries.ts';
import type { Caller, Permit } from '../../access/caller.ts';
import { AccessRow, accessTo, permitOf } from '../../access/queries.ts';
import { bits, holds } from '../../access/rights.ts';
import type { Tx } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';
import { sqlState } from '../../operations/refusals.ts';
import { markForecastOf } from '../../queue/jobs.ts';
import { Conflict, CredentialRefused, Forbidden, InvalidRequest } from '../../values/errors.ts';
import type { ImportMap } from '../sources/map.ts';
import type { Format } from '../sources/source.ts';
import type { Prepared } from './readRows.ts';
import { type Counts, type importStates, Run, type RunCaller } from './schema.ts';

const Allowed = AccessRow.extend({ manages: z.boolean() });
const IMPORT_RIGHTS = bits('tasks', 'write') | bits('comments', 'write');

/** For owners and managers of the workspace, and members who administer the account, who may write tasks and comments. Throws Forbidden,
 *  Unauthenticated. */
export async function importPermit(tx: Tx, caller: Caller, workspaceId: number): Promise<Permit> {
  if (caller.kind === 'key' || caller.kind === 'agent') throw new Forbidden();
  const row = await tx.maybeOne(sql.type(Allowed)`
    with ${accessTo(caller, workspaceId)}
    select access.account_id, access.user_id, access.workspace_id, access.rights, access.context_rights,
      coalesce(access.role in ('owner', 'manager'), false)
        or exists (select from users u where u.id = access.user_id and u.account_role in ('owner', 'admin')) as manages
    from access`);
  if (!row) throw new CredentialRefused();
  if (row.workspace_id === null || !row.manages || !holds(row.rights, IMPORT_RIGHTS)) throw new Forbidden();
  return permitOf(caller, row, row.workspace_id);
}

/** For those who run the workspace (behaviour §12.13). Null for others. */
export const statusPermit = (tx: Tx, caller: Caller, workspaceId: number): Promise<AccountPermit | null> =>
  runsWorkspace(tx, caller, workspaceId).catch((error) => {
    if (error instanceof Forbidden) return null;
    throw error;
  });

/** Throws InvalidRequest. */
export async function requireStatusPermit(tx: Tx, caller: Caller, workspaceId: number): Promise<AccountPermit> {
  const permit = await statusPermit(tx, caller, workspaceId);
  if (permit) return permit;
  throw new InvalidRequest(
    [],
    'Only an owner of the workspace or an administrator of the account can create statuses. Use the nearest ones, or ask one of them to start or resume this import.',
  );
}

/** Like importPermit. Keeps the membership from changing until the transaction ends. */
export async function heldPermit(tx: Tx, caller: RunCaller, workspaceId: number): Promise<Permit> {
  await tx.query(sql.unsafe`select from memberships where user_id = ${caller.userId} and workspace_id = ${workspaceId} for share`);
  return importPermit(tx, caller, workspaceId);
}

const run = sql.fragment`m.id, m.account_id as "accountId", m.workspace_id as "workspaceId", m.user_id as "userId", m.source, m.state,
  m.blob_id as "blobId", m.file_size as "fileSize", m.map, (select r.survey from import_reports r where r.import_id = m.id) as survey, m.revision, m.staged, m.done`;

export const readRun = (tx: Tx, id: number): Promise<Run | null> =>
  tx.maybeOne(sql.type(Run)`select ${run} from imports m where m.id = ${id}`);

/** Null unless the import is in this state. The lock makes batches of two workers take turns. */
export const lockRun = (tx: Tx, id: number, state: Run['state']): Promise<Run | null> =>
  tx.maybeOne(sql.type(Run)`select ${run} from imports m where m.id = ${id} and m.state = ${state} for update`);

const Id = z.object({ id: z.number() });

export interface NewImport {
  source: Format;
  fileName: string;
  blobId: number;
  fileSize: number;
  map: object;
}

export function insertImport(tx: Tx, permit: Permit, { source, fileName, blobId, fileSize, map }: NewImport): Promise<number> {
  return tx.oneFirst(sql.type(Id)`
    insert into imports (account_id, workspace_id, user_id, source, file_name, blob_id, file_size, map, state)
    values (${permit.accountId}, ${permit.workspaceId}, ${permit.userId}, ${source}, ${fileName}, ${blobId}, ${fileSize}, ${JSON.stringify(map)}::jsonb, 'reading')
    returning id`);
}

const MOST_AT_ONCE = 3;

/** People take turns: throws Conflict with `problem` while workers have as many imports of the person in these states. `besides`: an import
 *  that does not count. */
async function refuseMore(
  tx: Tx,
  { accountId, userId }: Permit,
  states: readonly (typeof importStates)[number][],
  { besides = null, problem }: { besides?: number | null; problem: string },
): Promise<void> {
  // Simultaneous requests wait for each other.
  await tx.query(sql.unsafe`select from users where id = ${userId} for no key update`);
  const found = await tx.anyFirst(sql.type(Id)`
    select id from imports where account_id = ${accountId} and user_id = ${userId} and state = any(${sql.array([...states], 'text')})
      and id is distinct from ${besides}::bigint limit ${MOST_AT_ONCE}`);
  if (found.length === MOST_AT_ONCE) throw new Conflict(problem);
}

/** `importId`: of the import to read, if it exists. */
export const refuseMoreReading = (tx: Tx, permit: Permit, importId: number | null): Promise<void> =>
  refuseMore(tx, permit, ['reading'], {
    besides: importId,
    problem: `Your last ${MOST_AT_ONCE} files are still being read. Wait until one is ready, or discard one, then try again.`,
  });

export const refuseMoreWriting = (tx: Tx, permit: Permit): Promise<void> =>
  refuseMore(tx, permit, ['running', 'undoing'], {
    problem: `${MOST_AT_ONCE} of your imports are still being written. Wait until one ends, then try again.`,
  });

const Revision = z.object({ revision: z.number() });

/** The import becomes this person's. Returns the new revision; null if the import was started. */
export const changeChoices = (tx: Tx, permit: Permit, id: number, source: Format, map: ImportMap): Promise<number | null> =>
  tx.maybeOneFirst(sql.type(Revision)`
    update imports set user_id = ${permit.userId}, source = ${source}, map = ${JSON.stringify(map)}::jsonb, state = 'reading', problem = null, revision = revision + 1
    where id = ${id} and workspace_id = ${permit.workspaceId} and state in ('reading', 'ready', 'unreadable') and blob_id is not null
    returning revision`);

/** Does nothing if the choices have changed since. */
export async function storePrepared(tx: Tx, id: number, revision: number, { survey, report, preview }: Prepared): Promise<void> {
  await tx.query(sql.unsafe`
    with m as (
      update imports set state = 'ready', total = ${report.issues} where id = ${id} and revision = ${revision} and state = 'reading'
      returning id, account_id
    )
    insert into import_reports (account_id, import_id, survey, report, preview)
    select account_id, id, ${JSON.stringify(survey)}::jsonb, ${JSON.stringify(report)}::jsonb, ${JSON.stringify(preview)}::jsonb from m
    on conflict (import_id) do update set survey = excluded.survey, report = excluded.report, preview = excluded.preview`);
}

export async function storeUnreadable(tx: Tx, id: number, revision: number, problem: string): Promise<void> {
  await tx.query(sql.unsafe`
    with m as (
      update imports set state = 'unreadable', problem = ${problem} where id = ${id} and revision = ${revision} and state = 'reading' returning id
    )
    delete from import_reports where import_id = any(select id from m)`);
}

/** Throws Conflict while another import writes into the workspace, and if this one can't start. */
export async function beginRun(tx: Tx, permit: Permit, id: number, from: 'ready' | 'stopped'): Promise<void> {
  const begun = await onlyOne(
    tx.maybeOneFirst(sql.type(Id)`
      update imports set state = 'running', problem = null, user_id = ${permit.userId}, started_at = coalesce(started_at, now()),
        finished_at = null, resumed_at = now(), resumed_at_place = done
      where id = ${id} and workspace_id = ${permit.workspaceId} and state = ${from} and blob_id is not null returning id`),
  );
  if (begun === null) throw new Conflict('This import has changed. Reload the page.');
}

/** The result of a statement that starts to write. Throws Conflict if a unique index refuses a second import in the workspace. */
export const onlyOne = <Result>(begun: Promise<Result>): Promise<Result> =>
  begun.catch((error) => {
    if (sqlState(error) !== '23505') throw error;
    throw new Conflict('Another import is running in this workspace. Wait until it ends, or cancel it, then start this one.');
  });

/** Also for undo. Without effect unless it is under way. */
export const endRun = (tx: Tx, id: number, state: 'stopped' | 'done' | 'undone', problem: string | null): Promise<number | null> =>
  tx.maybeOneFirst(sql.type(Id)`
    update imports set state = ${state}, problem = ${problem}, finished_at = now(), map = case when ${state} = 'stopped' then map else map - 'people' end
    where id = ${id} and state in ('running', 'undoing') returning id`);

export async function advance(tx: Tx, id: number, done: number, counts: Counts): Promise<void> {
  const { created, updated, unchanged, refused, comments } = counts;
  await tx.query(sql.unsafe`
    update imports set done = ${done}, created = created + ${created}, updated = updated + ${updated}, unchanged = unchanged + ${unchanged},
      refused = refused + ${refused}, comments = comments + ${comments}
    where id = ${id}`);
}

/** Deletes an import that was not started, with its file. */
export async function deleteDraft(tx: Tx, permit: Permit, id: number): Promise<boolean> {
  const gone = await tx.maybeOneFirst(sql.type(Id)`
    with gone as (
      delete from imports where id = ${id} and workspace_id = ${permit.workspaceId} and state in ('reading', 'ready', 'unreadable')
      returning id, account_id, blob_id
    ), file as (
      delete from blobs b using gone where b.account_id = gone.account_id and b.id = gone.blob_id
    )
    select id from gone`);
  return gone !== null;
}

export async function stopRun(tx: Tx, permit: Permit, id: number): Promise<boolean> {
  const stopped = await tx.maybeOneFirst(sql.type(Id)`
    update imports set state = 'stopped', problem = null, finished_at = now()
    where id = ${id} and workspace_id = ${permit.workspaceId} and state = 'running' returning id`);
  if (stopped !== null) await markForecastOf(tx, permit.workspaceId);
  return stopped !== null;
}
