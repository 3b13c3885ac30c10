import { z } from 'zod';
import type { Read } from '../operations/operation.ts';
import { Forbidden } from '../values/errors.ts';
import { Id } from '../values/text.ts';
import { type Folder, type OwnNote, type OwnSummary, readOwnNotes } from './pageQueries.ts';
import { FolderId } from './schema.ts';

export type { Folder, OwnNote, OwnSummary } from './pageQueries.ts';

export const NOTES_PER_PAGE = 50;

const Input = z.strictObject({
  /** null: all folders. */
  folderId: FolderId.nullable(),
  search: z.string().max(300, 'give at most 300 characters'),
  page: z.int('give a page from 1 up').min(1, 'give a page from 1 up').max(10_000, 'give a page up to 10000'),
  noteId: Id.nullable(),
  /** The user has proved with their password that they may see a locked note. */
  opened: z.boolean(),
  /** Reserves an id for a new encrypted note, because the browser binds the ciphertext to the id. */
  reserve: z.boolean(),
});

export interface OpenNotes {
  notes: readonly OwnSummary[];
  folders: readonly Folder[];
  hasMore: boolean;
  note: OwnNote | null;
  reserved: number | null;
}

export const openNotes: Read<z.infer<typeof Input>, OpenNotes> = {
  name: 'openNotes',
  input: Input,
  async run(tx, caller, { folderId, search, page, noteId, opened, reserve }) {
    const list = { folderId, search, offset: (page - 1) * NOTES_PER_PAGE, limit: NOTES_PER_PAGE + 1 };
    const { notes, ...found } = await readOwnNotes(tx, caller, { ...list, noteId: noteId ?? 0, opened, reserve });
    if (noteId !== null && !found.note) throw new Forbidden();
    return { notes: notes.slice(0, NOTES_PER_PAGE), ...found, hasMore: notes.length > NOTES_PER_PAGE };
  },
};
