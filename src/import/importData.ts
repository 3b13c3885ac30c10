/** `import`: a whole file or nothing, in one transaction (behaviour §2.5). */
import { newSecret } from '../access/secrets.ts';
import { hashPassword } from '../accounts/password.ts';
import { requireStrong } from '../accounts/passwordStrength.ts';
import { operator, tellEvent } from '../audit/audit.ts';
import type { Db, Tx } from '../database/db.ts';
import { parseInput } from '../operations/input.ts';
import { asAppError } from '../operations/perform.ts';
import { scheduleImportedBlocks } from '../plans/schedule.ts';
import { markForecastOf } from '../queue/jobs.ts';
import { dotted, InvalidRequest } from '../values/errors.ts';
import { type Existing, heldDays, peopleOf, readExisting } from './existing.ts';
import { readAccountName } from './exportQueries.ts';
import { itemRows, type WorkspaceImport } from './items.ts';
import { writeNotes } from './personalNotes.ts';
import { insertRows, lookUpByIndex, type Row, type Table, takeIds, takenEmails } from './queries.ts';
import { entriesOf, kinds, type NumberedEntry, Refs, tableOf } from './refs.ts';
import {
  blockRows,
  commentRows,
  connectionRows,
  connectionWorkspaceRows,
  type Home,
  keyRows,
  memberRows,
  priorityRows,
  statusRows,
  timeRows,
  userRows,
  workspaceRows,
} from './rows.ts';
import { ImportFile, type UserEntry } from './schema.ts';
import { addPriorities, addStatuses, clearWords, readWorkflows } from './workflowQueries.ts';

/** What each ref of the file has become (behaviour §2.8); `key`: of REST keys and connections, shown this once. */
export type Imported = Record<string, { id: number; key?: string }>;

/** A REST key or connection that has no ref, by its place in the file. */
export interface ImportedKey {
  at: string;
  id: number;
  name: string;
  /** Shown this once. */
  key: string;
}

/** Throws InvalidRequest naming the entry at fault by its path; then nothing was written. */
export async function importData(db: Db, json: unknown): Promise<Imported> {
  return (await importFile(db, json)).refs;
}

/** As `importData`, with the keys of those entries that no ref names. */
export async function importFile(db: Db, json: unknown): Promise<{ refs: Imported; keys: ImportedKey[] }> {
  const file = parseInput(ImportFile, json, 'The file');
  const entries = [...entriesOf(file)];
  const refs = new Refs(entries);
  const hashes = await hashPasswords(db, file);
  try {
    return await db.transaction((tx) => write(tx, { file, entries, refs, hashes }));
  } catch (error) {
    throw asAppError(error);
  }
}

interface Prepared {
  file: ImportFile;
  entries: NumberedEntry[];
  refs: Refs;
  hashes: Map<object, string>;
}

/** Before the transaction, which must not wait for them. */
async function hashPasswords(db: Db, file: ImportFile): Promise<Map<object, string>> {
  const hashes = new Map<object, string>();
  const judged = new Set<string>();
  for (const [a, { name: given, existing, users }] of file.accounts.entries()) {
    const name = given ?? (await readAccountName(db.pool(), existing!.id)) ?? '';
    for (const [u, user] of users.entries()) {
      if (user.password == null) continue;
      const question = JSON.stringify([user.password, name]);
      // One that many have is judged once, by what is known of all of them.
      if (!judged.has(question)) {
        const sharing = users.filter(({ password }) => password === user.password).flatMap((one) => [one.name, one.email]);
        await requireStrong(user.password, [name, ...sharing], ['accounts', a, 'users', u, 'password']);
        judged.add(question);
      }
      hashes.set(user, await hashPassword(user.password));
    }
  }
  return hashes;
}

