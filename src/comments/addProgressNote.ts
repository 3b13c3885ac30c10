/** svc_add_note: saves a progress note, rewritten if the connection uses plain language (behaviour §8.2, §8.3). */
import { z } from 'zod';
import type { ItemType } from '../access/rights.ts';
import type { Write } from '../operations/operation.ts';
import { AddedIsDeleted } from '../values/errors.ts';
import { elementAt } from '../values/records.ts';
import { Id } from '../values/text.ts';
import { mayNote, newNote, rewrite } from './newNote.ts';
import {
  insertProgressNotes,
  type ProgressNoteIds,
  readProgressNote,
  readProgressNoteTarget,
  type WrittenProgressNote,
} from './progressNoteQueries.ts';
import type { Rewritten } from './rewrite/awaitRewrite.ts';
import { CommentBody } from './schema.ts';

const Input = z.strictObject({ id: Id.meta({ description: 'The work item' }), body: CommentBody });
type Input = z.infer<typeof Input>;
type Facts = { delegatedRights: number; itemType: ItemType; plainLanguage: boolean };

export const addProgressNote: Write<Input, { note: WrittenProgressNote }, Facts> = {
  name: 'addProgressNote',
  input: Input,

  async authorize(tx, caller, { id }) {
    const permit = await readProgressNoteTarget(tx, caller, id);
    mayNote(permit, permit.itemType);
    return permit;
  },

  prepare: (permit, { body }, how) => rewrite(permit, body, how),

  async run(tx, permit, { id: itemId, body }, rewritten: Rewritten | null = null) {
    const note = newNote(permit, { itemId, itemType: permit.itemType, body, rewritten });
    return { note: elementAt(await insertProgressNotes(tx, permit, [note]), 0) };
  },

  receipt: ({ note: { id, itemId } }) => ({ id, itemId }),
  inputOf: async (_tx, { itemId }: ProgressNoteIds) => ({ id: itemId, body: '' }),

  async replay(tx, permit, ids: ProgressNoteIds) {
    const note = await readProgressNote(tx, permit, ids);
    if (!note) throw new AddedIsDeleted('note', ids.id);
    return { note };
  },
};
