/** A person's own notes as their pages show them, protected ones included. */
import { z } from 'zod';
import type { Read } from '../operations/operation.ts';
import { Id } from '../values/text.ts';
import { type Folder, type OwnNote, type OwnSummary, ownerPermit, readFolders, readOwnNote, readOwnNotes } from './pageQueries.ts';
import { FolderId } from './schema.ts';

export type { Folder, OwnNote, OwnSummary } from './pageQueries.ts';

export const NOTES_PER_PAGE = 50;

const ListInput = z.strictObject({
  /** null: all folders. */
  folderId: FolderId.nullable(),
  search: z.string().max(300, 'give at most 300 characters'),
  page: z.int('give a page from 1 up').min(1, 'give a page from 1 up').max(10_000, 'give a page up to 10000'),
});

export interface OwnNoteList {
  notes: readonly OwnSummary[];
  folders: readonly Folder[];
  hasMore: boolean;
}

export const listOwnNotes: Read<z.infer<typeof ListInput>, OwnNoteList> = {
  name: 'listOwnNotes',
  input: ListInput,
  async run(tx, caller, { folderId, search, page }) {
    const { userId } = await ownerPermit(tx, caller);
    const wanted = { folderId, search, offset: (page - 1) * NOTES_PER_PAGE, limit: NOTES_PER_PAGE };
    const notes = await readOwnNotes(tx, userId, wanted);
    return { notes: notes.slice(0, NOTES_PER_PAGE), folders: await readFolders(tx, userId), hasMore: notes.length > NOTES_PER_PAGE };
  },
};

const NoteInput = z.strictObject({
  id: Id,
  /** The person has proved with their password that a locked note is to be shown. */
  opened: z.boolean(),
});

export interface ShownNote {
  note: OwnNote;
  folders: readonly Folder[];
}

export const getOwnNote: Read<z.infer<typeof NoteInput>, ShownNote> = {
  name: 'getOwnNote',
  input: NoteInput,
  async run(tx, caller, { id, opened }) {
    const { userId } = await ownerPermit(tx, caller);
    return { note: await readOwnNote(tx, userId, id, opened), folders: await readFolders(tx, userId) };
  },
};
