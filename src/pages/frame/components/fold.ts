import { type Content, type Html, html } from '../html.ts';

export interface FoldProps {
  /** True when a form inside was refused. */
  open?: boolean;
  id?: string;
  class?: string;
  attributes?: Content;
}

export const fold = (summary: Content, body: Content, { open, id, class: more, attributes }: FoldProps = {}): Html =>
  html`<details class="fold${more && ` ${more}`}"${id && html` id="${id}"`}${open && html` open`}><summary${attributes}>${summary}</summary>${body}</details>`;
