/** Bytes of a file to text: UTF-8, UTF-16 and Windows-1252 (behaviour §36.4). */
import { InvalidRequest } from '../../values/errors.ts';
import type { OpenSource } from './source.ts';
import type { encodings } from './surveySchema.ts';

export type Encoding = (typeof encodings)[number];

/** How much of a file is enough to detect its format. */
const HEAD_BYTES = 65_536;

export async function readHead(open: OpenSource): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of open()) {
    chunks.push(Buffer.from(chunk));
    size += chunk.length;
    if (size >= HEAD_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, HEAD_BYTES);
}

/** First bytes of files that are not text, and what the error tells the user to do. */
const binaries: readonly [bytes: readonly number[], advice: string][] = [
  [[0x50, 0x4b], 'This is a zip or Excel file. Unpack it, or save the sheet as CSV, then import that file.'],
  [[0x1f, 0x8b], 'This is a gzip file. Unpack it, then import the file in it.'],
  [[0xd0, 0xcf, 0x11, 0xe0], 'This is an Excel file. Save the sheet as CSV, then import that file.'],
  [[0x25, 0x50, 0x44, 0x46], 'This is a PDF. Export CSV or JSON instead.'],
];

export function refuseBinary(head: Uint8Array): void {
  const found = binaries.find(([bytes]) => bytes.every((byte, at) => head[at] === byte));
  if (found) throw new InvalidRequest([], found[1]);
  if (head.length === 0) throw new InvalidRequest([], 'The file is empty. Choose another one.');
}

/** By byte order mark, or by the NUL bytes that UTF-16 has in every Latin letter. `utf-8` may turn out to be Windows-1252. */
export function encodingOf(head: Uint8Array): Encoding {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  const hasNuls = (odd: number) => head.filter((byte, at) => byte === 0 && at % 2 === odd).length > head.length / 4;
  if (hasNuls(1)) return 'utf-16le';
  return hasNuls(0) ? 'utf-16be' : 'utf-8';
}

const PIECE_BYTES = 16_384;

export class WrongEncoding extends Error {}

/** The text without a byte order mark and NUL characters. Throws WrongEncoding for bytes that are no UTF-8. */
export async function* decoded(open: OpenSource, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: encoding === 'utf-8' });
  // Small pieces: objects parsed from a large one outlive a young collection, which raised the memory peak by a third.
  for await (const chunk of open())
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) yield decode(decoder, chunk.subarray(at, at + PIECE_BYTES));
  yield decode(decoder, undefined);
}

function decode(decoder: InstanceType<typeof TextDecoder>, chunk: Uint8Array | undefined): string {
  try {
    // Always as a stream: without it, Node 24 decodes Windows-1252 as Latin-1.
    return decoder.decode(chunk, { stream: chunk !== undefined }).replaceAll('\0', '');
  } catch {
    throw new WrongEncoding();
  }
}
