import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Sources {
  hash: string;
  files: string[];
}

/** SHA-256 of the paths and contents of these files below `home`. A missing file counts as empty. */
export function hashOf(files: readonly string[], home: string): string {
  const hash = createHash('sha256');
  for (const file of files) {
    const path = join(home, file);
    hash
      .update(`${file}\0`)
      .update(existsSync(path) ? readFileSync(path) : '')
      .update('\0');
  }
  return hash.digest('hex');
}
