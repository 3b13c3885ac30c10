export { type Content, escapeHtml, Html, html, render } from '../../values/html.ts';
