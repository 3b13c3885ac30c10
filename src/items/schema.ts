/** Schemas of work items in the API (behaviour §4.1) and as stored. */
import { z } from 'zod';
import { type ItemType, itemTypes } from '../access/rights.ts';
import { recordOf } from '../values/records.ts';
import { Id, longest, Text, Title } from '../values/text.ts';
import { type Status, statuses } from '../workspaces/statuses.ts';
import { type FieldName, fieldNames, fields } from './fields.ts';

export type { Status };

export const ItemTypeSchema = z.enum(itemTypes);
export const StatusSchema = z.enum(statuses);

/** `assigneeName` follows `assigneeId`. */
const shape = Object.fromEntries(
  fieldNames.flatMap((name) => [
    [name, fields[name].schema],
    ...(name === 'assigneeId' ? [['assigneeName', Text(0, longest.line).nullable()]] : []),
  ]),
) as { [Name in FieldName]: (typeof fields)[Name]['schema'] } & { assigneeName: z.ZodNullable<z.ZodString> };

/** The input of reads of one item. */
export const ItemInput = z.strictObject({
  workspaceId: Id.meta({ description: 'A workspace from GET /workspaces.' }),
  id: Id.meta({ description: 'The item, from GET /items.' }),
});
export type ItemInput = z.infer<typeof ItemInput>;

export const Version = z.int('give the version that you read').min(1, 'give the version that you read');

export const WorkFields = z
  .strictObject(shape)
  .partial()
  .meta({ id: 'WorkFieldsInput', description: 'Numbers other than 0 are at least 0.000001 in amount.' });
export type WorkFields = z.infer<typeof WorkFields>;

const AnsweredFields = z.strictObject({ ...shape, goalId: shape.goalId.optional() }).meta({ id: 'WorkFields' });

export const Description = Text(0, longest.text);
const content = { title: Title, description: Description, status: StatusSchema };

/** A work item in responses, without `ownerId` if it has no owner (behaviour §4.7). */
export const Work = z
  .strictObject({ id: Id, type: ItemTypeSchema, ...content, version: z.int().min(1), ownerId: Id.optional(), fields: AnsweredFields })
  .meta({ id: 'Work' });
export type Work = z.infer<typeof Work>;

const ofSql = { text: z.string(), date: z.string(), 'double precision': z.number(), bigint: z.number() };
/** A field in JSON that PostgreSQL makes, without the limits of input: an older row may break a newer limit. */
export const storedField = (name: FieldName) => ofSql[fields[name].sql];

const storedFields = fieldNames.map((name) => [name, name === 'goalId' ? z.number().nullish() : storedField(name).nullable()] as const);

/** A Work in JSON that PostgreSQL makes. */
export const StoredWork = z.strictObject({
  id: z.number(),
  type: ItemTypeSchema,
  title: z.string(),
  description: z.string(),
  status: StatusSchema,
  version: z.number(),
  ownerId: z
    .number()
    .nullable()
    .transform((id) => id ?? undefined)
    .optional(),
  fields: z.strictObject({ ...Object.fromEntries(storedFields), assigneeName: z.string().nullable() }) as unknown as z.ZodType<
    Work['fields']
  >,
});

/** Input of a save over REST: creates without `id`, updates with `id` and `version`. */
export const WorkInput = z
  .strictObject({
    id: Id.optional(),
    type: ItemTypeSchema,
    ...content,
    version: Version.optional(),
    ownerId: Id.nullable().optional(),
    fields: WorkFields,
  })
  .meta({
    id: 'WorkInput',
    description:
      'Always `type`, `title`, `description`, `status` and `fields`, to create and to update; `fields` may be empty. `ownerId` and each entry of `fields` may be left out: it keeps its value, null clears it. An update has `id` and `version`, a creation neither. Links stay in the workspace, form no cycle and are at most 100 levels deep.',
    dependentRequired: { id: ['version'], version: ['id'] },
  });

/** A change in the form that all interfaces share: `null` clears, an omitted field keeps its value. */
export interface ItemChange {
  title?: string | undefined;
  description?: string | undefined;
  status?: Status | undefined;
  ownerId?: number | null | undefined;
  fields?: WorkFields | undefined;
}

export interface ItemRow {
  type: ItemType;
  title: string;
  description: string;
  status: Status;
  ownerId: number | null;
  completedNow: boolean;
  fields: RowFields;
}

/** A value for each column, null if unset. */
export type RowFields = { [Name in FieldName]: NonNullable<WorkFields[Name]> | null };
export const unsetFields: RowFields = recordOf(fieldNames, () => null);

/** Sets a field unless `value` is undefined. */
export function setField<Name extends FieldName>(
  fields: { [Each in Name]?: RowFields[Each] | undefined },
  name: Name,
  value: RowFields[Name] | undefined,
): void {
  if (value !== undefined) fields[name] = value;
}
