/** A form with one file, which is streamed: its fields come first, then perhaps a thumbnail, then the file (behaviour §35.4). */
import type { IncomingMessage } from 'node:http';
import { MOST_THUMBNAIL_BYTES } from '../../files/itemFiles.ts';
import { type Part, partsOf } from '../../http/upload.ts';
import { Form, type Incoming } from './forms.ts';

/** `check` sees the fields before any file is read. */
export async function readUpload(
  request: IncomingMessage,
  check: (values: Record<string, string>) => void,
): Promise<{ form: Form; close(): Promise<void> }> {
  if (!/^multipart\/form-data;/i.test(request.headers['content-type'] ?? '')) check({});
  const parts = partsOf(request);
  const close = async () => void (await parts.return(undefined));
  try {
    const values: Record<string, string> = {};
    let thumbnail: Buffer | null = null;
    for (let next = await parts.next(); !next.done; next = await parts.next()) {
      const part = next.value;
      if (part.kind === 'field') values[part.name] = part.value;
      else {
        check(values);
        if (part.name !== 'thumbnail') return { form: new Form(values, null, incomingOf(part, parts, thumbnail)), close };
        thumbnail = await small(part.bytes);
      }
    }
    check(values);
    return { form: new Form(values), close };
  } catch (error) {
    await close();
    throw error;
  }
}

type FilePart = Extract<Part, { kind: 'file' }>;

/** Browsers send an empty file without a name if none was chosen. */
const incomingOf = ({ filename, bytes }: FilePart, parts: AsyncGenerator<Part>, thumbnail: Buffer | null): Incoming | null =>
  filename === undefined || filename === '' ? null : { name: filename, bytes: toTheEnd(bytes, parts), thumbnail };

/** The file, then the rest of the form, so that the connection can be used again. */
async function* toTheEnd(bytes: AsyncIterable<Buffer>, parts: AsyncGenerator<Part>): AsyncGenerator<Buffer> {
  yield* bytes;
  for await (const part of parts) if (part.kind === 'file') part.bytes.resume();
}

/** Null if it is too large. Reads it to its end. */
async function small(bytes: AsyncIterable<Buffer>): Promise<Buffer | null> {
  const held: Buffer[] = [];
  let length = 0;
  for await (const piece of bytes) {
    length += piece.length;
    if (length <= MOST_THUMBNAIL_BYTES) held.push(piece);
  }
  return length > 0 && length <= MOST_THUMBNAIL_BYTES ? Buffer.concat(held) : null;
}
