/** Opens an import file. Copies a stream that can be read only once, such as a pipe, into an unnamed temporary file. */
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { type Source, sourceOfFile } from './source.ts';

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
