/** Attachments of a note: up to 5 MiB each, handed out as downloads and never shown by the browser. */
import { readFile } from 'node:fs/promises';
import { parseInput } from '../../operations/input.ts';
import { perform } from '../../operations/perform.ts';
import { addAttachment, deleteAttachment, getAttachment } from '../../personal-notes/attachments.ts';
import { getOwnNote, type ShownNote } from '../../personal-notes/ownNotes.ts';
import type { OwnNote } from '../../personal-notes/pageQueries.ts';
import { AppError, Forbidden, InvalidRequest } from '../../values/errors.ts';
import { MAX_ATTACHMENT_BYTES } from '../frame/forms.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { PATH } from './noteForm.ts';
import { notePage } from './notePage.ts';
import { isOpened } from './passwordProof.ts';

/** The note as the form's page had it; a locked one is opened by what that page proves. */
async function noteOf(request: PageRequest): Promise<ShownNote & { opened: boolean }> {
  const { deps, caller, params, form } = request;
  const id = Number(params.noteId);
  const opened = isOpened(request, id, form.id('revision'));
  const found = (await perform(deps.db, caller, getOwnNote, { id, opened })) as ShownNote;
  if (opened && found.note.revision !== form.id('revision')) throw new Forbidden();
  return { ...found, opened };
}

async function upload(request: PageRequest): Promise<Answer> {
  const { deps, caller, form } = request;
  const { note, folders, opened } = await noteOf(request);
  try {
    if (!form.upload) throw new InvalidRequest(['file'], 'choose a file.');
    if (form.upload.size > MAX_ATTACHMENT_BYTES) throw new InvalidRequest(['file'], 'give one of at most 5 MiB.');
    const content = await readFile(form.upload.path);
    const input = parseInput(addAttachment.input, { noteId: note.id, opened, name: form.upload.name, content });
    await perform(deps.db, caller, addAttachment, input);
    return changed(request, note, opened, 'The file is attached.');
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid_request') throw error;
    return notePage(request, note, folders, { problem: error.message, status: 400 });
  }
}

/** Back to the note; an opened one is shown again, as going there anew would ask for the password. */
async function changed(request: PageRequest, { id }: OwnNote, opened: boolean, said: string): Promise<Answer> {
  if (!opened) return { redirect: `${PATH}/${id}`, notice: 'saved' };
  const { note, folders } = (await perform(request.deps.db, request.caller, getOwnNote, { id, opened })) as ShownNote;
  return notePage(request, note, folders, { said });
}

async function give(request: PageRequest): Promise<Answer> {
  const { deps, caller, params, form } = request;
  const noteId = Number(params.noteId);
  const opened = isOpened(request, noteId, form.id('revision'));
  const wanted = parseInput(getAttachment.input, { noteId, opened, attachmentId: Number(params.fileId) });
  const { name, content } = (await perform(deps.db, caller, getAttachment, wanted)) as { name: string; content: Buffer };
  return { file: content, name };
}

async function remove(request: PageRequest): Promise<Answer> {
  const { deps, caller, params } = request;
  const { note, opened } = await noteOf(request);
  const wanted = parseInput(deleteAttachment.input, { noteId: note.id, opened, attachmentId: Number(params.fileId) });
  await perform(deps.db, caller, deleteAttachment, wanted);
  return changed(request, note, opened, 'The file is deleted.');
}

export const noteFileRoutes: PageRoute[] = [
  { method: 'POST', path: `${PATH}/:noteId/files`, handle: upload },
  { method: 'GET', path: `${PATH}/:noteId/files/:fileId`, handle: give },
  { method: 'POST', path: `${PATH}/:noteId/files/:fileId`, handle: give },
  { method: 'POST', path: `${PATH}/:noteId/files/:fileId/delete`, handle: remove },
];
