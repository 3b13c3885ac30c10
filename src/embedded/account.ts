/** As whom PostgreSQL runs. It refuses root, so root lends it an account that has no rights of its own. */
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';

/** Empty: as ourselves. */
export type RunAs = { uid: number; gid: number } | Record<string, never>;

function idOf(name: string): RunAs | undefined {
  try {
    const id = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return undefined;
  }
}

/** The owner of `folder` if there is one already (an ordinary user may have made it), else `postgres`, else `nobody`.
 *  Existing accounts only: starting a service must not add users to somebody's machine. */
export function runAs(folder: string): RunAs {
  if (process.getuid?.() !== 0) return {};
  const owner = statSync(folder, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const account = idOf('postgres') ?? idOf('nobody');
  if (account) return account;
  throw new Error('PostgreSQL refuses to run as root and this machine has no user "postgres" or "nobody": start as an ordinary user.');
}
