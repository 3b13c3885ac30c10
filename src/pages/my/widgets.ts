import type { Labels } from '../frame/faults.ts';
import type { Fields } from '../frame/fields.ts';
import { type Content, type Html, html } from '../frame/html.ts';
import type { PageRequest } from '../frame/page.ts';
import { type PostForm, postForm } from '../frame/postForm.ts';
import type { MyData } from './data.ts';

export const PATH = '/my';

export const labels: Labels = {
  work: 'Item',
  itemId: 'Item',
  note: 'Note',
  date: 'Day',
  minutes: 'Duration',
  startedAt: 'Start',
  endedAt: 'End',
  reason: 'Reason',
  startLocal: 'Start',
  endLocal: 'End',
  timezone: 'Time zone',
  entryId: '',
  revision: '',
  blockId: '',
};

export const at = ({ basePath }: PageRequest, rest = '') => `${basePath}${PATH}${rest}`;

/** A form on /my that returns to the same week. `action` is below /my. */
export const myForm = (request: PageRequest, { monday }: Pick<MyData, 'monday'>, form: PostForm, ...content: Content[]): Content =>
  postForm(request, { ...form, action: PATH + form.action, once: true, hidden: { week: monday, ...form.hidden } }, ...content);

/** A one-line field. `attributes`: of its input, without name, value and error attributes. */
export const line = (fields: Fields, name: string, usual: string, attributes: Html, hint?: Content): Content =>
  fields.field(name, (mark) => html`<input name="${name}" value="${fields.value(name, usual)}" ${attributes}${mark}>`, hint);

export const noteLine = (fields: Fields, usual = ''): Content => line(fields, 'note', usual, html`maxlength="2000"`);

export const lengthLine = (fields: Fields, usual = ''): Content =>
  line(fields, 'minutes', usual, html`required maxlength="20" placeholder="45m, 1:30, 1.5h" autocomplete="off"`);

export function workLink(
  request: PageRequest,
  workspaceId: number,
  itemId: number | null | undefined,
  title: string | null | undefined,
): Content {
  if (!itemId) return html`<span class="muted">an item that you can no longer see</span>`;
  return html`<a href="${request.basePath}/workspaces/${workspaceId}/items/${itemId}">${title}</a>`;
}
