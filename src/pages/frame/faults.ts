/** Validation errors of a form: all of them above the form, and each one at its field, linked by ARIA attributes (WCAG 3.3.1). */
import { type AppError, type Fault, InvalidRequest, type Path, sentenceOf } from '../../values/errors.ts';
import { type Content, html } from './html.ts';

/** Labels by field name; '' for a field that needs no name because the form has only that one. */
export type Labels = Readonly<Record<string, string>>;

/** The last name in the path. */
const fieldOf = (path: Path): string => path.findLast((step) => typeof step === 'string') ?? '';

const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

const labelIn = (labels: Labels) => (path: Path) => {
  const field = fieldOf(path);
  return (Object.hasOwn(labels, field) ? labels[field] : undefined) ?? field;
};

function told({ path, whatToDo }: Fault, labels: Labels): string {
  const nameOf = labelIn(labels);
  const named = path.length > 0 && nameOf(path) !== '';
  return named ? sentenceOf({ path, whatToDo }, nameOf) : capital(sentenceOf({ path: [], whatToDo }, nameOf));
}

export const problemOf = (error: AppError, labels: Labels): string =>
  error instanceof InvalidRequest ? [...new Set(error.faults.map((fault) => told(fault, labels)))].join(' ') : error.message;

export class FormFaults {
  readonly #sentences = new Map<string, Set<string>>();
  #focused = false;

  /** `main`: the field for errors without a path. */
  constructor(error: AppError | null = null, labels: Labels = {}, main = '') {
    for (const { path, whatToDo } of error instanceof InvalidRequest ? error.faults : []) {
      const field = fieldOf(path) || main;
      const sentence = capital(sentenceOf({ path: [], whatToDo }, labelIn(labels)));
      this.#sentences.set(field, (this.#sentences.get(field) ?? new Set()).add(sentence));
    }
  }

  has(field: string): boolean {
    return this.#sentences.has(field);
  }

  /** ARIA attributes for the control of a field. `help`: id of another element that describes it. */
  mark(field: string, help?: string): Content {
    if (!this.#sentences.has(field)) return help && html` aria-describedby="${help}"`;
    // Focus the first invalid field on the page.
    const first = !this.#focused;
    this.#focused = true;
    return html` aria-invalid="true" aria-describedby="fault-${field}${help && ` ${help}`}"${first && html` autofocus`}`;
  }

  note(field: string): Content {
    const sentences = this.#sentences.get(field);
    return sentences && html`<small class="fault" id="fault-${field}">${[...sentences].join(' ')}</small>`;
  }
}
