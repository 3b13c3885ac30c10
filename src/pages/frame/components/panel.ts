import { type Content, type Html, html } from '../html.ts';

export interface Property {
  label: Content;
  /** A link, button or `<span>`. Plain text gets a span. */
  value: Content;
}

export function properties(all: readonly (Property | false | null | undefined)[]): Html {
  return html`<dl class="props">${all.map(
    (one) =>
      one &&
      html`<div><dt>${one.label}</dt><dd>${typeof one.value === 'string' || typeof one.value === 'number' ? html`<span>${one.value}</span>` : one.value}</dd></div>`,
  )}</dl>`;
}

export function section(props: { title: Content; id?: string; meta?: Content; action?: Content; class?: string }, body: Content): Html {
  const { title, id, meta, action, class: more } = props;
  return html`<section${more && html` class="${more}"`}${id && html` id="${id}"`}><div class="sec"><h2>${title}</h2>${meta && html`<span class="meta">${meta}</span>`}${
    action && html`<span class="push"></span>${action}`
  }</div>${body}</section>`;
}

export interface CardProps {
  id?: string;
  meta?: Content;
  action?: Content;
  class?: string;
  /** Heading level, default 2. */
  level?: 2 | 3;
}

export function card(title: Content, body: Content, { id, meta, action, class: more, level = 2 }: CardProps = {}): Html {
  const heading = level === 2 ? html`<h2>${title}</h2>` : html`<h3>${title}</h3>`;
  return html`<section class="card${more && ` ${more}`}"${id && html` id="${id}"`}><header>${heading}${meta && html`<span class="meta">${meta}</span>`}${
    action && html`<span class="push"></span>${action}`
  }</header><div class="body">${body}</div></section>`;
}

export function asideSection(title: Content, body: Content, more?: string): Html {
  return html`<section class="fact${more && ` ${more}`}"><h2>${title}</h2>${body}</section>`;
}
