/** What is there when one opens it. */
import { type Content, type Html, html } from '../html.ts';

export const fold = (summary: Content, body: Content): Html => html`<details class="fold"><summary>${summary}</summary>${body}</details>`;
