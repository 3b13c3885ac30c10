import { unlink } from 'node:fs/promises';
import type { Context } from 'koa';
import { HttpMethodEnum, koaBody } from 'koa-body';
import { type AppError, type Fault, InvalidRequest, type Path, sentenceOf } from '../../values/errors.ts';
import { ownValue } from '../../values/records.ts';
import { capital } from '../../values/text.ts';

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
  readonly #values: Map<string, string[]>;
  readonly upload: Upload | null;
  readonly incoming: Incoming | null;

  constructor(values: Record<string, string | string[]>, upload: Upload | null = null, incoming: Incoming | null = null) {
    // A Map, because field names may equal names of Object.prototype.
    this.#values = new Map(Object.entries(values).map(([name, value]) => [name, [value].flat()]));
    this.upload = upload;
    this.incoming = incoming;
  }

  /** Trimmed text with \n line ends; '' when absent. */
  text(name: string): string {
    return this.raw(name).trim();
  }

  /** Untrimmed text, for passwords and long texts. */
  raw(name: string): string {
    const [value = ''] = this.all(name);
    return value.replaceAll('\r\n', '\n');
  }

  all(name: string): string[] {
    return this.#values.get(name) ?? [];
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

  /** All values except those of the named fields. */
  without(...names: readonly string[]): Record<string, string[]> {
    return Object.fromEntries(this.#values.entries().filter(([name]) => !names.includes(name)));
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
const readAsMember = koaBody({
  ...common,
  multipart: true,
  textLimit: '1mb',
  formidable: { maxFileSize: MAX_ATTACHMENT_BYTES, maxFiles: 1, maxFieldsSize: 1024 * 1024, allowEmptyFiles: true, minFileSize: 0 },
});
/** Forms without sign-in are short and have no files (behaviour §13.9). */
const readAsVisitor = koaBody({ ...common, multipart: false, textLimit: '64kb' });

const MAX_FIELDS = 10_000;

function fieldsOf(body: string): Record<string, string[]> {
  const all = new URLSearchParams(body);
  if (all.size > MAX_FIELDS) throw new InvalidRequest([], 'The form has too many fields. Send fewer at a time.');
  const byName = Map.groupBy(all, ([name]) => name);
  return Object.fromEntries(byName.entries().map(([name, pairs]) => [name, pairs.map(([, value]) => value)]));
}

/** The text fields of a multipart form, as koa-body reads them. */
const partsOf = (body: Context['request']['body']): Record<string, string[]> =>
  Object.fromEntries(Object.entries(body ?? {}).map(([name, value]) => [name, [value].flat().map(String)]));

/** Reads the submitted form. Throws InvalidRequest when it is too large or malformed. */
export async function readForm(ctx: Context, sender: 'member' | 'anybody'): Promise<Form> {
  if (ctx.get('Content-Encoding')) throw new InvalidRequest([], 'The form is compressed. Send it without Content-Encoding.');
  try {
    await (sender === 'member' ? readAsMember : readAsVisitor)(ctx, async () => {});
  } catch (error) {
    throw new InvalidRequest(
      [],
      /max|limit|large/i.test(String(error))
        ? 'The form is too large. Use attachments of at most 5 MiB and texts of at most 1 MiB.'
        : 'The form could not be read. Send it again.',
    );
  }
  const { body, files: parsed = {} } = ctx.request;
  const files = Object.values(parsed).flat();
  // Delete uploads when the response ends, whatever the outcome.
  if (files.length) ctx.res.once('close', () => void Promise.allSettled(files.map(({ filepath }) => unlink(filepath))));
  const [file] = files;
  const upload = file?.originalFilename ? { name: file.originalFilename, path: file.filepath, size: file.size } : null;
  return new Form(typeof body === 'string' ? fieldsOf(body) : partsOf(body), upload);
}

// Validation errors of a form: all of them above the form, and each one at its field, linked by ARIA attributes (WCAG 3.3.1).

/** Labels by field name; '' for a field that needs no name because the form has only that one. */
export type Labels = Readonly<Record<string, string>>;

/** The last name in the path. */
const fieldOf = (path: Path): string => path.findLast((step) => typeof step === 'string') ?? '';

const labelIn = (labels: Labels) => (path: Path) => ownValue(labels, fieldOf(path)) ?? fieldOf(path);

function phrase({ path, whatToDo }: Fault, labels: Labels): string {
  const nameOf = labelIn(labels);
  const named = path.length > 0 && nameOf(path) !== '';
  return named ? sentenceOf({ path, whatToDo }, nameOf) : capital(sentenceOf({ path: [], whatToDo }, nameOf));
}

export const problemOf = (error: AppError, labels: Labels): string =>
  error instanceof InvalidRequest ? [...new Set(error.faults.map((fault) => phrase(fault, labels)))].join(' ') : error.message;

/** Faults as sentences, by field name. `main`: the field for errors without a path. */
export function faultsByField(error: AppError | undefined, labels: Labels, main: string): ReadonlyMap<string, string> {
  const faults = error instanceof InvalidRequest ? error.faults : [];
  const sentence = ({ whatToDo }: Fault) => capital(sentenceOf({ path: [], whatToDo }, labelIn(labels)));
  const byField = Map.groupBy(faults, ({ path }) => fieldOf(path) || main);
  return new Map(byField.entries().map(([field, own]) => [field, [...new Set(own.map(sentence))].join(' ')]));
}
