/** Random access to the bytes of an import file, which is read more than once (behaviour §2.24). */
import { fstatSync, readSync } from 'node:fs';
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

export interface Source {
  /** Reads from `position` into `into`, from `start` on. Returns the number of bytes, 0 at the end. */
  read(into: Buffer, start: number, position: number): number;
  /** True if the file was written to since it was opened. Its content may then differ from the checked content. */
  changed(): boolean;
}

export function sourceOf(bytes: Buffer): Source {
  return { read: (into, start, position) => (position < bytes.length ? bytes.copy(into, start, position) : 0), changed: () => false };
}

export function sourceOfFile(descriptor: number): Source {
  const state = () => {
    const { size, mtimeNs } = fstatSync(descriptor, { bigint: true });
    return `${size} ${mtimeNs}`;
  };
  const opened = state();
  return {
    read: (into, start, position) => readSync(descriptor, into, start, into.length - start, position),
    changed: () => state() !== opened,
  };
}

const BLOCK = 16_384;

/** Reads entries by position. Buffers a block, because most reads move forwards. */
export class Places {
  readonly #source: Source;
  #block: Buffer = Buffer.allocUnsafe(BLOCK);
  #from = 0;
  #length = 0;

  constructor(source: Source) {
    this.#source = source;
  }

  /** Valid until the next read. Shorter if the file was truncated meanwhile. */
  read(position: number, length: number): Buffer {
    if (position < this.#from || position + length > this.#from + this.#length) this.#fill(position, length);
    const start = position - this.#from;
    return this.#block.subarray(start, Math.min(start + length, this.#length));
  }

  #fill(position: number, length: number): void {
    if (length > this.#block.length) this.#block = Buffer.allocUnsafe(2 * length);
    this.#from = position;
    this.#length = 0;
    while (this.#length < this.#block.length) {
      const read = this.#source.read(this.#block, this.#length, position + this.#length);
      if (read === 0) return;
      this.#length += read;
    }
  }
}

/** Opens an import file. Copies a stream that can be read only once, such as a pipe, into an unnamed temporary file. */
export interface OpenFile {
  source: Source;
  close(): Promise<void>;
}

export async function openPath(path: string): Promise<OpenFile> {
  const handle = await open(path);
  if ((await handle.stat()).isFile()) return opened(handle);
  return spool(handle.createReadStream());
}

/** The file contains passwords. Only this user can read it, and it disappears when the process ends, however it ends. */
export async function spool(stream: Readable): Promise<OpenFile> {
  const folder = await mkdtemp(join(tmpdir(), 'stint-import-'));
  try {
    const handle = await open(join(folder, 'file'), 'wx+', 0o600);
    await rm(folder, { recursive: true });
    await handle.writeFile(stream);
    return opened(handle);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function opened(handle: FileHandle): OpenFile {
  return { source: sourceOfFile(handle.fd), close: () => handle.close() };
}
