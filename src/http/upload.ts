/** Reads a form with a file as a stream: fields first, then files one after the other, never in memory as a whole (behaviour §35.4). */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Slots, slotsOf } from '../access/throttle/concurrency.ts';
import { type AppError, Unavailable } from '../values/errors.ts';
import { unmetered } from '../values/meter.ts';
import { fileNameIn, multipartParser, onTooManyParts, unreadable } from './multipart.ts';

const limits = { fields: 20, fieldSize: 64 * 1024, files: 2 };

/** All time limits of an upload. The client may be slow, but not silent. */
export const LONGEST_UPLOAD_MS = 15 * 60_000;
const SILENT_MS = 30_000;

const MOST_AT_ONCE = 50;
const MOST_OF_PERSON = 4;
const refusal = () => new Unavailable('Too many uploads at once. Wait until one is done, then try again.', 2);
const noWaiting = { mostWaiting: 0, refusal };
const ofProcess = new Slots({ concurrent: MOST_AT_ONCE, ...noWaiting });
const byPerson = new Map<number, Slots>();

/** Limits simultaneous uploads of a process and of a person. Throws Unavailable. */
export const withUploadSlot = <T>(personId: number, work: () => Promise<T>): Promise<T> =>
  slotsOf(byPerson, personId, { concurrent: MOST_OF_PERSON, ...noWaiting }).run(() => ofProcess.run(work));

const uploads = new WeakSet<IncomingMessage>();

/** True if the request is a running upload: its body may take longer than other bodies (guard.ts). */
export const isUpload = (request: IncomingMessage): boolean => uploads.has(request);

export type Part =
  | { kind: 'field'; name: string; value: string }
  | { kind: 'file'; name: string; filename: string | undefined; bytes: Readable };

const brokenOff = () => new Unavailable('The connection closed before the file was complete. Send it again.');

/** Parts in their order. The next part is read when the bytes of a file are read to their end. Throws InvalidRequest and Unavailable. */
export async function* partsOf(request: IncomingMessage): AsyncGenerator<Part> {
  const queue: Part[] = [];
  let [done, wake]: [boolean, () => void] = [false, () => {}];
  let failure: AppError | null = null;
  let file: Readable | null = null;
  const changed = () => wake();
  const fail = (error: AppError) => {
    failure ??= error;
    file?.destroy(failure);
    changed();
  };
  const parser = multipartParser(request.headers, limits);
  uploads.add(request);
  const silence = watchSilence(request, () => fail(brokenOff()));
  parser.on('field', (name, value, nameTruncated, valueTruncated) => {
    if (nameTruncated || valueTruncated) return fail(unreadable());
    queue.push({ kind: 'field', name, value });
    changed();
  });
  parser.on('file', (name, bytes, filename) => {
    file = bytes;
    // Its reader gets the error; without a listener an early one would end the process.
    bytes.on('error', () => {});
    queue.push({ kind: 'file', name, filename: filename && fileNameIn(filename), bytes });
    changed();
  });
  onTooManyParts(parser, () => fail(unreadable()));
  parser.on('error', () => fail(request.complete ? unreadable() : brokenOff()));
  parser.on('finish', () => {
    done = true;
    changed();
  });
  request.on('close', () => request.complete || fail(brokenOff()));
  request.on('error', () => fail(brokenOff()));
  request.pipe(parser);
  try {
    while (true) {
      const part = queue.shift();
      if (part) yield part;
      else if (failure) throw failure;
      else if (done) return;
      else
        await unmetered(
          new Promise<void>((resolve) => {
            wake = resolve;
          }),
        );
    }
  } finally {
    silence();
    uploads.delete(request);
    request.unpipe(parser);
    request.pause();
    if (!done) fail(brokenOff());
  }
}

/** Calls `onSilence` if nothing is received for SILENT_MS while the parser waits for bytes. */
function watchSilence(request: IncomingMessage, onSilence: () => void): () => void {
  let [last, received] = [performance.now(), request.socket.bytesRead];
  const timer = setInterval(() => {
    const now = request.socket.bytesRead;
    // A paused request waits for us.
    if (now !== received || request.isPaused()) [last, received] = [performance.now(), now];
    else if (performance.now() - last > SILENT_MS) onSilence();
  }, 1_000);
  const end = setTimeout(onSilence, LONGEST_UPLOAD_MS);
  return () => {
    clearInterval(timer);
    clearTimeout(end);
  };
}
