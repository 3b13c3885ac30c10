/** svc_personal_notes_create. */
import { z } from 'zod';
import type { Permit } from '../access/caller.ts';
import { personalNoteBits } from '../connections/personalNoteRights.ts';
import type { Write } from '../operations/operation.ts';
import { Forbidden } from '../values/errors.ts';
import { Id } from '../values/text.ts';
import { noteReader } from './html/readNoteHtml.ts';
import { holdNote, ownerPermit, requireFolder, setFolder } from './pageQueries.ts';
import { insertNote, type NoteFacts, readNoteFacts, removeNote, updateNote as updateStatement } from './queries.ts';
import { refuseStaleRevision, requireRevision } from './revision.ts';
import { deletionLine, FolderId, Html, type NoteReceipt, Revision } from './schema.ts';

const CreateNoteInput = z.strictObject({ html: Html, folderId: FolderId.default(0) });

export const createNote: Write<z.infer<typeof CreateNoteInput>, NoteReceipt, NoteFacts> = {
  name: 'createNote',
  input: CreateNoteInput,

  async authorize(tx, caller, { folderId }) {
    const permit = await readNoteFacts(tx, caller, { id: 0, folderId });
    if (!(permit.personalNoteRights & personalNoteBits(['add'])) || !permit.folderFound) throw new Forbidden();
    return permit;
  },

  async run(tx, permit, { html, folderId }) {
    const checked = await noteReader.check(permit.userId, html);
    const created = await insertNote(tx, permit, { html, folderId, ...checked });
    if (!created) throw new Forbidden();
    return created;
  },

  inputOf: async () => ({ html: '', folderId: 0 }),

  /** Throws Forbidden if the note was protected or deleted since (behaviour §11.4). */
  async replay(tx, permit, receipt: NoteReceipt) {
    const { revision } = await readNoteFacts(tx, permit.caller, { id: receipt.id, folderId: 0 });
    if (revision === null) throw new Forbidden();
    return receipt;
  },
};

/** svc_personal_notes_update: replaces a note's HTML and folder, or appends to it, if its revision is unchanged. */
const UpdateNoteInput = z
  .strictObject({
    id: Id,
    revision: Revision,
    html: Html,
    folderId: FolderId.optional().meta({ description: '0: unfiled. Default: unchanged' }),
    append: z
      .boolean('give true or false')
      .optional()
      .meta({ description: 'Adds html at the end; list items join a list of the same kind there' }),
  })
  // An omitted and a false `append` are the same request, so that receipts from before this option still match.
  .overwrite(({ append, ...rest }) => (append ? { ...rest, append } : rest));
type UpdateNoteInput = z.infer<typeof UpdateNoteInput>;

export const updateNote: Write<UpdateNoteInput, NoteReceipt, NoteFacts> = {
  name: 'updateNote',
  input: UpdateNoteInput,

  async authorize(tx, caller, { id, folderId = 0, append = false }) {
    const permit = await readNoteFacts(tx, caller, { id, folderId, withHtml: append });
    if (!(permit.personalNoteRights & personalNoteBits(['edit'])) || permit.revision === null || !permit.folderFound) throw new Forbidden();
    return permit;
  },

  async run(tx, permit, { id, revision, html: given, folderId, append }) {
    const html = append ? appended(permit.html ?? '', given) : given;
    const alone = await noteReader.check(permit.userId, given);
    requireRevision(id, revision, permit.revision);
    const checked = append ? await noteReader.check(permit.userId, html) : alone;
    const updated = await updateStatement(tx, permit, { id, revision }, { html, folderId, ...checked });
    return updated ?? refuseStaleRevision(tx, permit, id, revision);
  },

  inputOf: async (_tx, { id, revision }: NoteReceipt) => ({ id, revision, html: '', folderId: 0 }),
};

/** The HTML with `added` at its end. List items join a list of the same kind at the end of the note (behaviour §11.20). */
function appended(html: string, added: string): string {
  const [note, more] = [html.trimEnd(), added.trim()];
  const closing = ['</ul>', '</ol>'].find((tag) => note.toLowerCase().endsWith(tag));
  if (closing === undefined) return html + added;
  const list = note.slice(0, -closing.length);
  const opening = closing.replace('/', '');
  if (more.toLowerCase().startsWith(opening)) return list + more.slice(opening.length);
  return /^<li>.*<\/li>$/is.test(more) ? list + more + closing : html + added;
}

/** svc_personal_notes_delete: deletes a note and its attachments permanently. */
const DeleteNoteInput = z.strictObject({ id: Id, revision: Revision });

export const deleteNote: Write<z.infer<typeof DeleteNoteInput>, NoteReceipt, NoteFacts> = {
  name: 'deleteNote',
  input: DeleteNoteInput,

  /** On a retry the note may be deleted already, so only the right is checked. */
  async authorize(tx, caller, { id }, { replay }) {
    const permit = await readNoteFacts(tx, caller, { id, folderId: 0 });
    if (!(permit.personalNoteRights & personalNoteBits(['delete'])) || (permit.revision === null && !replay)) throw new Forbidden();
    return permit;
  },

  inputOf: async (_tx, { id, revision }: NoteReceipt) => ({ id, revision }),
  audit: [{ kind: 'note.erased', line: (permit: Permit, { id }) => deletionLine('note', permit, id) }],

  async run(tx, permit, { id, revision }) {
    requireRevision(id, revision, permit.revision);
    return (await removeNote(tx, permit, { id, revision })) ?? refuseStaleRevision(tx, permit, id, revision);
  },
};

/** Moves a note to another folder. Protected notes too, because a folder reveals no content (behaviour §29.6). */
const MoveNoteInput = z.strictObject({ id: Id, revision: Revision, folderId: FolderId });

export const moveNote: Write<z.infer<typeof MoveNoteInput>, NoteReceipt> = {
  name: 'moveNote',
  input: MoveNoteInput,
  authorize: ownerPermit,
  async run(tx, permit, { id, revision, folderId }) {
    await holdNote(tx, permit.userId, id);
    await requireFolder(tx, permit.userId, folderId);
    return setFolder(tx, permit, { id, revision, from: ['none', 'locked', 'encrypted'] }, folderId);
  },
};
