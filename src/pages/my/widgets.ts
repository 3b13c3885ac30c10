/** Small pieces of markup that the parts of /my share, and what a refused form shows again. */
import type { TimeEntry } from '../../time/schema.ts';
import { weekday } from '../../values/dates.ts';
import type { Labels } from '../frame/faults.ts';
import type { Fields } from '../frame/fields.ts';
import { type Content, type Html, html } from '../frame/html.ts';
import type { PageRequest } from '../frame/page.ts';
import { type PostForm, postForm } from '../frame/postForm.ts';
import { option } from '../frame/widgets.ts';
import { type MyData, mayIn, type Recorded } from './data.ts';

export const PATH = '/my';

/** What the forms of the page call their fields; what is not typed needs no name. */
export const labels: Labels = {
  itemId: 'Work',
  note: 'Note',
  date: 'Day (UTC)',
  minutes: 'Minutes',
  startedAt: 'Start (UTC)',
  endedAt: 'End (UTC)',
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
export const myForm = (request: PageRequest, { week }: MyData, form: PostForm, ...content: Content[]): Content =>
  postForm(request, { ...form, action: PATH + form.action, once: true, hidden: { week, ...form.hidden } }, ...content);

/** A field that is one line: `attributes` of its input besides the name, the value and what is wrong with it. */
export const line = (fields: Fields, name: string, usual: string, attributes: Html): Content =>
  fields.field(name, (mark) => html`<input name="${name}" value="${fields.value(name, usual)}" ${attributes}${mark}>`);

export const noteLine = (fields: Fields, usual = ''): Content => line(fields, 'note', usual, html`maxlength="2000"`);

export function duration(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return hours === 0 ? `${rest} min` : rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}

const dayNames = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

export const dayName = (date: string) => `${dayNames[weekday(date)]} ${date}`;

export function workSelect(fields: Fields, data: MyData, what: Recorded): Content {
  const chosen = fields.value('itemId', data.chosen ? String(data.chosen) : '');
  const choices = data.choices.filter(({ workspaceId }) => mayIn(data, what, workspaceId));
  const none = option('', choices.length ? 'Choose…' : 'Find work to choose from first', null);
  const offered = choices.map(({ id, title }) => option(String(id), `${title} (#${id})`, chosen));
  return fields.field('itemId', (mark) => html`<select name="itemId" required${mark}>${none}${offered}</select>`);
}

export function workLink(
  request: PageRequest,
  workspaceId: number,
  itemId: number | null | undefined,
  title: string | null | undefined,
): Content {
  if (!itemId) return html`<span class="muted">work that you can't see any more</span>`;
  return html`<a href="${request.basePath}/workspaces/${workspaceId}/items/${itemId}">${title}</a>`;
}

/** A moment of a running timer as the clock in the page begins with it. */
export function runningFor({ startedAt, minutes }: TimeEntry): Content {
  return html`<time data-since="${startedAt}">${duration(minutes)}</time>`;
}
