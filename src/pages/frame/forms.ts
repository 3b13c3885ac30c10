import { Readable } from 'node:stream';
import type { Context } from 'koa';
import { HttpMethodEnum, koaBody } from 'koa-body';
import type { SessionCaller } from '../../access/caller.ts';
import { compressed, type FormFile, parseMultipart } from '../../http/multipart.ts';
import { readBody, SHORT_BYTES } from '../../http/readBody.ts';
import { type AppError, type Fault, InvalidRequest, type Path, sentenceOf } from '../../values/errors.ts';
import { release } from '../../values/lazy.ts';
import { letOthersRun } from '../../values/pieces.ts';
import { ownValue } from '../../values/records.ts';
import { capital } from '../../values/text.ts';

export const MAX_ATTACHMENT_BYTES = 5 * 1024 * 1024;

/** A file that is still arriving. */
export interface Incoming {
  name: string;
  bytes: AsyncIterable<Buffer>;
  /** A small picture of it. */
  thumbnail: Buffer | null;
}

export class Form {
  readonly #values: Map<string, string[]>;
  readonly upload: FormFile | null;
  readonly incoming: Incoming | null;

  constructor(values: Record<string, string | string[]>, upload: FormFile | null = null, incoming: Incoming | null = null) {
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

const MOST_TEXT_BYTES = 1024 * 1024;
const MOST_FIELDS = 10_000;
/** Text, a file, and the headers of the parts. */
const MOST_MULTIPART_BYTES = MAX_ATTACHMENT_BYTES + 2 * MOST_TEXT_BYTES;
/** Names and values are decoded in pieces, between which other requests run. */
const PIECE_LENGTH = 32 * 1024;

const tooLarge = () => new InvalidRequest([], 'The form is too large. Use attachments of at most 5 MiB and texts of at most 1 MiB.');
const tooManyFields = () => new InvalidRequest([], 'The form has too many fields. Send fewer at a time.');

const URLENCODED = 'application/x-www-form-urlencoded';
const readText = koaBody({
  json: false,
  multipart: false,
  // pairsOf parses the text. koa-body's decoder makes objects of `a[b]` and of names that occur more than 20 times.
  urlencoded: false,
  text: true,
  textTypes: [URLENCODED],
  textLimit: MOST_TEXT_BYTES,
  parsedMethods: [HttpMethodEnum.POST],
});

/** koa-body reads it from memory: bytes are counted while they arrive, and many small pieces would become a string of 30 times their size. */
async function textOf(ctx: Context, bytes: Buffer): Promise<string> {
  const request = Object.assign(Readable.from([bytes]), { headers: ctx.req.headers });
  await readText(Object.create(ctx, { req: { value: request } }), async () => {});
  return typeof ctx.request.body === 'string' ? ctx.request.body : '';
}

async function pairsOf(text: string): Promise<[name: string, value: string][]> {
  const pairs: [string, string][] = [];
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('&', from + PIECE_LENGTH);
    const to = end === -1 ? text.length : end;
    if (from > 0) await letOthersRun();
    // The first & keeps a question mark, which URLSearchParams would remove.
    pairs.push(...new URLSearchParams(`&${text.slice(from, to)}`));
    from = to + 1;
  }
  return pairs;
}

function countOf(byte: number, bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(byte); at !== -1; at = bytes.indexOf(byte, at + 1)) count++;
  return count;
}

function formOf(pairs: readonly [string, string][], file: FormFile | null = null): Form {
  const byName = Map.groupBy(pairs, ([name]) => name);
  return new Form(Object.fromEntries(byName.entries().map(([name, all]) => [name, all.map(([, value]) => value)])), file);
}

/** Reads the submitted form. `sender`: null without sign-in; such forms are short and have no files (behaviour §13.9). Throws InvalidRequest
 *  when the form is too large or malformed, and Unavailable. */
export async function readForm(ctx: Context, sender: SessionCaller | null): Promise<Form> {
  if (ctx.get('Content-Encoding')) throw compressed();
  const personId = sender?.owner?.userId;
  if (sender && ctx.is('multipart/form-data')) {
    const bytes = await readBody(ctx, { maxBytes: MOST_MULTIPART_BYTES, tooLong: tooLarge, personId });
    const limits = { fields: MOST_FIELDS, textBytes: MOST_TEXT_BYTES, fileBytes: MAX_ATTACHMENT_BYTES, tooManyFields, tooLarge };
    const { fields, file } = await parseMultipart(bytes, ctx.req.headers, limits).finally(() => release(bytes));
    return formOf(fields, file);
  }
  if (!ctx.is(URLENCODED)) return new Form({});
  const bytes = await readBody(ctx, { maxBytes: sender ? MOST_TEXT_BYTES : SHORT_BYTES, tooLong: tooLarge, personId });
  // Before parsing: half a million empty fields take seconds.
  if (countOf(0x26, bytes) >= MOST_FIELDS) throw tooManyFields();
  return formOf(await pairsOf(await textOf(ctx, bytes)));
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
