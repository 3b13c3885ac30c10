/** Small pieces of markup that the parts of /my share, and what a refused form shows again. */
import type { Labels } from '../frame/faults.ts';
import type { Fields } from '../frame/fields.ts';
import { type Content, type Html, html } from '../frame/html.ts';
import type { PageRequest } from '../frame/page.ts';
import { type PostForm, postForm } from '../frame/postForm.ts';
import type { MyData } from './data.ts';

export const PATH = '/my';

/** What the forms of the page call their fields; what is not typed needs no name. */
export const labels: Labels = {
  work: 'Work',
  itemId: 'Work',
  note: 'Note',
  date: 'Day',
  minutes: 'How long',
  startedAt: 'Start',
  endedAt: 'End',
  reason: 'Reason',
  startLocal: 'Start',
  endLocal: 'End',
  timezone: 'Timezone',
  entryId: '',
  revision: '',
  blockId: '',
};

export const at = ({ basePath }: PageRequest, rest = '') => `${basePath}${PATH}${rest}`;

/** A form of the page: after its work the same week is shown again. `action` is below /my. */
export const myForm = (request: PageRequest, { monday }: Pick<MyData, 'monday'>, form: PostForm, ...content: Content[]): Content =>
  postForm(request, { ...form, action: PATH + form.action, once: true, hidden: { week: monday, ...form.hidden } }, ...content);

/** A field that is one line: `attributes` of its input besides the name, the value and what is wrong with it. */
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
  if (!itemId) return html`<span class="muted">work that you can't see any more</span>`;
  return html`<a href="${request.basePath}/workspaces/${workspaceId}/items/${itemId}">${title}</a>`;
}
