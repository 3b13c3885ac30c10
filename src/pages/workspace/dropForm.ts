/** What dragging sends: a form that can't be seen, which the script of the page fills in. Without script, what stands beside does the same. */
import { type Html, html } from '../frame/html.ts';
import { type FormContext, type PostForm, postForm } from '../frame/postForm.ts';
import type { ListPage } from './listPage.ts';

export const dropForm = (context: FormContext, form: Pick<PostForm, 'action' | 'hidden' | 'live'>): Html =>
  postForm(context, { ...form, class: 'drop-form', data: { drop: true } }, html`<button hidden>Move</button>`);

/** Of an item; it goes to the address of what was dropped (items/change). */
export const itemDropForm = ({ request, workspace, change }: Pick<ListPage, 'request' | 'workspace' | 'change'>): Html =>
  dropForm(request, { action: `${workspace.path}/bulk`, hidden: { back: change.back, version: '', value: '' }, live: '#work' });
