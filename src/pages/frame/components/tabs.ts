import { type Html, html } from '../html.ts';

export interface Tab {
  href: string;
  label: string;
  current: boolean;
}

export const tabs = (label: string, all: readonly Tab[]): Html =>
  html`<nav class="tabs" aria-label="${label}"><ul>${all.map(
    ({ href, label: name, current }) => html`<li><a href="${href}"${current && html` aria-current="page"`}>${name}</a></li>`,
  )}</ul></nav>`;
