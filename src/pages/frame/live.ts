/** Forms and links that change a part of the page without leaving it: what the server answers is the whole page as ever, and htmx takes
 *  the part, the notice, the timer, the head and the numbers in the sidebar out of it. Without script they are forms and links. */
import { type Content, html } from './html.ts';

/** Parts of the frame that may have become others; with the timer the work on the page, where it stands as well. */
const besides = ['#notice', '#timer', '#head'];
const besidesTimer = ['#notice', '#head', '#work'];

/** Attributes of a form that is posted to `action`, for the element `part`. */
export const livePost = (action: string, part: string): Content => html` hx-post="${action}"${swapping(part)} hx-sync="this:drop"`;

/** Attributes of a link, or of a form with method get. `push`: the address is the page's from then on. A newer one takes the place of one
 *  that is not answered yet. */
export const liveGet = (href: string, part: string, { push = true } = {}): Content =>
  html` hx-get="${href}"${swapping(part)} hx-sync="${part}:replace"${push && html` hx-push-url="true"`}`;

function swapping(part: string): Content {
  const others = part === '#main' ? [] : part === '#timer' ? besidesTimer : besides.filter((one) => one !== part);
  const swapped = [...others, '.side .n[id]', '.tabbar .n[id]'].map((one) => `${one}:outerMorph`).join(',');
  return html` hx-target="${part}" hx-select="${part}" hx-swap="outerMorph" hx-select-oob="${swapped}"`;
}
