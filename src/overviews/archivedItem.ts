/** The page of an archived item, for users who could see it before (behaviour §23.6). */
import { z } from 'zod';
import { accessTo, isReadable, readsGoals } from '../access/queries.ts';
import { itemTypes } from '../access/rights.ts';
import { vias } from '../access/via.ts';
import { StreamNote, streamNotesJson } from '../comments/queries.ts';
import { fixedSql, instantText } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { visibleWork } from '../items/queries.ts';
import { StoredWork, type Work } from '../items/schema.ts';
import type { Read } from '../operations/operation.ts';
import { CredentialRefused, Forbidden } from '../values/errors.ts';
import { Id } from '../values/text.ts';
import { optionsJson, readableTypes, readerJson, WorkspaceMembership } from '../workspaces/queries.ts';
import { Options } from '../workspaces/schema.ts';

const Link = z.object({ id: z.number(), type: z.enum(itemTypes), title: z.string(), archived: z.boolean() });
/** For items imported as archived, the person is unknown. */
const Archived = z.object({ at: z.string(), name: z.string().nullable(), via: z.enum(vias).nullable(), keyName: z.string().nullable() });

const Found = z.object({
  membership: WorkspaceMembership.nullable(),
  item: StoredWork.nullable(),
  ownerName: z.string().nullable(),
  archived: Archived.nullable(),
  links: z.array(Link),
  notes: z.array(StreamNote).nullable(),
  options: Options,
});

export type ArchivedItem = z.infer<typeof Found> & { membership: WorkspaceMembership; item: Work; archived: z.infer<typeof Archived> };

const at = fixedSql(instantText('i.archived_at'));

export { mayHaveOlder } from '../comments/queries.ts';

const Input = z.strictObject({ workspaceId: Id, id: Id });

/** Throws Forbidden unless the item itself is archived and the caller could see it. */
export const archivedItem: Read<z.infer<typeof Input>, ArchivedItem> = {
  name: 'archivedItem',
  input: Input,
  async run(tx, caller, { workspaceId, id }) {
    const row = await tx.maybeOne(sql.type(Found)`
      with ${accessTo(caller, workspaceId)}, readable as (select ${readableTypes} as types from access),
      self as (select i.* from items i, access
        where i.id = ${id} and i.workspace_id = access.workspace_id and i.archived_at is not null and ${isReadable('i', 'access.rights')})
      select ${readerJson} as membership, case when i.id is not null then ${visibleWork} end as item, ${optionsJson} as options,
        (select o.name from users o where o.id = i.owner_id) as "ownerName",
        case when i.id is not null then (select json_build_object('at', ${at}, 'name', u.name, 'via', c.via, 'keyName', c.credential_name)
          from (select) one left join changes c on c.item_id = i.id and c.version = i.version and c.kind = 'item.archived'
          left join users u on u.id = c.actor_id limit 1) end as archived,
        (select coalesce(json_agg(json_build_object('id', up.id, 'type', up.type, 'title', up.title, 'archived', up.archived_at is not null) order by up.id), '[]')
          from items up where up.id in (i.parent_id, i.parent_item_id, i.requirement_id, i.release_id, i.goal_id)
            and (up.type <> 'goal' or ${readsGoals}) and (up.shown or up.archived_at is not null) and ${isReadable('up', 'access.rights')}) as links,
        case when i.id is not null then ${streamNotesJson(caller, null)} end as notes
      from access cross join readable left join self i on true left join users a on a.id = i.assignee_id`);
    if (!row) throw new CredentialRefused();
    const { membership, item, archived } = row;
    if (!membership || !item || !archived) throw new Forbidden();
    return { ...row, membership, item, archived };
  },
};
