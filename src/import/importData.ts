/** `import`: imports a whole file or nothing, in one transaction (behaviour §2.5). */

import { newSecret } from '../access/secrets.ts';
import { type Holiday, holidaysOf } from '../accounts/holidays.ts';
import { hashPassword, requireStrong } from '../accounts/password.ts';
import { storeHolidays } from '../accounts/workingTimeQueries.ts';
import { auditEvent, operator } from '../audit/audit.ts';
import type { Db, Tx } from '../database/db.ts';
import { explainTrouble, isDatabaseFailure } from '../database/trouble.ts';
import { asAppError } from '../operations/refusals.ts';
import { scheduleImportedBlocks } from '../plans/schedule.ts';
import { markForecastOf } from '../queue/jobs.ts';
import { errorAt, InvalidRequest, Unavailable } from '../values/errors.ts';
import { elementAt, valueAt } from '../values/records.ts';
import { existingMinutes, idsOfExisting, peopleOf, readExisting } from './existing.ts';
import { readAccountName } from './exportQueries.ts';
import { type Source, sourceOf } from './file/source.ts';
import { type ImportTarget, idsOf, type Unassigned, type WorkspaceImport } from './home.ts';
import { Imported, type ImportedRef } from './imported.ts';
import { itemRows } from './items.ts';
import { numberAll } from './numbering.ts';
import { writeNotes } from './personalNotes.ts';
import { allowBeyondLimits, chunks, insertRows, lookUpByIndex, type Row, readUnassignable, type Table, takenEmails } from './queries.ts';
import { ReadFile } from './readFile.ts';
import { writeRelations } from './relations.ts';
import { writeRepeated } from './repeated.ts';
import {
  absenceRows,
  blockRows,
  commentRows,
  connectionRows,
  connectionWorkspaceRows,
  hoursRows,
  keyRows,
  memberRows,
  priorityRows,
  reactionRows,
  statusRows,
  timeRows,
  userRows,
  workspaceRows,
} from './rows.ts';
import type { ImportFile } from './schema.ts';
import { addPriorities, addStatuses, clearWords, readWorkflows } from './workflowQueries.ts';

/** Imports a small value and returns the result of each ref (behaviour §2.8). Throws like `importFile`. */
export async function importData(db: Db, json: unknown): Promise<Record<string, ImportedRef>> {
  const imported = await importFile(db, sourceOf(Buffer.from(JSON.stringify(json) ?? '')));
  return Object.fromEntries(imported.refs());
}

export interface ImportSettings {
  /** If true, leaves out assignees and owners who may not be assigned. If false, refuses the file (behaviour §2.25). */
  unassign?: boolean | undefined;
}

/** Throws InvalidRequest with the path of the wrong entry; then nothing was written. */
export async function importFile(db: Db, source: Source, settings: ImportSettings = {}): Promise<Imported> {
  const read = new ReadFile(source);
  const prepared = { hashes: await hashPasswords(db, read.file), holidays: await holidaysIn(read.file) };
  let committing = false;
  try {
    return await db.transaction(async (tx) => {
      const imported = await write(tx, read, prepared, settings);
      refuseChanged(source);
      committing = true;
      return imported;
    });
  } catch (error) {
    refuseChanged(source);
    const refusal = asAppError(error);
    throw refusal.cause && isDatabaseFailure(error) ? databaseFailure(error, committing) : refusal;
  }
}

function databaseFailure(error: unknown, committing: boolean): Unavailable {
  return new Unavailable(
    committing
      ? `The database failed while it saved the import: ${explainTrouble(error)}. The import may have succeeded: check with 'account list' before you import again.`
      : `Nothing was imported, because the database failed: ${explainTrouble(error)}. Run 'doctor', fix what it reports, then import again.`,
  );
}

function refuseChanged(source: Source): void {
  if (source.changed()) throw new InvalidRequest([], 'The file changed while it was read. Import it again without changing it.');
}

/** By region. Runs before the transaction, which must not wait for another thread. */
async function holidaysIn({ accounts }: ImportFile): Promise<Map<string, Holiday[]>> {
  const found = new Map<string, Holiday[]>();
  for (const [a, { holidayRegion, users }] of accounts.entries())
    for (const region of [holidayRegion, ...users.map((user) => user.holidayRegion)])
      if (region && !found.has(region))
        found.set(
          region,
          await holidaysOf(region).catch((error) => {
            throw errorAt(['accounts', a], error);
          }),
        );
  return found;
}

/** Password hashes, by account, then by user index. */
type Hashes = Map<number, string>[];

/** Runs before the transaction, which must not wait for hashing. */
async function hashPasswords(db: Db, file: ImportFile): Promise<Hashes> {
  const hashes: Hashes = [];
  const judged = new Set<string>();
  for (const [a, { name: given, existing, users }] of file.accounts.entries()) {
    const name = given ?? (existing && (await readAccountName(db.pool(), existing.id))) ?? '';
    const own = new Map<number, string>();
    hashes.push(own);
    for (const [u, user] of users.entries()) {
      if (user.password == null) continue;
      const question = JSON.stringify([user.password, name]);
      // Users with the same password: checks it once, against all their names and addresses.
      if (!judged.has(question)) {
        const sharing = users.filter(({ password }) => password === user.password).flatMap((one) => [one.name, one.email]);
        await requireStrong(user.password, [name, ...sharing], ['accounts', a, 'users', u, 'password']);
        judged.add(question);
      }
      own.set(u, await hashPassword(user.password));
    }
  }
  return hashes;
}

