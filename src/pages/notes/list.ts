/** /my/notes: folders, search and list (behaviour §12.1, §29). */
import { createFolder, deleteFolder, renameFolder } from '../../personal-notes/folders.ts';
import { moveNote } from '../../personal-notes/moveNote.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { type Refusal, submitted } from '../frame/submitted.ts';
import { problemBox } from '../frame/widgets.ts';
import { noteLabels, PATH } from './noteForm.ts';
import { folderLabels as labels } from './noteList.ts';
import { loadList, panes } from './panes.ts';
import { inList } from './wanted.ts';

const show = async (request: PageRequest, refusal?: Refusal): Promise<Answer> =>
  panes(request, await loadList(request), {
    title: 'Notes',
    status: refusal?.status ?? 200,
    one: refusal && problemBox(refusal.problem),
    refusal,
  });

const formRefusal = (request: PageRequest) => ({ labels, again: (refusal: Refusal) => show(request, refusal) });

const create = (request: PageRequest): Promise<Answer> =>
  submitted(request, createFolder, (form) => ({ name: form.text('name') }), {
    done: ({ folderId }) => ({ redirect: `${PATH}?folder=${folderId}`, notice: 'created' }),
    ...formRefusal(request),
  });

const rename = (request: PageRequest): Promise<Answer> =>
  submitted(request, renameFolder, (form) => ({ folderId: form.id('folderId'), name: form.text('name') }), {
    done: () => ({ redirect: `${PATH}?folder=${request.form.id('folderId')}`, notice: 'saved' }),
    ...formRefusal(request),
  });

const remove = (request: PageRequest): Promise<Answer> =>
  submitted(request, deleteFolder, (form) => ({ folderId: form.id('folderId') }), {
    done: () => ({ redirect: PATH, notice: 'deleted' }),
    ...formRefusal(request),
  });

/** Used by the form and by dragging. `back` names the page to return to. */
function move(request: PageRequest): Promise<Answer> {
  const id = Number(request.params.noteId);
  const back = request.form.text('back') === 'list' ? '' : `/${id}`;
  const refused = (problem: string, status: Refusal['status']) =>
    loadList(request).then((found) => panes(request, found, { title: 'Notes', status, one: problemBox(problem) }));
  return submitted(request, moveNote, (form) => ({ id, revision: form.id('revision'), folderId: form.id('folderId') }), {
    labels: noteLabels,
    done: () => ({ redirect: `${PATH}${back}${inList(request)}`, notice: 'saved' }),
    again: ({ problem, status, error }) =>
      refused(error.code === 'conflict' ? 'The note has changed. Open it, then move it again.' : problem, status),
  });
}

export const noteListRoutes: PageRoute[] = [
  { method: 'GET', path: PATH, handle: (request) => show(request) },
  { method: 'POST', path: `${PATH}/folders/create`, handle: create },
  { method: 'POST', path: `${PATH}/folders/rename`, handle: rename },
  { method: 'POST', path: `${PATH}/folders/delete`, handle: remove },
  { method: 'POST', path: `${PATH}/:noteId/move`, handle: move },
];
