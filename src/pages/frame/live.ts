/** Forms and links that change a part of the page without leaving it: what the server answers is the whole page as ever, and htmx takes
 *  the part, the notice, the timer, the head and the numbers in the sidebar out of it. Without script they are forms and links. */
import { type Content, type Html, html } from './html.ts';

/** Parts of the frame that may have become others; with the timer the work on the page, where it stands as well. */
const besides = ['#notice', '#timer', '#head'];
const besidesTimer = ['#notice', '#head', '#work'];
/** What most are about: it stands once, on the body (layout.ts), and what is about another part says so itself. */
const USUAL = '#work';

/** Attributes of the body, which all that is live inherits: they would be a fifth of a list otherwise. */
export const liveAttributes: Html = html` ${swapping(USUAL, ':inherited')} hx-swap:inherited="outerMorph" hx-sync:inherited="${USUAL}:replace" hx-push-url:inherited="true"`;

/** Attributes of a form that is posted, for the element `part`; where to stands in its action (live.js). */
export const livePost = (part: string): Content => html` hx-post ${other(part)}hx-sync="this:drop" hx-push-url="false"`;

/** Attributes of a link, or of a form with method get. `push`: the address is the page's from then on. A newer one takes the place of one
 *  that is not answered yet. */
export const liveGet = (part: string, { push = true } = {}): Content =>
  html` hx-get${part !== USUAL && html` ${other(part)}hx-sync="${part}:replace"`}${!push && html` hx-push-url="false"`}`;

/** Attributes of what fetches the part alone, of whatever page it is: nothing besides is swapped, and the address stays. */
export const fetchPart = (part: string, swap: 'outerHTML' | 'outerMorph' = 'outerHTML'): Html =>
  html` hx-target="${part}" hx-select="${part}" hx-select-oob="" hx-swap="${swap}" hx-push-url="false" hx-sync="this:replace"`;

const other = (part: string): Content => part !== USUAL && html`${swapping(part)} `;

function swapping(part: string, inherited = ''): Html {
  const others = part === '#main' ? [] : part === '#timer' ? besidesTimer : besides.filter((one) => one !== part);
  const swapped = [...others, '.side .n[id]', '.tabbar .n[id]'].map((one) => `${one}:outerMorph`).join(',');
  return html`hx-target${inherited}="${part}" hx-select${inherited}="${part}" hx-select-oob${inherited}="${swapped}"`;
}
