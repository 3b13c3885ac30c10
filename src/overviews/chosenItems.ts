/** Up to 100 items that the user wants to change, with the options for each field (behaviour §23.4). */
import { z } from 'zod';
import { accessTo } from '../access/queries.ts';
import { itemTypes } from '../access/rights.ts';
import { historyJson } from '../changes/queries.ts';
import { ItemChange } from '../changes/schema.ts';
import { fixedSql } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { fields } from '../items/fields.ts';
import { LinkChoice, linkChoicesOf } from '../items/placeQueries.ts';
import { visible } from '../items/queries.ts';
import type { Read } from '../operations/operation.ts';
import { CredentialRefused, Forbidden } from '../values/errors.ts';
import { Id } from '../values/text.ts';
import { optionsJson, readableTypes, readerJson, WorkspaceMembership } from '../workspaces/queries.ts';
import { Options } from '../workspaces/schema.ts';
import { statuses } from '../workspaces/statuses.ts';

const changeable = [
  'statusKey',
  'priorityKey',
  'assigneeId',
  'blockedReason',
  'startDate',
  'dueDate',
  'targetDate',
  'estimatedHours',
  'progressPercent',
  'target',
  'current',
  'unit',
  'releaseId',
] as const;

const ChosenItem = z.object({
  id: z.number(),
  type: z.enum(itemTypes),
  title: z.string(),
  version: z.number(),
  status: z.enum(statuses),
  ownerId: z.number().nullable(),
  ownerName: z.string().nullable(),
  assigneeName: z.string().nullable(),
  releaseTitle: z.string().nullable(),
  fields: z.record(z.enum(changeable), z.union([z.string(), z.number()]).nullable()),
  history: z.array(ItemChange),
});
export type ChosenItem = z.infer<typeof ChosenItem>;

const Found = z.object({
  membership: WorkspaceMembership.nullable(),
  options: Options,
  items: z.array(ChosenItem),
  releases: z.array(LinkChoice),
});

export type ChosenItems = z.infer<typeof Found> & { membership: WorkspaceMembership };

const values = fixedSql(changeable.map((name) => `'${name}', i.${fields[name].column}`).join(', '));
const CHANGES = 10;

export const MOST_CHOSEN = 100;

const Input = z.strictObject({
  workspaceId: Id,
  ids: z.array(Id).min(1).max(MOST_CHOSEN),
  releases: z.boolean().default(false),
  history: z.boolean().default(false),
});

/** The visible items in id order. Throws Forbidden if the caller is not a member. */
export const chosenItems: Read<z.infer<typeof Input>, ChosenItems> = {
  name: 'chosenItems',
  input: Input,
  async run(tx, caller, { workspaceId, ids, releases, history }) {
    const row = await tx.maybeOne(sql.type(Found)`
      with ${accessTo(caller, workspaceId)}, readable as (select ${readableTypes} as types from access)
      select ${readerJson} as membership, ${optionsJson} as options,
        (select coalesce(json_agg(json_build_object('id', i.id, 'type', i.type, 'title', i.title, 'version', i.version, 'status', i.status,
            'ownerId', i.owner_id, 'ownerName', o.name, 'assigneeName', a.name,
            'releaseTitle', (select r.title from items r where r.id = i.release_id), 'fields', json_build_object(${values}),
            'history', case when ${history} then ${historyJson(caller, CHANGES)} else '[]' end) order by i.id), '[]')
          from items i left join users a on a.id = i.assignee_id left join users o on o.id = i.owner_id
          where i.id = any(${sql.array([...ids], 'int8')}) and ${visible}) as items,
        case when ${releases} then ${linkChoicesOf(sql.fragment`array['release']`)} else '[]' end as releases
      from access cross join readable`);
    if (!row) throw new CredentialRefused();
    const { membership } = row;
    if (!membership) throw new Forbidden();
    return { ...row, membership };
  },
};
