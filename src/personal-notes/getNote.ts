/** svc_personal_notes_get: an unprotected note of the caller, unchanged. */
import { z } from 'zod';
import type { Read } from '../operations/operation.ts';
import { Id } from '../values/text.ts';
import { type NoteWithHtml, readNote } from './queries.ts';

const Input = z.strictObject({ id: Id });

export const getNote: Read<z.infer<typeof Input>, NoteWithHtml> = {
  name: 'getNote',
  input: Input,
  run: (tx, caller, { id }) => readNote(tx, caller, id),
};
