/** SQL about a workspace as its members' pages show it. */
import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { accessTo, signInAgain } from '../access/queries.ts';
import type { Tx } from '../db.ts';
import { Forbidden, Unauthenticated } from '../errors.ts';
import { sql } from '../sql.ts';
import { memberRoles } from './roles.ts';

const Place = z.object({ id: z.number(), name: z.string(), role: z.enum(memberRoles), rights: z.number() });
export type Place = z.infer<typeof Place>;
const Found = z.object({ place: Place.nullable() });

/** Throws Unauthenticated, and Forbidden for who is no member and for an archived workspace. */
export async function readPlace(tx: Tx, caller: Caller, workspaceId: number): Promise<Place> {
  const row = await tx.maybeOne(sql.type(Found)`
    with ${accessTo(caller, workspaceId)}
    select (select json_build_object('id', w.id, 'name', w.name, 'role', access.role, 'rights', access.rights)
            from workspaces w where w.id = access.workspace_id) as place
    from access`);
  if (!row) throw new Unauthenticated(signInAgain);
  if (!row.place) throw new Forbidden();
  return row.place;
}
