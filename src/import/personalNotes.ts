/** The personal notes of a file: the rules of behaviour §11.6 hold for what a browser will show; an encrypted note is taken as it is. */
import type { Tx } from '../database/db.ts';
import { checkNoteHtml } from '../personal-notes/html/html.ts';
import { InvalidRequest, inside, type Path } from '../values/errors.ts';
import { asBytea, insertRows, type Row, readFolders, takeIds } from './queries.ts';
import type { Home } from './rows.ts';
import type { PersonalNoteEntry } from './schema.ts';

const MAX_BYTES = 131_072;

export async function writeNotes(tx: Tx, home: Home): Promise<void> {
  const notes = home.account.personalNotes.map((note, n) => noteOf(home, note, [...home.path, 'personalNotes', n]));
  const folders = await writeFolders(tx, home, notes);
  const rows = notes.map(({ folder, ...note }): Row => ({ ...note, folder_id: folders.get(folderKey(note.user_id, folder)) ?? null }));
  await insertRows(tx, 'personal_notes', rows);
  await insertRows(
    tx,
    'note_attachments',
    home.account.personalNotes.flatMap((note) => attachmentRows(home, note)),
  );
}

function noteOf({ account, refs, idOf }: Home, note: PersonalNoteEntry, path: Path) {
  const now = new Date().toISOString();
  return {
    id: idOf(note),
    account_id: idOf(account),
    user_id: idOf(refs.find([...path, 'user'], note.user, 'user', { account })),
    folder: note.folder,
    html: note.html ?? '',
    ...inside(path, () => readOff(note)),
    cipher: note.cipher ?? null,
    protection: note.protection,
    created_at: note.createdAt ?? now,
    updated_at: note.updatedAt ?? note.createdAt ?? now,
  };
}

/** Title and text, which the server can't know of an encrypted note. */
function readOff({ html = '', protection }: PersonalNoteEntry): { title: string; text: string } {
  if (protection !== 'encrypted') return checkNoteHtml(html);
  if (Buffer.byteLength(html) > MAX_BYTES) throw new InvalidRequest(['html'], 'give at most 128 KiB.');
  return { title: '', text: '' };
}

const folderKey = (userId: number, name: string | null) => `${userId} ${name ?? ''}`;

/** The ids of the folders that the file names, by folderKey: those that people have, and new ones. */
async function writeFolders(
  tx: Tx,
  { account, refs, idOf, path }: Home,
  notes: { user_id: number; folder: string | null }[],
): Promise<Map<string, number>> {
  const listed = account.noteFolders.map(({ user, name }, n) => ({
    user_id: idOf(refs.find([...path, 'noteFolders', n, 'user'], user, 'user', { account })),
    folder: name,
  }));
  const named = [...listed, ...notes.filter(({ folder }) => folder !== null)];
  const wanted = new Map(named.map((note) => [folderKey(note.user_id, note.folder), note]));
  const there = await readFolders(tx, [...new Set(named.map(({ user_id }) => user_id))]);
  const ids = new Map(there.map(({ id, user_id, name }) => [folderKey(user_id, name), id]));
  const missing = [...wanted].filter(([key]) => !ids.has(key));
  const taken = await takeIds(tx, 'note_folders', missing.length);
  for (const [n, [key]] of missing.entries()) ids.set(key, taken[n]!);
  const rows = missing.map(([key, { user_id, folder }]) => ({ id: ids.get(key)!, account_id: idOf(account), user_id, name: folder }));
  await insertRows(tx, 'note_folders', rows);
  return ids;
}

function attachmentRows({ account, idOf }: Home, note: PersonalNoteEntry): Row[] {
  return note.attachments.map(({ name, text = '', base64 }) => ({
    account_id: idOf(account),
    note_id: idOf(note),
    name,
    content: asBytea(base64 === undefined ? Buffer.from(text) : Buffer.from(base64, 'base64')),
  }));
}
