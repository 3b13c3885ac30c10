/** A work item in lists for agents: a row of svc_find_work and of a requirement's tasks (behaviour §7.20). */
import { z } from 'zod';
import { readsGoals } from '../../access/queries.ts';
import { type Fragment, fixedSql } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';
import { fields, fieldsWith, linkNames, type NamesWith } from '../fields.ts';
import { labelNamesJson, rowBlockersJson } from '../relationQueries.ts';
import { StoredWork, storedField, type WorkFields } from '../schema.ts';

const rowSchemas = Object.fromEntries(fieldsWith('inRows').map((name) => [name, storedField(name).optional()])) as unknown as {
  [Name in NamesWith<'inRows'>]: z.ZodOptional<z.ZodType<NonNullable<WorkFields[Name]>>>;
};

/** An id, or with a lag `{id, lagDays}`. */
export const RowBlocker = z.union([z.number(), z.strictObject({ id: z.number(), lagDays: z.number() })]);

/** Unset fields are omitted. */
export const WorkRow = z.strictObject({
  ...StoredWork.pick({ id: true, type: true, title: true, status: true, version: true }).shape,
  ...rowSchemas,
  ownerId: z.number().optional(),
  workspaceId: z.number(),
  assigneeName: z.string().optional(),
  labels: z.array(z.string()).optional(),
  /** The items that block it, without those that the caller can't read. */
  blockedBy: z.array(RowBlocker).optional(),
  /** The link that places it below the requested item (behaviour §7.32). */
  via: z.strictObject({ field: z.enum(linkNames), id: z.number() }).optional(),
  /** Where the search matched it (behaviour §7.47). */
  matched: z.array(z.string()).optional(),
  snippets: z.strictObject({ description: z.string().optional(), notes: z.string().optional() }).optional(),
});
export type WorkRow = z.infer<typeof WorkRow>;

const rowFields = fixedSql(
  fieldsWith('inRows')
    .filter((name) => name !== 'goalId')
    .map((name) => `'${name}', i.${fields[name].column}`)
    .join(', '),
);

const own = fixedSql('i.id');

/** JSON of an items row `i` with assignee `a` (left join users a on a.id = i.assignee_id) and the caller's `access`. Omits nulls.
 *  `more`: further arguments of json_build_object. */
export const workRowJson = (more = sql.fragment``): Fragment => sql.fragment`json_strip_nulls(json_build_object(
  'id', i.id, 'workspaceId', i.workspace_id, 'type', i.type, 'title', i.title, 'status', i.status, ${rowFields},
  'goalId', case when ${readsGoals} then i.goal_id end, 'ownerId', i.owner_id, 'assigneeName', a.name,
  'labels', ${labelNamesJson(own)}, 'blockedBy', ${rowBlockersJson(own)}, 'version', i.version ${more}))`;
