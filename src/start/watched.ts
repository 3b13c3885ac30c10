/** `npm run dev`: restarts web and worker on a migrated database after every change of their code. */

import { type FSWatcher, readdirSync, watch } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { messageOf } from '../values/errors.ts';
import { type Services, startServices } from './services.ts';

// Watches files. Each folder has its own watcher: on Linux, Node's recursive watch loses a file after an editor replaces it.

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

const root = fileURLToPath(new URL('../../', import.meta.url));
const watched = ['src', 'workers', 'sql'].map((name) => `${root}${name}`);

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
function onEnd(why: string): void {
  say(`${why}\nThe next change starts web and worker again.`);
}

/** After a failed process or migration, waits for the next change. */
export function startWatched(environment: NodeJS.ProcessEnv, migrate: () => Promise<void>): Services {
  let services = startServices(environment, onEnd);
  let stopping = false;
  let waiting = false;
  let restarts = Promise.resolve();

  async function restart(): Promise<void> {
    waiting = false;
    await services.stop();
    try {
      if (!stopping) await migrate();
    } catch (error) {
      return onEnd(messageOf(error));
    }
    if (!stopping) services = startServices(environment, onEnd);
  }

  const endWatch = watchFolders(watched, (file) => {
    if (waiting) return;
    say(`${relative(root, file)} has changed: web and worker start again.`);
    waiting = true;
    restarts = restarts.then(restart);
  });
  return {
    async stop() {
      stopping = true;
      endWatch();
      await restarts;
      await services.stop();
    },
  };
}
