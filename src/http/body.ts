/** Reads a JSON body: one content type, valid UTF-8, limited size, depth and number of values (behaviour §5.6). */
import type { IncomingMessage } from 'node:http';
import { InvalidRequest } from '../values/errors.ts';
import { release } from '../values/lazy.ts';
import { type Exchange, readBody, SHORT_BYTES } from './readBody.ts';

const MAX_DEPTH = 32;
/** Many times the size of 100 items with all fields. Validating millions of values would block the event loop. */
const MAX_VALUES = 20_000;

/** Throws InvalidRequest and Unavailable. Does not read the rest of a body that is too long. */
export async function readJson(exchange: Exchange, maxBytes: number): Promise<unknown> {
  checkHeaders(exchange.req);
  const bytes = await readBody(exchange, { maxBytes, tooLong: () => tooLong(maxBytes) });
  try {
    return parseJson(bytes);
  } finally {
    if (bytes.length > SHORT_BYTES) release(bytes);
  }
}

function checkHeaders(request: IncomingMessage) {
  const type = (request.headers['content-type'] ?? '').toLowerCase();
  if (!/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/.test(type)) {
    throw new InvalidRequest([], 'Content-Type: send the body as application/json in UTF-8.');
  }
  const encoding = request.headers['content-encoding'];
  if (encoding && encoding !== 'identity') throw new InvalidRequest([], 'Content-Encoding: send the body uncompressed.');
}

const tooLong = (maxBytes: number) => new InvalidRequest([], `The body is longer than ${maxBytes / 1024 / 1024} MiB. Send less.`);

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