async function write(
  tx: Tx,
  read: ReadFile,
  prepared: { hashes: Hashes; holidays: Map<string, Holiday[]> },
  { unassign }: ImportSettings,
): Promise<Imported> {
  await lookUpByIndex(tx);
  await allowBeyondLimits(tx);
  // Locks the existing accounts, so that no other transaction takes an address meanwhile.
  const zones = await readExisting(tx, read);
  await refuseTakenEmails(tx, read.file);
  const accountIds = await numberAll(tx, read);
  const unassigned: Unassigned[] = [];
  const homes = read.file.accounts.map(
    (account, a): ImportTarget => ({
      file: read,
      account,
      a,
      accountId: elementAt(accountIds, a),
      path: ['accounts', a],
      zones,
      unassigned,
    }),
  );
  for (const home of homes) for (const [u, id] of idsOf(home, 'users').entries()) zones.set(id, elementAt(home.account.users, u).timezone);
  const secrets = homes.map(({ account }) => ({
    restKeys: account.restKeys.map(() => newSecret('rest')),
    connections: account.connections.map(() => newSecret('agent')),
  }));
  const add = (table: Table, rowsOf: (home: ImportTarget) => Row[]) => insertRows(tx, table, homes.flatMap(rowsOf));
  await add('accounts', ({ account, accountId }) =>
    account.existing ? [] : [{ id: accountId, name: account.name, holiday_region: account.holidayRegion ?? null }],
  );
  await add('users', (home) => userRows(home, prepared.hashes[home.a]));
  await add('working_hours', hoursRows);
  await add('absences', absenceRows);
  for (const [region, days] of prepared.holidays) await storeHolidays(tx, region, days);
  await add('workspaces', workspaceRows);
  for (const home of homes) await writeWorkspaces(tx, home);
  if (unassigned.length && !unassign) throw new InvalidRequest([], refusalOf(unassigned));
  for (const home of homes) await writeNotes(tx, home);
  await add('rest_keys', (home) => keyRows(home, (n) => elementAt(elementAt(secrets, home.a).restKeys, n).hash));
  await add('connections', (home) => connectionRows(home, (n) => elementAt(elementAt(secrets, home.a).connections, n).hash));
  await add('connection_workspaces', connectionWorkspaceRows);
  for (const { accountId } of homes) await auditEvent(tx, operator('import'), 'account.imported', { type: 'account', id: accountId });
  return new Imported(read, secrets, unassigned);
}

const MOST_NAMED = 1_000;

function refusalOf(unassigned: readonly Unassigned[]): string {
  const places = unassigned.slice(0, MOST_NAMED).map(({ at, person }) => `  ${at}: '${person}'`);
  if (unassigned.length > MOST_NAMED) places.push(`  and ${unassigned.length - MOST_NAMED} more`);
  return [
    'Nothing was imported. These open items have an assignee or owner who cannot be assigned in that workspace:',
    ...places,
    'Assign these items to others, make these people members, or import with --unassign.',
  ].join('\n');
}

/** An email address is unique in an account; other accounts may use it too (behaviour §3.2). */
async function refuseTakenEmails(tx: Tx, { accounts }: ImportFile): Promise<void> {
  for (const [a, { existing, users }] of accounts.entries()) {
    const emails = users.map(({ email }) => email);
    const seen = new Set(existing ? await takenEmails(tx, existing.id, emails) : []);
    for (const [u, { email }] of users.entries()) {
      if (seen.has(email.toLowerCase()))
        throw new InvalidRequest(['accounts', a, 'users', u, 'email'], `${email} is taken; give another address.`);
      seen.add(email.toLowerCase());
    }
  }
}

async function writeWorkspaces(tx: Tx, home: ImportTarget): Promise<void> {
  const ids = idsOf(home, 'workspaces');
  const workspaces = home.account.workspaces.map(
    (workspace, w): WorkspaceImport => ({
      ...home,
      workspace,
      w,
      workspaceId: elementAt(ids, w),
      path: [...home.path, 'workspaces', w],
      unassignable: new Set(),
    }),
  );
  const people = peopleOf(home);
  await insertRows(tx, 'memberships', workspaces.flatMap(memberRows));
  const unassignable = Map.groupBy(await readUnassignable(tx, [...ids], idsOfExisting(home)), ({ workspace_id }) => workspace_id);
  for (const { workspaceId, unassignable: set } of workspaces)
    for (const { user_id } of unassignable.get(workspaceId) ?? []) set.add(user_id);
  await clearWords(
    tx,
    workspaces.filter(({ workspace }) => workspace.workflow === 'whole').map(({ workspaceId }) => workspaceId),
  );
  await addStatuses(tx, workspaces.flatMap(statusRows));
  await addPriorities(tx, workspaces.flatMap(priorityRows));
  const workflows = new Map((await readWorkflows(tx, [...ids])).map((workflow) => [workflow.workspace_id, workflow]));
  const held = await existingMinutes(tx, home);
  for (const at of workspaces) {
    await insertRows(tx, 'items', itemRows(at, valueAt(workflows, at.workspaceId), people));
    await writeRepeated(tx, at, await writeRelations(tx, at));
    await insertRows(tx, 'comments', commentRows(at));
    await insertRows(tx, 'comment_reactions', reactionRows(at));
    await insertRows(tx, 'time_entries', timeRows(at, held));
    await writeBlocks(tx, at);
  }
  await markForecastOf(tx, ...ids);
}

async function writeBlocks(tx: Tx, at: WorkspaceImport): Promise<void> {
  for (const rows of chunks(blockRows(at))) {
    await insertRows(tx, 'plan_blocks', rows);
    await scheduleImportedBlocks(
      tx,
      rows.map(({ id }) => id),
    );
  }
}
