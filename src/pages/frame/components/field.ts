import { type Content, type Html, html } from '../html.ts';

export interface FieldProps {
  label: Content;
  /** Name of the control. The ids of hint and error start with it. */
  name: string;
  hint?: Content;
  error?: Content;
  /** Gets the ARIA attributes of the control: (mark) => html`<input class="input" id="title" name="title"${mark}>` */
  control: (mark: Content) => Content;
  /** Id of the control; default: its name. */
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
