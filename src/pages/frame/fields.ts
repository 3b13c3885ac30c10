/** Form fields with label, submitted value and error. On a page with several forms only the submitted one shows errors.
 *
 *  ```ts
 *  const fields = formsOf(request, { name: 'Name' }, refusal)('/workspaces');
 *  fields.field('name', (mark) => html`<input name="name" value="${fields.value('name')}"${mark}>`)
 *  ``` */
import type { AppError } from '../../values/errors.ts';
import { type Form, faultsByField, type Labels } from './forms.ts';
import { type Content, type Html, html } from './html.ts';
import type { PublicRequest } from './page.ts';
import type { Refusal } from './submitted.ts';

interface Refused {
  error: AppError;
  form: Form;
}

export class Fields {
  readonly #labels: Labels;
  readonly #sent: Form | null;
  readonly #faults: ReadonlyMap<string, string>;
  #focused = false;

  /** `main`: the field for errors without a path. */
  constructor(labels: Labels, refused?: Refused, main = '') {
    this.#labels = labels;
    this.#sent = refused?.form ?? null;
    this.#faults = faultsByField(refused?.error, labels, main);
  }

  get refused(): boolean {
    return this.#sent !== null;
  }

  /** The submitted value, untrimmed; otherwise `usual`. */
  value(name: string, usual = ''): string {
    return this.#sent?.has(name) ? this.#sent.raw(name) : usual;
  }

  ticked(name: string, value: string, usual = false): boolean {
    return this.#sent ? this.#sent.all(name).includes(value) : usual;
  }

  isAtFault(name: string): boolean {
    return this.#faults.has(name);
  }

  /** ARIA attributes for the control of a field. `help`: id of another element that describes it. */
  mark(name: string, help?: string): Content {
    if (!this.#faults.has(name)) return help && html` aria-describedby="${help}"`;
    // Focus the first invalid field on the page.
    const first = !this.#focused;
    this.#focused = true;
    return html` aria-invalid="true" aria-describedby="fault-${name}${help && ` ${help}`}"${first && html` autofocus`}`;
  }

  note(name: string): Content {
    const fault = this.#faults.get(name);
    return fault && html`<small class="fault" id="fault-${name}">${fault}</small>`;
  }

  /** A label with its control. `label` overrides the label used in error texts. */
  field(name: string, control: (mark: Content) => Content, hint?: Content, label = this.#labels[name]): Html {
    return html`<label>${label} ${control(this.mark(name))}${this.note(name)}${hint && html`<small>${hint}</small>`}</label>`;
  }
}

/** Returns the fields of the form with this action (below the context path). `hidden` distinguishes forms with the same action. */
export type Forms = (action: string, hidden?: Record<string, string | number>) => Fields;

export function formsOf({ ctx, basePath, form }: PublicRequest, labels: Labels, refusal?: Refusal): Forms {
  return (action, hidden = {}) => {
    const sent = ctx.path === basePath + action && Object.entries(hidden).every(([name, value]) => form.text(name) === String(value));
    return new Fields(labels, refusal && sent ? { error: refusal.error, form } : undefined);
  };
}
