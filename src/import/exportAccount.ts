/** `export`: writes an account as an import file (behaviour §2.19), in pieces. Memory use does not grow with the account. */
import { agentLevels, grantsOf } from '../access/rights.ts';
import { personalNoteRightsOf } from '../connections/personalNoteRights.ts';
import type { Tx } from '../database/db.ts';
import { withOrigin } from '../personal-notes/attachments.ts';
import { InvalidRequest } from '../values/errors.ts';
import {
  type Entry,
  type Note,
  type Place,
  type Reader,
  readAccountName,
  readAttachment,
  readBlocks,
  readComments,
  readConnections,
  readFolders,
  readHolidayRegion,
  readItems,
  readKeys,
  readLabels,
  readMembers,
  readNotes,
  readPriorities,
  readSeries,
  readStatuses,
  readTemplates,
  readTimeEntries,
  readUsers,
  readWorkspaces,
} from './exportQueries.ts';

export { beginExport } from './exportQueries.ts';

type Pieces = AsyncGenerator<string>;

/** A whole account or one workspace. A workspace comes without its users' personal notes, keys and agents. */
export interface Exported {
  accountId: number;
  workspaceId?: number;
  /** Leaves out what this person may not see of others' time and plans. Default: everything, for the operator. */
  reader?: Reader;
}

/** Yields the text of one JSON value. Throws InvalidRequest if the account does not exist. `tx`: its own transaction, after `beginExport`. */
export async function* exportAccount(tx: Tx, { accountId, workspaceId, reader }: Exported): Pieces {
  const name = await readAccountName(tx, accountId);
  if (name === null) throw new InvalidRequest(['account'], `there is no account ${accountId}; check the id.`);
  yield `{"accounts":[{"name":${JSON.stringify(name)},"holidayRegion":${JSON.stringify(await readHolidayRegion(tx, accountId))}`;
  yield* list(
    'users',
    paged((after) => readUsers(tx, accountId, after, workspaceId === undefined)),
  );
  if (workspaceId === undefined) {
    yield* list(
      'noteFolders',
      paged((after) => readFolders(tx, accountId, after)),
    );
    yield* list('personalNotes', notes(tx, accountId));
    yield* list('restKeys', keys(tx, accountId));
    yield* list('connections', connections(tx, accountId));
  }
  yield* list('workspaces', workspaces(tx, accountId, workspaceId, reader));
  yield '}]}\n';
}

async function* list(name: string, entries: AsyncIterable<string | Pieces>): Pieces {
  yield `,"${name}":[`;
  let separator = '\n';
  for await (const entry of entries) {
    yield separator;
    if (typeof entry === 'string') yield entry;
    else yield* entry;
    separator = ',\n';
  }
  yield ']';
}

/** Yields the rows of all pages. Each page starts after the last id of the previous one. */
export async function* rowsOf<Row extends { id: number }>(read: (after: number) => Promise<readonly Row[]>): AsyncGenerator<Row> {
  for (let after = 0; ; ) {
    const rows = await read(after);
    const last = rows.at(-1);
    if (!last) return;
    yield* rows;
    after = last.id;
  }
}

/** Yields the texts of all pages. */
export async function* paged(read: (after: number) => Promise<readonly Entry[]>): Pieces {
  for await (const { entry } of rowsOf(read)) yield entry;
}

export async function* ofItems(read: (after: Place) => Promise<readonly (Entry & { item: number })[]>): Pieces {
  for (let after: Place = { item: 0, id: 0 }; ; ) {
    const rows = await read(after);
    const last = rows.at(-1);
    if (!last) return;
    for (const { entry } of rows) yield entry;
    after = last;
  }
}

async function* notes(tx: Tx, accountId: number): AsyncGenerator<Pieces> {
  for await (const note of rowsOf((after) => readNotes(tx, accountId, after))) yield wholeNote(tx, accountId, note);
}

async function* wholeNote(tx: Tx, accountId: number, { id, userId, cipher, entry }: Note): Pieces {
  yield entry.slice(0, -1);
  if (cipher !== null) yield `,"cipher":${JSON.stringify(withOrigin(cipher, { user: userId, note: id }))}`;
  yield* list('attachments', attachments(tx, accountId, id));
  yield '}';
}

async function* attachments(tx: Tx, accountId: number, noteId: number): Pieces {
  for (let after = 0; ; ) {
    const file = await readAttachment(tx, accountId, noteId, after);
    if (!file) return;
    yield JSON.stringify({ name: file.name, ...contentOf(file.content) });
    after = file.id;
  }
}

const MOST_TEXT = 1_000_000;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Content as text if that preserves the bytes, otherwise as Base64. */
function contentOf(content: Buffer): { text: string } | { base64: string } {
  try {
    if (content.length <= MOST_TEXT && !content.includes(0)) return { text: utf8.decode(content) };
  } catch {
    // Not UTF-8.
  }
  return { base64: content.toString('base64') };
}

async function* keys(tx: Tx, accountId: number): Pieces {
  for await (const { id, userId, name, rights, expiresAt } of rowsOf((after) => readKeys(tx, accountId, after)))
    yield JSON.stringify({ ref: `key-${id}`, user: `user-${userId}`, name, grants: grantsOf(rights), expiresAt });
}

async function* connections(tx: Tx, accountId: number): Pieces {
  for await (const { id, userId, rights, noteRights, ...given } of rowsOf((after) => readConnections(tx, accountId, after))) {
    const derived = { permissions: agentLevels(rights), notes: personalNoteRightsOf(noteRights) };
    yield JSON.stringify({ ref: `connection-${id}`, user: `user-${userId}`, ...given, ...derived });
  }
}

async function* workspaces(tx: Tx, accountId: number, only?: number, reader?: Reader): AsyncGenerator<Pieces> {
  for await (const { id, mcpEnabled, mcpRights, ...given } of rowsOf((after) => readWorkspaces(tx, accountId, after, only))) {
    const mcp = { enabled: mcpEnabled, limits: agentLevels(mcpRights) };
    const head = JSON.stringify({ ref: `workspace-${id}`, ...given, mcp, workflow: 'whole' });
    yield withContent(tx, id, head, only === undefined, reader);
  }
}

async function* withContent(tx: Tx, id: number, head: string, whole: boolean, reader?: Reader): Pieces {
  yield head.slice(0, -1);
  yield* list(
    'members',
    paged((after) => readMembers(tx, id, after)),
  );
  yield* list('statuses', all(await readStatuses(tx, id)));
  yield* list('priorities', all(await readPriorities(tx, id)));
  yield* list('labels', all(await readLabels(tx, id)));
  yield* list(
    'templates',
    paged((after) => readTemplates(tx, id, after)),
  );
  yield* list(
    'series',
    paged((after) => readSeries(tx, id, after)),
  );
  yield* list(
    'items',
    paged((after) => readItems(tx, id, after)),
  );
  yield* list(
    'comments',
    ofItems((after) => readComments(tx, id, after)),
  );
  yield* list(
    'timeEntries',
    ofItems((after) => readTimeEntries(tx, id, after, reader ?? null, whole)),
  );
  yield* list(
    'planBlocks',
    ofItems((after) => readBlocks(tx, id, after, reader)),
  );
  yield '}';
}

async function* all(entries: readonly string[]): Pieces {
  yield* entries;
}
