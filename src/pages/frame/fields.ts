/** The fields of a form as a page shows them: each with its label, what was typed into it, and what is wrong with that. A page with
 *  several forms shows a refusal in the one that was sent.
 *
 *  ```ts
 *  const fields = formsOf(request, { name: 'Name' }, refusal)('/workspaces');
 *  fields.field('name', (mark) => html`<input name="name" value="${fields.value('name')}"${mark}>`)
 *  ``` */
import type { AppError } from '../../values/errors.ts';
import { FormFaults, type Labels } from './faults.ts';
import type { Form } from './forms.ts';
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
  readonly #faults: FormFaults;

  /** `main`: the field that faults without a path are about. */
  constructor(labels: Labels, refused?: Refused, main = '') {
    this.#labels = labels;
    this.#sent = refused?.form ?? null;
    this.#faults = new FormFaults(refused?.error, labels, main);
  }

  /** Whether it is this form that was refused. */
  get refused(): boolean {
    return this.#sent !== null;
  }

  /** As it was typed, else `usual`. */
  value(name: string, usual = ''): string {
    return this.#sent?.has(name) ? this.#sent.raw(name) : usual;
  }

  /** Whether a box is ticked. */
  ticked(name: string, value: string, usual = false): boolean {
    return this.#sent ? this.#sent.all(name).includes(value) : usual;
  }

  isAtFault(name: string): boolean {
    return this.#faults.has(name);
  }

  /** Attributes of a control; `help`: the id of what describes it besides. */
  mark(name: string, help?: string): Content {
    return this.#faults.mark(name, help);
  }

  /** What is wrong with a field, to stand beside its control. */
  note(name: string): Content {
    return this.#faults.note(name);
  }

  /** A control inside its label; `label` where the page's word is another than the one in refusals. */
  field(name: string, control: (mark: Content) => Content, hint?: Content, label = this.#labels[name]): Html {
    return html`<label>${label} ${control(this.mark(name))}${this.note(name)}${hint && html`<small>${hint}</small>`}</label>`;
  }
}

/** The fields of the form with this action, below the context path; `hidden` tells it from others with the same action. */
export type Forms = (action: string, hidden?: Record<string, string | number>) => Fields;

export function formsOf({ ctx, basePath, form }: PublicRequest, labels: Labels, refusal?: Refusal): Forms {
  return (action, hidden = {}) => {
    const sent = ctx.path === basePath + action && Object.entries(hidden).every(([name, value]) => form.text(name) === String(value));
    return new Fields(labels, refusal && sent ? { error: refusal.error, form } : undefined);
  };
}
