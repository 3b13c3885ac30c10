import { unlink } from 'node:fs/promises';
import type { Context } from 'koa';
import { HttpMethodEnum, koaBody } from 'koa-body';
import type { z } from 'zod';
import { parseInput } from '../../operations/input.ts';
import { type AppError, type Fault, InvalidRequest, type Path, sentenceOf } from '../../values/errors.ts';
import { type Content, html } from './html.ts';

export const MAX_ATTACHMENT_BYTES = 5 * 1024 * 1024;

export interface Upload {
  name: string;
  /** The temporary file. It is deleted when the response ends. */
  path: string;
  size: number;
}

/** A file that is still arriving. */
export interface Incoming {
  name: string;
  bytes: AsyncIterable<Buffer>;
  /** A small picture of it. */
  thumbnail: Buffer | null;
}

export class Form {
  readonly #values: Map<string, string | string[]>;
  readonly upload: Upload | null;
  readonly incoming: Incoming | null;

  constructor(values: Record<string, string | string[]>, upload: Upload | null = null, incoming: Incoming | null = null) {
    // A Map, because field names may equal names of Object.prototype.
    this.#values = new Map(Object.entries(values));
    this.upload = upload;
    this.incoming = incoming;
  }

  /** Trimmed text with \n line ends; '' when absent. */
  text(name: string): string {
    const value = this.#values.get(name);
    return (Array.isArray(value) ? (value[0] ?? '') : (value ?? '')).replaceAll('\r\n', '\n').trim();
  }

  /** Untrimmed text, for passwords and long texts. */
  raw(name: string): string {
    const value = this.#values.get(name);
    return (Array.isArray(value) ? (value[0] ?? '') : (value ?? '')).replaceAll('\r\n', '\n');
  }

  all(name: string): string[] {
    const value = this.#values.get(name);
    return value === undefined ? [] : Array.isArray(value) ? value : [value];
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  /** Null when empty. NaN when not a number; the schema then reports it together with the other errors. */
  number(name: string): number | null {
    const text = this.text(name);
    return text === '' ? null : Number(text);
  }

  id(name: string): number {
    return this.number(name) ?? 0;
  }

  get names(): string[] {
    return [...this.#values.keys()];
  }

  parse<T>(schema: z.ZodType<T>, values: unknown): T {
    return parseInput(schema, values);
  }
}

const common = {
  json: false,
  // fieldsOf parses the text. koa-body's decoder makes objects of `a[b]` and of names that occur more than 20 times.
  urlencoded: false,
  text: true,
  textTypes: ['application/x-www-form-urlencoded'],
  parsedMethods: [HttpMethodEnum.POST],
};
const readOfMember = koaBody({
  ...common,
  multipart: true,
  textLimit: '1mb',
  formidable: { maxFileSize: MAX_ATTACHMENT_BYTES, maxFiles: 1, maxFieldsSize: 1024 * 1024, allowEmptyFiles: true, minFileSize: 0 },
});
/** Forms without sign-in are short and have no files (behaviour §13.9). */
const readOfAnybody = koaBody({ ...common, multipart: false, textLimit: '64kb' });

const MAX_FIELDS = 10_000;

function fieldsOf(body: string): Record<string, string | string[]> {
  const fields = new Map<string, string[]>();
  const all = new URLSearchParams(body);
  if (all.size > MAX_FIELDS) throw new InvalidRequest([], 'The form has too many fields. Send fewer at a time.');
  for (const [name, value] of all) {
    const values = fields.get(name);
    if (values) values.push(value);
    else fields.set(name, [value]);
  }
  return Object.fromEntries([...fields].map(([name, values]) => [name, values.length === 1 ? values[0]! : values]));
}

/** Reads the submitted form. Throws InvalidRequest when it is too large or malformed. */
export async function readForm(ctx: Context, sender: 'member' | 'anybody'): Promise<Form> {
  if (ctx.get('Content-Encoding')) throw new InvalidRequest([], 'The form is compressed. Send it without Content-Encoding.');
  try {
    await (sender === 'member' ? readOfMember : readOfAnybody)(ctx as never, async () => {});
  } catch (error) {
    throw new InvalidRequest(
      [],
      /max|limit|large/i.test(String(error))
        ? 'The form is too large. Use attachments of at most 5 MiB and texts of at most 1 MiB.'
        : 'The form could not be read. Send it again.',
    );
  }
  const request = ctx.request as unknown as {
    body?: string | Record<string, string | string[]>;
    files?: Record<string, unknown>;
  };
  const files = Object.values(request.files ?? {}).flat() as { originalFilename?: string; filepath: string; size: number }[];
  // Delete uploads when the response ends, whatever the outcome.
  if (files.length) ctx.res.once('close', () => void Promise.allSettled(files.map(({ filepath }) => unlink(filepath))));
  const file = files[0];
  const upload = file?.originalFilename ? { name: file.originalFilename, path: file.filepath, size: file.size } : null;
  return new Form(typeof request.body === 'string' ? fieldsOf(request.body) : { ...request.body }, upload);
}

// Validation errors of a form: all of them above the form, and each one at its field, linked by ARIA attributes (WCAG 3.3.1).

/** Labels by field name; '' for a field that needs no name because the form has only that one. */
export type Labels = Readonly<Record<string, string>>;

/** The last name in the path. */
const fieldOf = (path: Path): string => path.findLast((step) => typeof step === 'string') ?? '';

const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

const labelIn = (labels: Labels) => (path: Path) => {
  const field = fieldOf(path);
  return (Object.hasOwn(labels, field) ? labels[field] : undefined) ?? field;
};

function phrase({ path, whatToDo }: Fault, labels: Labels): string {
  const nameOf = labelIn(labels);
  const named = path.length > 0 && nameOf(path) !== '';
  return named ? sentenceOf({ path, whatToDo }, nameOf) : capital(sentenceOf({ path: [], whatToDo }, nameOf));
}

export const problemOf = (error: AppError, labels: Labels): string =>
  error instanceof InvalidRequest ? [...new Set(error.faults.map((fault) => phrase(fault, labels)))].join(' ') : error.message;

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
