/** A field of a form: label, control, hint, and what is wrong with it. */
import { type Content, type Html, html } from '../html.ts';

export interface FieldProps {
  label: Content;
  /** Of the control; the ids of hint and fault are made of it. */
  name: string;
  hint?: Content;
  /** What to do about it, in words. */
  error?: Content;
  /** Gets the attributes that mark it: (mark) => html`<input class="input" id="title" name="title"${mark}>` */
  control: (mark: Content) => Content;
  /** Of the control, where it is not its name. */
  id?: string;
  class?: string;
  optional?: boolean;
}

export function field({ label, name, hint, error, control, id = name, class: more, optional }: FieldProps): Html {
  const ids = [error && `fault-${name}`, hint && `hint-${name}`].filter(Boolean).join(' ');
  const mark = [error && html` aria-invalid="true"`, ids && html` aria-describedby="${ids}"`];
  return html`<div class="field${more && ` ${more}`}"><label class="flabel" for="${id}">${label}${optional && html` <span class="meta">optional</span>`}</label>${control(mark)}${
    error && html`<p class="fault" id="fault-${name}">${error}</p>`
  }${hint && html`<p class="hint" id="hint-${name}">${hint}</p>`}</div>`;
}