async function write(tx: Tx, { file, entries, refs, hashes }: Prepared): Promise<{ refs: Imported; keys: ImportedKey[] }> {
  await lookUpByIndex(tx);
  await refuseTakenEmails(tx, file);
  const existing = await readExisting(tx, file);
  const ids = await numbered(tx, entries, existing);
  const idOf = (entry: object) => ids.get(entry)!;
  const zoneOf = (user: object) => existing.zones.get(user) ?? (user as UserEntry).timezone;
  const secrets = new Map(entries.filter(({ kind }) => kind in secretKinds).map(({ kind, entry }) => [entry as object, secretOf(kind)]));
  const homes = file.accounts.map((account, a): Home => ({ account, refs, idOf, zoneOf, path: ['accounts', a] }));
  const hashOf = (entry: object) => secrets.get(entry)!.hash;
  const add = (table: Table, rowsOf: (home: Home) => Row[]) => insertRows(tx, table, homes.flatMap(rowsOf));
  await add('accounts', ({ account }) => (account.existing ? [] : [{ id: idOf(account), name: account.name }]));
  await add('users', (home) => userRows(home, (user) => hashes.get(user) ?? null));
  await add('workspaces', workspaceRows);
  for (const home of homes) await writeWorkspaces(tx, home);
  for (const home of homes) await writeNotes(tx, home);
  await add('rest_keys', (home) => keyRows(home, hashOf));
  await add('connections', (home) => connectionRows(home, hashOf));
  await add('connection_workspaces', connectionWorkspaceRows);
  for (const { account } of homes) await tellEvent(tx, operator('import'), 'account.imported', { type: 'account', id: idOf(account) });
  const keyOf = (entry: object) => secrets.get(entry)?.secret;
  return { refs: namedIn(refs, idOf, keyOf), keys: unnamedKeys(entries, idOf, keyOf) };
}

function namedIn(refs: Refs, idOf: (entry: object) => number, keyOf: (entry: object) => string | undefined): Imported {
  return Object.fromEntries(
    [...refs.all()].map(([ref, { entry }]) => {
      const key = keyOf(entry);
      return [ref, { id: idOf(entry), ...(key && { key }) }];
    }),
  );
}

function unnamedKeys(
  entries: NumberedEntry[],
  idOf: (entry: object) => number,
  keyOf: (entry: object) => string | undefined,
): ImportedKey[] {
  return entries.flatMap(({ path, entry }) => {
    const key = keyOf(entry);
    return key === undefined || entry.ref !== undefined
      ? []
      : [{ at: dotted(path), id: idOf(entry), name: (entry as unknown as { name: string }).name, key }];
  });
}

const secretKinds = { restKey: 'rest', connection: 'agent' } as const;
const secretOf = (kind: NumberedEntry['kind']) => newSecret(secretKinds[kind as keyof typeof secretKinds]);

/** An id for every entry that gets one, rising in the order of the file. */
async function numbered(tx: Tx, entries: NumberedEntry[], existing: Existing): Promise<Map<object, number>> {
  const ids = new Map(existing.ids);
  for (const kind of kinds) {
    const ofKind = entries.filter((entry) => entry.kind === kind && !entry.existing);
    const taken = await takeIds(tx, tableOf[kind], ofKind.length);
    for (const [n, { entry, account }] of ofKind.entries()) ids.set(kind === 'account' ? account : entry, taken[n]!);
  }
  return ids;
}

/** An e-mail address is one person's in an account; another account may have somebody with it, too (behaviour §3.2). */
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

async function writeWorkspaces(tx: Tx, home: Home): Promise<void> {
  const workspaces = home.account.workspaces.map(
    (workspace, w): WorkspaceImport => ({ ...home, workspace, path: [...home.path, 'workspaces', w] }),
  );
  const people = peopleOf(home);
  const workspaceIds = workspaces.map(({ workspace }) => home.idOf(workspace));
  const add = (table: Table, rowsOf: (at: WorkspaceImport) => Row[]) => insertRows(tx, table, workspaces.flatMap(rowsOf));
  await add('memberships', memberRows);
  await clearWords(
    tx,
    workspaces.filter(({ workspace }) => workspace.workflow === 'whole').map(({ workspace }) => home.idOf(workspace)),
  );
  await addStatuses(tx, workspaces.flatMap(statusRows));
  await addPriorities(tx, workspaces.flatMap(priorityRows));
  const workflows = await readWorkflows(tx, workspaceIds);
  await add('items', (at) => itemRows(at, workflows.find((one) => one.workspace_id === home.idOf(at.workspace))!, people));
  await add('comments', commentRows);
  const minutes = await heldDays(tx, home);
  await add('time_entries', (at) => timeRows(at, minutes));
  await add('plan_blocks', blockRows);
  const blocks = workspaces.flatMap(({ workspace }) => workspace.planBlocks.map(home.idOf));
  await scheduleImportedBlocks(tx, blocks);
  await markForecastOf(tx, ...workspaceIds);
}
