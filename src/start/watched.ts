/** `npm run dev`: restarts web and worker on a migrated database after every change of their code. */
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { messageOf } from '../values/errors.ts';
import { type Services, startServices } from './services.ts';
import { watchFolders } from './watchFolders.ts';

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
