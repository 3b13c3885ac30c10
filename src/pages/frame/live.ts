/** Attributes for updates of a part of the page. The server answers with the whole page; htmx takes the part, the notice, the timer, the
 *  header and the sidebar counts. Without script they are ordinary forms and links. */

import type { FrameData } from '../../overviews/signedIn.ts';
import { type Content, type Html, html } from './html.ts';

/** Parts of the layout that are updated with every swap. */
const besides = ['#notice', '#timer', '#head'];
/** The timer, the line and the agenda of My day also change the list. `#beside` is the second column of My day and My week. */
const besidesOf: Record<string, readonly string[]> = {
  '#main': [],
  '#timer': ['#notice', '#head', '#work'],
  '#work': [...besides, '#beside'],
  '#capture': [...besides, '#work', '#beside'],
  '#beside': [...besides, '#work'],
};
/** The default target, set once on the body (layout.ts). Other targets name themselves. */
const USUAL = '#work';

/** Inherited from the body: on every element they would be 20 % of a list's size. */
export const liveAttributes: Html = html` ${swapping(USUAL, ':inherited')} hx-swap:inherited="outerMorph" hx-sync:inherited="${USUAL}:replace" hx-push-url:inherited="true"`;

/** Attributes of a posted form that updates `part`. The URL is the form's action (live.js). */
export const livePost = (part: string): Content => html` hx-post ${other(part)}hx-sync="this:drop" hx-push-url="false"`;

/** Attributes of a link or a GET form. `push`: the URL becomes the page's URL. A newer request replaces one that is not answered yet. */
export const liveGet = (part: string, { push = true } = {}): Content =>
  html` hx-get${part !== USUAL && html` ${other(part)}hx-sync="${part}:replace"`}${!push && html` hx-push-url="false"`}`;

/** Fetches only the part, from any page: nothing else is swapped and the URL stays. */
export const fetchPart = (part: string, swap: 'outerHTML' | 'outerMorph' = 'outerHTML'): Html =>
  html` hx-target="${part}" hx-select="${part}" hx-select-oob="" hx-swap="${swap}" hx-push-url="false" hx-sync="this:replace"`;

const other = (part: string): Content => part !== USUAL && html`${swapping(part)} `;

function swapping(part: string, inherited = ''): Html {
  const others = besidesOf[part] ?? besides.filter((one) => one !== part);
  const swapped = [...others, '.side .n[id]', '.tabbar .n[id]'].map((one) => `${one}:outerMorph`).join(',');
  return html`hx-target${inherited}="${part}" hx-select${inherited}="${part}" hx-select-oob${inherited}="${swapped}"`;
}

export type Done = NonNullable<FrameData['firstSteps']>;

/** Null when there is nothing to show. */
export function remainingSteps(data: Pick<FrameData, 'firstSteps'> | null): { done: number; of: number; steps: Done } | null {
  const steps = data?.firstSteps;
  if (!steps) return null;
  const all = Object.values(steps);
  const done = all.filter(Boolean).length;
  return done === all.length ? null : { done, of: all.length, steps };
}
