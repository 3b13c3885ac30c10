/** svc_personal_notes_update: replaces a note's HTML and folder, or appends to it, if its revision is unchanged. */
import { z } from 'zod';
import { runCharged } from '../access/throttle/loopShare.ts';
import { personalNoteBits } from '../connections/personalNoteRights.ts';
import type { Write } from '../operations/operation.ts';
import { Forbidden } from '../values/errors.ts';
import { Id } from '../values/text.ts';
import { checkNoteHtml } from './html/html.ts';
import { type NoteFacts, readNoteFacts, updateNote as updateStatement } from './queries.ts';
import { refuseStaleRevision, requireRevision } from './revision.ts';
import { FolderId, Html, type NoteReceipt, Revision } from './schema.ts';

const Input = z
  .strictObject({
    id: Id,
    revision: Revision,
    html: Html,
    folderId: FolderId,
    append: z.boolean('give true or false').optional().meta({ description: 'Add html at the end; replaces all when left out' }),
  })
  // An omitted and a false `append` are the same request, so that receipts from before this option still match.
  .overwrite(({ append, ...rest }) => (append ? { ...rest, append } : rest));
type Input = z.infer<typeof Input>;

export const updateNote: Write<Input, NoteReceipt, NoteFacts> = {
  name: 'updateNote',
  input: Input,

  async authorize(tx, caller, { id, folderId, append = false }) {
    const permit = await readNoteFacts(tx, caller, { id, folderId, withHtml: append });
    if (!(permit.personalNoteRights & personalNoteBits(['edit'])) || permit.revision === null || !permit.folderFound) throw new Forbidden();
    return permit;
  },

  async run(tx, permit, { id, revision, html: given, folderId, append }) {
    const html = append ? `${permit.html}${given}` : given;
    const checked = runCharged(permit.userId, () => {
      const alone = checkNoteHtml(given);
      requireRevision(id, revision, permit.revision);
      return append ? checkNoteHtml(html) : alone;
    });
    const updated = await updateStatement(tx, permit, { id, revision }, { html, folderId, ...checked });
    return updated ?? refuseStaleRevision(tx, permit, id, revision);
  },

  inputOf: async (_tx, { id, revision }: NoteReceipt) => ({ id, revision, html: '', folderId: 0 }),
};
