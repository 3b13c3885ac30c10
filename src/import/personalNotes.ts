/** Imports personal notes. The rules of behaviour §11.6 apply to HTML that browsers will show; encrypted notes are stored unchanged. */
import type { Tx } from '../database/db.ts';
import { noteReader } from '../personal-notes/html/readNoteHtml.ts';
import { errorAt, InvalidRequest } from '../values/errors.ts';
import { elementAt } from '../values/records.ts';
import { type ImportTarget, idOf, idsOf } from './home.ts';
import { type AttachmentRow, insertAttachment, insertRows, type Row, readFolders, takeIds } from './queries.ts';
import type { PersonalNoteEntry } from './schema.ts';

const MAX_BYTES = 131_072;

export async function writeNotes(tx: Tx, home: ImportTarget): Promise<void> {
  const folders = await writeFolders(tx, home);
  await insertRows(tx, 'personal_notes', noteRows(home, folders));
  for (const row of attachmentRows(home)) await insertAttachment(tx, row);
}

async function* noteRows(home: ImportTarget, folders: Map<string, number>): AsyncGenerator<Row> {
  const now = new Date().toISOString();
  for (const { entry: note, path, n } of home.file.entries('personalNotes', home.path)) {
    const userId = idOf(home, [...path, 'user'], note.user, 'user');
    yield {
      id: idsOf(home, 'personalNotes')[n],
      account_id: home.accountId,
      user_id: userId,
      folder_id: folders.get(folderKey(userId, note.folder)) ?? null,
      html: note.html ?? '',
      ...(await readOff(userId, note).catch((error) => {
        throw errorAt(path, error);
      })),
      cipher: note.cipher ?? null,
      protection: note.protection,
      created_at: note.createdAt ?? now,
      updated_at: note.updatedAt ?? note.createdAt ?? now,
    };
  }
}

/** Returns title and text; both are empty for an encrypted note, which the server can't read. */
async function readOff(userId: number, { html = '', protection }: PersonalNoteEntry): Promise<{ title: string; text: string }> {
  if (protection !== 'encrypted') return noteReader.check(userId, html);
  if (Buffer.byteLength(html) > MAX_BYTES) throw new InvalidRequest(['html'], 'give at most 128 KiB.');
  return { title: '', text: '' };
}

const folderKey = (userId: number, name: string | null) => `${userId} ${name ?? ''}`;

async function writeFolders(tx: Tx, home: ImportTarget): Promise<Map<string, number>> {
  const { account, path } = home;
  const listed = account.noteFolders.map(({ user, name }, n) => ({
    user_id: idOf(home, [...path, 'noteFolders', n, 'user'], user, 'user'),
    folder: name,
  }));
  const ofNotes = home.file.foldersOf(path).map(({ user, folder, n }) => ({
    user_id: idOf(home, [...path, 'personalNotes', n, 'user'], user, 'user'),
    folder,
  }));
  const named = [...listed, ...ofNotes];
  const wanted = new Map(named.map((note) => [folderKey(note.user_id, note.folder), note]));
  const there = await readFolders(tx, [...new Set(named.map(({ user_id }) => user_id))]);
  const ids = new Map(there.map(({ id, user_id, name }) => [folderKey(user_id, name), id]));
  const missing = [...wanted].filter(([key]) => !ids.has(key));
  const taken = await takeIds(tx, 'note_folders', missing.length);
  const rows = missing.map(([key, { user_id, folder }], n) => {
    const id = elementAt(taken, n);
    ids.set(key, id);
    return { id, account_id: home.accountId, user_id, name: folder };
  });
  await insertRows(tx, 'note_folders', rows);
  return ids;
}

function* attachmentRows(home: ImportTarget): Generator<AttachmentRow> {
  for (const { entry, n } of home.file.entries('personalNotes', home.path)) {
    for (const { name, text = '', base64 } of entry.attachments) {
      const content = base64 === undefined ? Buffer.from(text) : Buffer.from(base64, 'base64');
      yield { accountId: home.accountId, noteId: elementAt(idsOf(home, 'personalNotes'), n), name, content };
    }
  }
}
