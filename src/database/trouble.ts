import pg from 'pg';
import { SlonikError } from 'slonik';
import { isConnectionLoss, OLD_PRIMARY } from './connections.ts';

export const troubles = {
  unmigrated: 'it is not migrated: run npm run stint -- migrate',
  'permission denied': 'its role lacks rights: make the role of DATABASE_URL the owner of the database and of everything in it',
  'disk full': 'its disk is full: free space or add more; PostgreSQL then continues by itself',
  'out of memory': 'it is out of memory: give it more, or lower DATABASE_POOL_SIZE',
  'too many connections': 'it has too many connections: raise the limit of the server or the role, or lower DATABASE_POOL_SIZE',
  'read only': 'it is read-only: set DATABASE_URL to the primary',
  'old primary': 'it is the primary from before a failover: stop it, and set DATABASE_URL to the new one',
  'sign-in refused': 'it refuses the user or the password of DATABASE_URL: correct them',
  'no such database': 'the server has no database of this name: create it',
  starting: 'it is starting up or shutting down: wait, and check its log if this lasts',
  unreachable: "it can't be reached: check DATABASE_URL and the network",
} as const;
export type Trouble = keyof typeof troubles;

const byState: Record<string, Trouble> = {
  '42P01': 'unmigrated',
  '3F000': 'unmigrated',
  '42501': 'permission denied',
  '53100': 'disk full',
  '53200': 'out of memory',
  '53300': 'too many connections',
  '25006': 'read only',
  [OLD_PRIMARY]: 'old primary',
  '28P01': 'sign-in refused',
  '28000': 'sign-in refused',
  '3D000': 'no such database',
  '57P01': 'starting',
  '57P03': 'starting',
};

function causes(error: unknown): Error[] {
  return error instanceof Error ? [error, ...causes(error.cause)] : [];
}

const known = (error: unknown): { trouble: Trouble; error: Error } | undefined => {
  for (const cause of causes(error)) {
    const trouble = 'code' in cause ? byState[String(cause.code)] : undefined;
    if (trouble) return { trouble, error: cause };
  }
  return undefined;
};

export const isDatabaseFailure = (error: unknown): boolean =>
  causes(error).some((cause) => cause instanceof pg.DatabaseError || cause instanceof SlonikError || isConnectionLoss(cause));

export const troubleOf = (error: unknown): Trouble => known(error)?.trouble ?? 'unreachable';

/** One sentence with the problem, the fix and PostgreSQL's message. Contains no values of the statement. */
export function explainTrouble(error: unknown): string {
  const found = known(error);
  const innermost = found?.error ?? causes(error).at(-1);
  const refused = !found && innermost instanceof pg.DatabaseError;
  return `${refused ? 'it refused a statement' : troubles[found?.trouble ?? 'unreachable']} (${innermost?.message.split('\n', 1)[0] ?? error})`;
}
