/** HTML of pages: as of everything that is made of typed texts. */
export { type Content, escapeHtml, Html, html, render } from '../../values/html.ts';
