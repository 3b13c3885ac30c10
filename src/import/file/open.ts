/** Opens what is to be imported. What can be read only once, such as a pipe, is put into a file that has no name. */
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

/** It holds all that the file says, passwords too: nobody else may read it, and it is gone with this process, however that ends. */
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
