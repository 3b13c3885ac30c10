/** The personal notes of a file: the rules of behaviour §11.6 hold for what a browser will show; an encrypted note is taken as it is. */
import type { Tx } from '../database/db.ts';
import { checkNoteHtml } from '../personal-notes/html/html.ts';
import { InvalidRequest, inside, type Path } from '../values/errors.ts';
import { asBytea, insertRows, type Row, takeIds } from './queries.ts';
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
  return {
    id: idOf(note),
    account_id: idOf(account),
    user_id: idOf(refs.find([...path, 'user'], note.user, 'user', { account })),
    folder: note.folder,
    html: note.html,
    ...inside(path, () => readOff(note)),
    protection: note.protection,
  };
}

/** Title and text, which the server can't know of an encrypted note. */
function readOff({ html, protection }: PersonalNoteEntry): { title: string; text: string } {
  if (protection !== 'encrypted') return checkNoteHtml(html);
  if (Buffer.byteLength(html) > MAX_BYTES) throw new InvalidRequest(['html'], 'give at most 128 KiB.');
  return { title: '', text: '' };
}

const folderKey = (userId: number, name: string | null) => `${userId} ${name ?? ''}`;

/** The ids of the folders that the notes name, by folderKey. */
async function writeFolders(
  tx: Tx,
  { account, idOf }: Home,
  notes: { user_id: number; folder: string | null }[],
): Promise<Map<string, number>> {
  const wanted = new Map(notes.filter(({ folder }) => folder !== null).map((note) => [folderKey(note.user_id, note.folder), note]));
  const ids = await takeIds(tx, 'note_folders', wanted.size);
  const rows = [...wanted.values()].map(({ user_id, folder }, n) => ({ id: ids[n]!, account_id: idOf(account), user_id, name: folder }));
  await insertRows(tx, 'note_folders', rows);
  return new Map([...wanted.keys()].map((key, n) => [key, ids[n]!]));
}

function attachmentRows({ account, idOf }: Home, note: PersonalNoteEntry): Row[] {
  return note.attachments.map(({ name, text }) => ({
    account_id: idOf(account),
    note_id: idOf(note),
    name,
    content: asBytea(Buffer.from(text)),
  }));
}
