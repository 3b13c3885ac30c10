/** Reads a JSON body: one content type, valid UTF-8, limited size, depth and number of values (behaviour §5.6). */
import type { IncomingMessage } from 'node:http';
import { InvalidRequest, Unavailable } from '../values/errors.ts';
import { release } from '../values/lazy.ts';
import { unmetered } from '../values/meter.ts';

const MAX_DEPTH = 32;
/** Many times the size of 100 items with all fields. Validating millions of values would block the event loop. */
const MAX_VALUES = 20_000;

/** Throws InvalidRequest. Does not read the rest of a body that is too long. */
export async function readJson(request: IncomingMessage, maxBytes: number): Promise<unknown> {
  checkHeaders(request, maxBytes);
  const bytes = await unmetered(readBytes(request, maxBytes));
  try {
    return parseJson(bytes);
  } finally {
    if (bytes.length > SHORT_BYTES) release(bytes);
  }
}

function checkHeaders(request: IncomingMessage, maxBytes: number) {
  const type = (request.headers['content-type'] ?? '').toLowerCase();
  if (!/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/.test(type)) {
    throw new InvalidRequest([], 'Content-Type: send the body as application/json in UTF-8.');
  }
  const encoding = request.headers['content-encoding'];
  if (encoding && encoding !== 'identity') throw new InvalidRequest([], 'Content-Encoding: send the body uncompressed.');
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLong(maxBytes);
}

const tooLong = (maxBytes: number) => new InvalidRequest([], `The body is longer than ${maxBytes / 1024 / 1024} MiB. Send less.`);

/** Total of all bodies that are being read (behaviour §13.4). Short ones are always accepted. */
const MOST_HELD_BYTES = 40 * 1024 * 1024;
const SHORT_BYTES = 64 * 1024;
let held = 0;

function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const body = new Body(Number(request.headers['content-length'] ?? 0));
    const stop = (error: Error) => {
      request.pause();
      reject(error);
    };
    request.on('data', (chunk: Buffer) => {
      held += chunk.length;
      body.add(chunk);
      if (body.length > maxBytes) return stop(tooLong(maxBytes));
      if (held > MOST_HELD_BYTES && body.length > SHORT_BYTES) {
        stop(new Unavailable('The server is busy with large requests. Wait a moment, then send it again.', 1));
      }
    });
    request.on('close', () => {
      held -= body.length;
    });
    request.on('end', () => resolve(body.bytes));
    request.on('error', () => reject(new Unavailable('The connection closed before the body was complete. Send it again.')));
    request.on('aborted', () => reject(new Unavailable('The connection closed before the body was complete. Send it again.')));
  });
}

/** One growing buffer: joining a list of chunks would need twice the memory. */
class Body {
  length = 0;
  readonly #expected: number;
  #bytes: Buffer<ArrayBufferLike> = Buffer.alloc(0);

  constructor(expected: number) {
    this.#expected = expected;
  }

  add(chunk: Buffer): void {
    const length = this.length + chunk.length;
    if (this.length === 0 && length === this.#expected) this.#bytes = chunk;
    else {
      if (length > this.#bytes.length) this.#grow(Math.min(2 * length, this.#expected || Number.POSITIVE_INFINITY));
      chunk.copy(this.#bytes, this.length);
      release(chunk);
    }
    this.length = length;
  }

  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.length);
  }

  /** Grows with the received bytes: the declared length may never come. */
  #grow(length: number): void {
    const outgrown = this.#bytes;
    this.#bytes = Buffer.allocUnsafeSlow(length);
    outgrown.copy(this.#bytes);
    release(outgrown);
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function parseJson(bytes: Buffer): unknown {
  refuseUnwieldy(bytes);
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw new InvalidRequest([], 'The body is not valid UTF-8. Encode it as UTF-8.');
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidRequest([], 'The body is not valid JSON: check commas, quotes and brackets.');
  }
}

/** One pass over the bytes before parsing: counts brackets and commas outside strings. */
function refuseUnwieldy(bytes: Buffer): void {
  let depth = 0;
  let values = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === 0x22) i = endOfString(bytes, i + 1);
    else if (byte === 0x2c || byte === 0x7b || byte === 0x5b) {
      if (++values > MAX_VALUES) throw new InvalidRequest([], `The body has more than ${MAX_VALUES} values. Send fewer.`);
      if (byte !== 0x2c && ++depth > MAX_DEPTH) {
        throw new InvalidRequest([], `The body is nested more than ${MAX_DEPTH} levels deep. Send a flatter one.`);
      }
    } else if (byte === 0x7d || byte === 0x5d) depth--;
  }
}

function endOfString(bytes: Buffer, start: number): number {
  let i = start;
  for (; i < bytes.length && bytes[i] !== 0x22; i++) if (bytes[i] === 0x5c) i++;
  return i;
}
