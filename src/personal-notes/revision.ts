/** Every change names the note's revision that it is based on. It is refused if the note has changed since (behaviour §11.3). */
import type { Permit } from '../access/caller.ts';
import type { Tx } from '../database/db.ts';
import { Conflict, Forbidden } from '../values/errors.ts';
import { readNoteFacts } from './queries.ts';

/** `current` null: the note does not exist. Throws Conflict, Forbidden. */
export function requireRevision(id: number, based: number, current: number | null): void {
  if (current === null) throw new Forbidden();
  if (current === based) return;
  throw new Conflict(`Note ${id} is at revision ${current}: read it again and reapply your change.`, { currentRevision: current });
}

export async function refuseStaleRevision(tx: Tx, permit: Permit, id: number, based: number): Promise<never> {
  requireRevision(id, based, (await readNoteFacts(tx, permit.caller, { id, folderId: 0 })).revision);
  throw new Forbidden();
}
