/** Compressed assets, cached on disk by content hash in Node's compile cache folder (start/requireNode.js). Without that folder: no
 *  cache. */
import { hash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import module from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export type Encoding = 'br' | 'gzip';

const compress: Record<Encoding, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 9 }),
};

/** Separate for each Node version and system user. */
function besideCode(): string | undefined {
  const code = module.getCompileCacheDir();
  return code && join(code, 'compressed');
}

export async function compressed(bytes: Buffer, encoding: Encoding, folder = besideCode()): Promise<Buffer> {
  if (folder === undefined) return compress[encoding](bytes);
  const file = join(folder, `${hash('sha256', bytes, 'hex')}.${encoding}`);
  const kept = await readFile(file).catch(() => undefined);
  if (kept) return kept;
  const made = await compress[encoding](bytes);
  await keep(folder, file, made).catch(() => {});
  return made;
}

/** Writes to a temporary name, then renames: another process may read the file at the same time. */
async function keep(folder: string, file: string, bytes: Buffer): Promise<void> {
  const begun = `${file}.${randomUUID()}`;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    await writeFile(begun, bytes);
    await rename(begun, file);
  } catch (error) {
    await rm(begun, { force: true });
    throw error;
  }
}
