/** Facts of something: properties one below the other, cards, sections with their headings. */
import { type Content, type Html, html } from '../html.ts';

export interface Property {
  label: Content;
  /** A link or button that changes it, or a `<span>`. Plain text is put into a span. */
  value: Content;
}

export function properties(all: readonly (Property | false | null | undefined)[]): Html {
  return html`<dl class="props">${all.map(
    (one) =>
      one &&
      html`<div><dt>${one.label}</dt><dd>${typeof one.value === 'string' || typeof one.value === 'number' ? html`<span>${one.value}</span>` : one.value}</dd></div>`,
  )}</dl>`;
}

/** A part of a page with its heading; `meta` stands behind it, `action` at its end. */
export function section(props: { title: Content; id?: string; meta?: Content; action?: Content; class?: string }, body: Content): Html {
  const { title, id, meta, action, class: more } = props;
  return html`<section${more && html` class="${more}"`}${id && html` id="${id}"`}><div class="sec"><h2>${title}</h2>${meta && html`<span class="meta">${meta}</span>`}${
    action && html`<span class="push"></span>${action}`
  }</div>${body}</section>`;
}

export interface CardProps {
  id?: string;
  /** Behind the title. */
  meta?: Content;
  /** At the end of the title's line. */
  action?: Content;
  class?: string;
  /** 2 unless given. */
  level?: 2 | 3;
}

/** Raised, with a title over its body. */
export function card(title: Content, body: Content, { id, meta, action, class: more, level = 2 }: CardProps = {}): Html {
  const heading = level === 2 ? html`<h2>${title}</h2>` : html`<h3>${title}</h3>`;
  return html`<section class="card${more && ` ${more}`}"${id && html` id="${id}"`}><header>${heading}${meta && html`<span class="meta">${meta}</span>`}${
    action && html`<span class="push"></span>${action}`
  }</header><div class="body">${body}</div></section>`;
}

/** The column beside a page's body; each section has a small heading. */
export function asideSection(title: Content, body: Content, more?: string): Html {
  return html`<section class="fact${more && ` ${more}`}"><h2>${title}</h2>${body}</section>`;
}
