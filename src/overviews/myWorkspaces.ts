/** The user's workspaces with their open work, and those that the user manages without being a member (behaviour §18.8). */
import { z } from 'zod';
import { accessToAll } from '../access/queries.ts';
import { sql } from '../database/sql.ts';
import type { Read } from '../operations/operation.ts';
import { CredentialRefused, Forbidden } from '../values/errors.ts';
import { memberRoles } from '../workspaces/statuses.ts';
import { MOST_COUNTED, OpenItems, openItems } from './signedIn.ts';

const MOST = 500;

const Own = z.object({
  id: z.number(),
  name: z.string(),
  sample: z.boolean(),
  role: z.enum(memberRoles),
  rights: z.number(),
  members: z.number(),
  open: OpenItems,
});
export type OwnWorkspace = z.infer<typeof Own>;

const Run = z.object({ id: z.number(), name: z.string(), archived: z.boolean() });

const Found = z.object({ own: z.array(Own), run: z.array(Run) });
export type MyWorkspaces = z.infer<typeof Found>;

const Nothing = z.strictObject({});

export const myWorkspaces: Read<z.infer<typeof Nothing>, MyWorkspaces> = {
  name: 'myWorkspaces',
  input: Nothing,
  async run(tx, caller) {
    if (caller.kind === 'key' || caller.kind === 'agent') throw new Forbidden();
    const found = await tx.maybeOne(sql.type(Found)`
      with ${accessToAll(caller)}
      select (
        select coalesce(json_agg(json_build_object('id', w.id, 'name', w.name, 'sample', w.sample, 'role', w.role, 'rights', w.rights,
            'members', (select count(*) from memberships m join users u on u.id = m.user_id and u.active where m.workspace_id = w.id),
            'open', ${openItems(MOST_COUNTED)}) order by lower(w.name), w.id), '[]')
        from (
          select w.id, w.name, w.sample, access.role, access.rights from access join workspaces w on w.id = access.workspace_id
          order by lower(w.name), w.id limit ${MOST}
        ) w
      ) as own, (
        select coalesce(json_agg(json_build_object('id', r.id, 'name', r.name, 'archived', r.archived) order by r.archived, lower(r.name), r.id), '[]')
        from (
          select w.id, w.name, w.archived_at is not null as archived
          from workspaces w left join memberships m on m.workspace_id = w.id and m.user_id = who.user_id
          where w.account_id = who.account_id and (m.user_id is null or w.archived_at is not null)
            and (u.account_role <> 'member' or m.role = 'owner')
          order by archived, lower(w.name), w.id limit ${MOST}
        ) r
      ) as run
      from who join users u on u.id = who.user_id`);
    if (!found) throw new CredentialRefused();
    return found;
  },
};
