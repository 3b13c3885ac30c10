/** An invisible form that a script fills in after dragging. Without script a menu does the same. */
import { type Html, html } from '../frame/html.ts';
import { type FormContext, type PostForm, postForm } from '../frame/postForm.ts';
import type { ListPage } from './listPage.ts';

export const dropForm = (context: FormContext, form: Pick<PostForm, 'action' | 'hidden' | 'live'>): Html =>
  postForm(context, { ...form, class: 'drop-form', data: { drop: true } }, html`<button hidden>Move</button>`);

/** The script replaces the action with the URL of the dropped item (items/change). */
export const itemDropForm = ({ request, workspace, change }: Pick<ListPage, 'request' | 'workspace' | 'change'>): Html =>
  dropForm(request, { action: `${workspace.path}/bulk`, hidden: { back: change.back, version: '', value: '' }, live: '#work' });
