/** Forms as typed values: what a browser sends is text, names may repeat, and an unticked box is absent. */
import { unlink } from 'node:fs/promises';
import type { Context } from 'koa';
import { HttpMethodEnum, koaBody } from 'koa-body';
import type { z } from 'zod';
import { parseInput } from '../../operations/input.ts';
import { InvalidRequest } from '../../values/errors.ts';

export const MAX_ATTACHMENT_BYTES = 5 * 1024 * 1024;

export interface Upload {
  name: string;
  /** Where the upload lies until the answer has been given. */
  path: string;
  size: number;
}

export class Form {
  readonly #values: Map<string, string | string[]>;
  readonly upload: Upload | null;

  constructor(values: Record<string, string | string[]>, upload: Upload | null = null) {
    // Names are anything, even those that every object has.
    this.#values = new Map(Object.entries(values));
    this.upload = upload;
  }

  /** The trimmed text of a field; '' when absent. Line ends are as people mean them. */
  text(name: string): string {
    const value = this.#values.get(name);
    return (Array.isArray(value) ? (value[0] ?? '') : (value ?? '')).replaceAll('\r\n', '\n').trim();
  }

  /** As typed, untrimmed: passwords and bodies of text. */
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

  /** null when left empty; NaN when it is no number, which every schema refuses beside whatever else is at fault. */
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
  // An urlencoded form is read as text, and parsed as browsers write it (fieldsOf): koa-body's parser for them makes objects of `a[b]` and
  // of a name that comes more than twenty times.
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
/** Forms for everybody are short and bring no files (behaviour §13.9). */
const readOfAnybody = koaBody({ ...common, multipart: false, textLimit: '64kb' });

const MAX_FIELDS = 10_000;

/** Names and values; a name that comes more than once has them all. */
function fieldsOf(body: string): Record<string, string | string[]> {
  const fields = new Map<string, string[]>();
  const all = new URLSearchParams(body);
  if (all.size > MAX_FIELDS) throw new InvalidRequest([], 'The form has too many fields: send less at once.');
  for (const [name, value] of all) {
    const values = fields.get(name);
    if (values) values.push(value);
    else fields.set(name, [value]);
  }
  return Object.fromEntries([...fields].map(([name, values]) => [name, values.length === 1 ? values[0]! : values]));
}

/** The submitted form. Throws InvalidRequest when it is too large or can't be read. */
export async function readForm(ctx: Context, sender: 'member' | 'anybody'): Promise<Form> {
  // Browsers compress nothing that they send.
  if (ctx.get('Content-Encoding')) throw new InvalidRequest([], 'The form could not be read: send it uncompressed.');
  try {
    await (sender === 'member' ? readOfMember : readOfAnybody)(ctx as never, async () => {});
  } catch (error) {
    throw new InvalidRequest(
      [],
      /max|limit|large/i.test(String(error))
        ? 'The form is too large: an attachment has at most 5 MiB, a text at most 1 MiB.'
        : 'The form could not be read: send it again.',
    );
  }
  const request = ctx.request as unknown as {
    /** Text, when the form is not multipart. */
    body?: string | Record<string, string | string[]>;
    files?: Record<string, unknown>;
  };
  const files = Object.values(request.files ?? {}).flat() as { originalFilename?: string; filepath: string; size: number }[];
  // Whoever sent it and whatever is answered: no upload outlives its request.
  if (files.length) ctx.res.once('close', () => void Promise.allSettled(files.map(({ filepath }) => unlink(filepath))));
  const file = files[0];
  const upload = file?.originalFilename ? { name: file.originalFilename, path: file.filepath, size: file.size } : null;
  return new Form(typeof request.body === 'string' ? fieldsOf(request.body) : { ...request.body }, upload);
}
