/** What the rules refuse, in the words of the form that was sent: above it as a whole, and at each field that is at fault, which
 *  assistive technology is told of, too (WCAG 3.3.1). */
import { type AppError, type Fault, InvalidRequest, type Path, sentenceOf } from '../../values/errors.ts';
import { type Content, html } from './html.ts';

/** A form's labels by field; '' for what needs no name, since the form has nothing else. */
export type Labels = Readonly<Record<string, string>>;

/** A field of a form is called as the last name of the path that it is sent under. */
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

/** All of it, for the top of the form. */
export const problemOf = (error: AppError, labels: Labels): string =>
  error instanceof InvalidRequest ? [...new Set(error.faults.map((fault) => told(fault, labels)))].join(' ') : error.message;

/** The faults of a form by field; without an error there are none. */
export class FormFaults {
  readonly #sentences = new Map<string, Set<string>>();
  #focused = false;

  /** `main`: the field that faults without a path are about. */
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

  /** Attributes of the field's control; `help`: the id of what describes it besides. */
  mark(field: string, help?: string): Content {
    if (!this.#sentences.has(field)) return help && html` aria-describedby="${help}"`;
    // Of the first one that is shown.
    const first = !this.#focused;
    this.#focused = true;
    return html` aria-invalid="true" aria-describedby="fault-${field}${help && ` ${help}`}"${first && html` autofocus`}`;
  }

  /** What to do about it, to stand beside the control. */
  note(field: string): Content {
    const sentences = this.#sentences.get(field);
    return sentences && html`<small class="fault" id="fault-${field}">${[...sentences].join(' ')}</small>`;
  }
}
