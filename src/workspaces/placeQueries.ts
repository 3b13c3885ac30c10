/** SQL about workspaces as their members' pages show them. */
import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { accessTo, accessToAll, signInAgain } from '../access/queries.ts';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { Forbidden, Unauthenticated } from '../values/errors.ts';
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

const RightsIn = z.object({ workspace_id: z.number(), rights: z.number() });
export type RightsIn = z.infer<typeof RightsIn>;

/** A row for each active workspace that the caller is in. */
export const readRights = (tx: Tx, caller: Caller): Promise<readonly RightsIn[]> =>
  tx.any(sql.type(RightsIn)`with ${accessToAll(caller)} select workspace_id, rights from access`);
