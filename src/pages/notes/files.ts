/** Attachments up to 5 MiB, served only as downloads. */
import type { FormFile } from '../../http/multipart.ts';
import { parseInput } from '../../operations/input.ts';
import { outputOf } from '../../operations/json.ts';
import { perform } from '../../operations/perform.ts';
import { addAttachment, deleteAttachment, getAttachment } from '../../personal-notes/attachments.ts';
import type { OwnNote } from '../../personal-notes/ownNotes.ts';
import { Forbidden, InvalidRequest } from '../../values/errors.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { submitted } from '../frame/submitted.ts';
import { noteAt, noteLabels, PATH } from './noteForm.ts';
import { notePage } from './notePage.ts';
import { type Loaded, loadNote } from './panes.ts';
import { isOpened } from './proofs.ts';

/** The note of the form. A locked note is opened with the proof in the form. */
async function noteOf(request: PageRequest): Promise<Loaded & { opened: boolean }> {
  const opened = isOpened(request);
  const found = await loadNote(request, opened);
  if (opened && found.note.revision !== request.form.id('revision')) throw new Forbidden();
  return { ...found, opened };
}

async function upload(request: PageRequest): Promise<Answer> {
  const found = await noteOf(request);
  const { note, opened } = found;
  const { filesQuotaBytes: quotaBytes } = request.deps.config;
  return submitted(request, addAttachment, async ({ upload: file }) => ({ noteId: note.id, opened, quotaBytes, ...contentOf(file) }), {
    labels: noteLabels,
    done: () => changed(request, note, opened, 'The file is attached.'),
    again: (refusal) => notePage(request, found, refusal),
  });
}

function contentOf(file: FormFile | null): FormFile {
  if (!file) throw new InvalidRequest(['file'], 'choose a file.');
  return file;
}

/** An opened note is rendered here, because a redirect would ask for the password again. */
async function changed(request: PageRequest, { id }: OwnNote, opened: boolean, said: string): Promise<Answer> {
  if (!opened) return { redirect: noteAt(request, id), notice: 'saved' };
  return notePage(request, await loadNote(request, true), { said });
}

async function give(request: PageRequest): Promise<Answer> {
  const { deps, caller, params } = request;
  const { note, opened } = await noteOf(request);
  const wanted = parseInput(getAttachment.input, { noteId: note.id, opened, attachmentId: Number(params.fileId) });
  const { name, content } = outputOf(await perform(deps.db, caller, getAttachment, wanted));
  return { file: content, name };
}

async function remove(request: PageRequest): Promise<Answer> {
  const found = await noteOf(request);
  const { note, opened } = found;
  const attachmentId = Number(request.params.fileId);
  return submitted(request, deleteAttachment, () => ({ noteId: note.id, opened, attachmentId }), {
    done: () => changed(request, note, opened, 'The file is deleted.'),
    again: ({ problem, status }) => notePage(request, found, { problem, status }),
  });
}

export const noteFileRoutes: PageRoute[] = [
  { method: 'POST', path: `${PATH}/:noteId/files`, handle: upload },
  { method: 'GET', path: `${PATH}/:noteId/files/:fileId`, bare: true, handle: give },
  { method: 'POST', path: `${PATH}/:noteId/files/:fileId`, bare: true, handle: give },
  { method: 'POST', path: `${PATH}/:noteId/files/:fileId/delete`, handle: remove },
];
