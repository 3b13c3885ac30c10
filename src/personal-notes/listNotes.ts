/** svc_personal_notes_list: the caller's notes by id, and their folders. */
import { z } from 'zod';
import type { Read } from '../operations/operation.ts';
import { Text } from '../values/text.ts';
import { type NoteSummary, readNotes } from './queries.ts';
import { FolderId } from './schema.ts';

const fromZero = 'give a whole number from 0 up';
const aPage = 'give a whole number from 1 to 100';
const Input = z.strictObject({
  folderId: FolderId.optional(),
  search: Text(1, 300).optional().meta({ description: 'Text in the note, in any case' }),
  afterId: z.int(fromZero).min(0, fromZero).default(0).meta({ description: 'nextAfterId of the page before' }),
  limit: z.int(aPage).min(1, aPage).max(100, aPage).default(50),
});

interface NoteList {
  notes: NoteSummary[];
  folders: { id: number; name: string }[];
  hasMore: boolean;
  nextAfterId: number;
}

export const listNotes: Read<z.infer<typeof Input>, NoteList> = {
  name: 'listNotes',
  input: Input,
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
