/** Small pieces of markup that the parts of /my share, and what a refused form shows again. */
import type { TimeEntry } from '../../time/schema.ts';
import { weekday } from '../../values/dates.ts';
import { type Content, html } from '../frame/html.ts';
import type { PageRequest } from '../frame/page.ts';
import { type PostForm, postForm } from '../frame/postForm.ts';
import type { Refusal } from '../frame/submitted.ts';
import { option } from '../frame/widgets.ts';
import { type MyData, mayIn, type Recorded } from './data.ts';

export const PATH = '/my';

/** What could not be done: shown above the page, and in the form that it came from. */
export interface RefusedForm extends Refusal {
  /** Which form: `log`, `plan`, or `entry` with its id. */
  form: string;
}

export const at = ({ basePath }: PageRequest, rest = '') => `${basePath}${PATH}${rest}`;

/** A form of the page: after its work the same week is shown again. `action` is below /my. */
export const myForm = (request: PageRequest, { week }: MyData, form: PostForm, ...content: Content[]): Content =>
  postForm(request, { ...form, action: PATH + form.action, once: true, hidden: { week, ...form.hidden } }, ...content);

/** A value as it was typed into the form that was refused, else the usual one. */
export function typed({ form }: PageRequest, refusal: RefusedForm | undefined, which: string, name: string, usual: string): string {
  return refusal?.form === which && form.has(name) ? form.text(name) : usual;
}

export function duration(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return hours === 0 ? `${rest} min` : rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}

const dayNames = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

export const dayName = (date: string) => `${dayNames[weekday(date)]} ${date}`;

export function workSelect(data: MyData, what: Recorded, chosen: string): Content {
  const choices = data.choices.filter(({ workspaceId }) => mayIn(data, what, workspaceId));
  return html`<label>Work <select name="itemId" required><option value="">${choices.length ? 'Choose…' : 'Find work to choose from first'}</option>${choices.map(({ id, title }) => option(String(id), `${title} (#${id})`, chosen))}</select></label>`;
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
