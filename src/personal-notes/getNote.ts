/** svc_personal_notes_get: an unprotected note of the caller, unchanged. */
import { z } from 'zod';
import type { Read } from '../operations/operation.ts';
import { AfterId, Id, Text } from '../values/text.ts';
import { type NoteSummary, type NoteWithHtml, readNote, readNotes } from './queries.ts';
import { FolderId } from './schema.ts';

const GetNoteInput = z.strictObject({ id: Id });

export const getNote: Read<z.infer<typeof GetNoteInput>, NoteWithHtml> = {
  name: 'getNote',
  input: GetNoteInput,
  run: (tx, caller, { id }) => readNote(tx, caller, id),
};

/** svc_personal_notes_list: the caller's notes by id, and their folders. */
const aPage = 'give a whole number from 1 to 100';
const ListNotesInput = z.strictObject({
  folderId: FolderId.optional(),
  search: Text(1, 300).optional().meta({ description: 'Part of the text, ignoring case' }),
  afterId: AfterId.meta({ description: 'nextAfterId of the previous page' }),
  limit: z.int(aPage).min(1, aPage).max(100, aPage).default(50),
});

interface NoteList {
  notes: NoteSummary[];
  folders: { id: number; name: string }[];
  hasMore: boolean;
  nextAfterId: number;
}

export const listNotes: Read<z.infer<typeof ListNotesInput>, NoteList> = {
  name: 'listNotes',
  input: ListNotesInput,
  async run(tx, caller, wanted) {
    const found = await readNotes(tx, caller, wanted);
    const notes = found.notes.slice(0, wanted.limit);
    return {
      notes,
      folders: found.folders,
      hasMore: found.notes.length > wanted.limit,
      nextAfterId: notes.at(-1)?.id ?? wanted.afterId,
    };
  },
};
