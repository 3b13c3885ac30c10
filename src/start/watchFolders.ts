/** Tells of changes to files. Folders are watched one by one: on Linux Node's recursive watch no longer sees a file once an editor has put
 *  another in its place. */
import { type FSWatcher, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';

/** An editor writes a file in several steps, a checkout many files. */
const SETTLED_MS = 200;

/** Calls `onChange` with the file that changed last, once nothing has changed for a moment. Returns what ends it. */
export function watchFolders(roots: string[], onChange: (file: string) => void): () => void {
  const watchers = new Map<string, FSWatcher>();
  let settled: NodeJS.Timeout | undefined;
  const forget = (folder: string) => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  };
  const look = (folder: string) => {
    if (!watchers.has(folder)) watchers.set(folder, follow(folder));
    for (const entry of entries(folder)) if (entry.isDirectory()) look(join(folder, entry.name));
  };
  const follow = (folder: string) =>
    watch(folder, (kind, name) => {
      clearTimeout(settled);
      settled = setTimeout(() => onChange(join(folder, name ?? '')), SETTLED_MS);
      // Something came, went or has another name: perhaps a folder.
      if (kind === 'rename') look(folder);
    }).on('error', () => forget(folder));
  for (const root of roots) look(root);
  return () => {
    clearTimeout(settled);
    for (const folder of [...watchers.keys()]) forget(folder);
  };
}

/** None of a folder that has gone. */
function entries(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
