/** What is there when one opens it. */
import { type Content, type Html, html } from '../html.ts';

export interface FoldProps {
  /** From the start: a form in it was refused. */
  open?: boolean;
  id?: string;
  class?: string;
  /** Of what opens it. */
  attributes?: Content;
}

export const fold = (summary: Content, body: Content, { open, id, class: more, attributes }: FoldProps = {}): Html =>
  html`<details class="fold${more && ` ${more}`}"${id && html` id="${id}"`}${open && html` open`}><summary${attributes}>${summary}</summary>${body}</details>`;
