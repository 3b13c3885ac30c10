/** Reads the body of a request into memory, and limits what all bodies together hold (behaviour §13.4). */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Slots, slotsOf } from '../access/throttle/concurrency.ts';
import { Unavailable } from '../values/errors.ts';
import { release } from '../values/lazy.ts';
import { unmetered } from '../values/meter.ts';

/** A Koa context has both. */
export interface Exchange {
  req: IncomingMessage;
  res: ServerResponse;
}

interface Limits {
  maxBytes: number;
  tooLong: () => Error;
  /** Limits the long bodies of this person. */
  personId?: number | undefined;
}

export const SHORT_BYTES = 64 * 1024;
const TINY_BYTES = 4 * 1024;
/** Total of all bodies, from their first byte until their answer. Above it only short ones are accepted, and later only tiny ones. */
const MOST_HELD_BYTES = 40 * 1024 * 1024;
const MOST_HELD_WITH_SHORT_BYTES = 60 * 1024 * 1024;
let held = 0;

const MOST_LONG_OF_PERSON = 4;
const longByPerson = new Map<number, Slots>();

const tooManyHeld = () => new Unavailable('The server is busy with large requests. Wait a moment, then send it again.', 1);
const tooManyOfPerson = () => new Unavailable('You are sending too many large forms at once. Wait until one is sent, then try again.', 2);
const brokenOff = () => new Unavailable('The connection closed before the body was complete. Send it again.');

/** Waits unmetered. Does not read the rest of a body that is refused. Throws `tooLong()` and Unavailable. */
export const readBody = (exchange: Exchange, limits: Limits): Promise<Buffer> => unmetered(readBytes(exchange, limits));

function readBytes({ req: request, res: response }: Exchange, { maxBytes, tooLong, personId }: Limits): Promise<Buffer> {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > maxBytes) return Promise.reject(tooLong());
  if (request.destroyed) return Promise.reject(brokenOff());
  return new Promise((resolve, reject) => {
    const body = new Body(declared);
    let freeSlot: (() => void) | null = null;
    const free = () => {
      request.off('data', add);
      held -= body.length;
      body.empty();
      freeSlot?.();
      freeSlot = null;
    };
    const refuse = (error: Error) => {
      request.pause();
      free();
      reject(error);
    };
    const add = (chunk: Buffer) => {
      held += chunk.length;
      body.add(chunk);
      if (body.length > maxBytes) return refuse(tooLong());
      if (isTooMuch(body.length)) return refuse(tooManyHeld());
      if (personId === undefined || body.length <= SHORT_BYTES || freeSlot) return;
      const slots = slotsOf(longByPerson, personId, { concurrent: MOST_LONG_OF_PERSON });
      if (slots.isFull) return refuse(tooManyOfPerson());
      freeSlot = slots.hold();
    };
    request.on('data', add);
    request.on('end', () => resolve(body.bytes));
    for (const event of ['error', 'aborted']) request.on(event, () => reject(brokenOff()));
    response.once('close', () => {
      free();
      // The request was answered before its body was complete.
      reject(brokenOff());
    });
  });
}

const isTooMuch = (length: number): boolean =>
  (held > MOST_HELD_BYTES && length > SHORT_BYTES) || (held > MOST_HELD_WITH_SHORT_BYTES && length > TINY_BYTES);

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

  empty(): void {
    this.length = 0;
    this.#bytes = Buffer.alloc(0);
  }

  /** Grows with the received bytes: the declared length may never come. */
  #grow(length: number): void {
    const outgrown = this.#bytes;
    this.#bytes = Buffer.allocUnsafeSlow(length);
    outgrown.copy(this.#bytes);
    release(outgrown);
  }
}
