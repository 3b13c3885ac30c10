/** HTML of pages: as of everything that is made of typed texts. */
export { type Content, escapeHtml, Html, html } from '../../values/html.ts';
