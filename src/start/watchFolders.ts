/** Watches files. Each folder has its own watcher: on Linux, Node's recursive watch loses a file after an editor replaces it. */
import { type FSWatcher, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';

/** Waits this long, because editors and checkouts write in several steps. */
const SETTLED_MS = 200;

/** Calls `onChange` with the last changed file after SETTLED_MS without changes. Returns a function that stops watching. */
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
      // The renamed, added or deleted entry may be a folder.
      if (kind === 'rename') look(folder);
    }).on('error', () => forget(folder));
  for (const root of roots) look(root);
  return () => {
    clearTimeout(settled);
    for (const folder of [...watchers.keys()]) forget(folder);
  };
}

function entries(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
