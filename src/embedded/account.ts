/** The user that PostgreSQL runs as. It refuses root, so root uses an account without rights. */
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';

export type RunAs = { uid: number; gid: number } | Record<string, never>;

function idOf(name: string): RunAs | undefined {
  try {
    const id = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return undefined;
  }
}

/** The owner of an existing `folder`, else `postgres`, else `nobody`. Never creates accounts on the machine. */
export function runAs(folder: string): RunAs {
  if (process.getuid?.() !== 0) return {};
  const owner = statSync(folder, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const account = idOf('postgres') ?? idOf('nobody');
  if (account) return account;
  throw new Error('PostgreSQL refuses to run as root. Start as an ordinary user.');
}
