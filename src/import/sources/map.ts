/** map.json: how an import turns another service's values into ours (behaviour §36.2). All parts may be left out. */
import { z } from 'zod';
import { itemTypes } from '../../access/rights.ts';
import { Email } from '../../accounts/schema.ts';
import { Zone } from '../../values/dates.ts';
import { keysOf } from '../../values/records.ts';
import { Id, Label, Text } from '../../values/text.ts';
import { LabelName } from '../../workspaces/labelSchema.ts';

/** The fields that a column may fill. Several columns may fill those that are lists, and `description`. */
export const sourceFields = {
  key: 'Key',
  alias: 'Second key',
  url: 'Link',
  title: 'Title',
  description: 'Description',
  type: 'Type',
  status: 'Status',
  priority: 'Priority',
  labels: 'Labels',
  points: 'Story points',
  estimateHours: 'Estimate in hours',
  estimateSeconds: 'Estimate in seconds',
  assignee: 'Assignee',
  assigneeMail: 'Assignee’s email address',
  reporter: 'Reporter',
  createdAt: 'Created',
  closedAt: 'Closed',
  cancelledAt: 'Cancelled',
  startDate: 'Start date',
  dueDate: 'Due date',
  parent: 'Parent',
  blockedBy: 'Blocked by',
  blocks: 'Blocks',
  sprint: 'Sprint',
  milestone: 'Milestone',
  comment: 'Comment',
  checklist: 'Checklist',
  attachment: 'Attachment',
  archived: 'Archived',
  ignore: 'Leave out',
} as const;
export type SourceField = keyof typeof sourceFields;
const fieldList = keysOf(sourceFields);

/** Prototype names are refused, so a key of the map is never an inherited property. */
const Theirs = Text(1, 2_000).refine((name) => !Object.hasOwn(Object.prototype, name), 'choose another name');
const mapOf = <Value extends z.ZodType>(value: Value) => z.record(Theirs, value).default({});

export const ImportMap = z.strictObject({
  columns: mapOf(z.enum(fieldList, `give one of ${fieldList.join(', ')}`)).meta({
    description: 'Column of the file → field. Replaces the guess for that column. CSV only.',
  }),
  statuses: mapOf(Label(100)).meta({ description: 'Status in the file → statusKey of the workspace.' }),
  unknownStatuses: z.enum(['nearest', 'create']).default('nearest').meta({
    description: 'Statuses that neither this map nor the workspace has: use the nearest one, or create it.',
  }),
  priorities: mapOf(Label(100)).meta({ description: 'Priority in the file → priorityKey of the workspace.' }),
  types: mapOf(z.enum([...itemTypes, 'label'], `give one of ${itemTypes.join(', ')}, label`)).meta({
    description: 'Type in the file → item type. "label": a task with the type as a label.',
  }),
  labels: mapOf(LabelName.nullable()).meta({
    description: 'Label in the file → label of the workspace. A label with no value is left out.',
  }),
  people: mapOf(
    z.union(
      [Email.nullable(), z.strictObject({ member: Id }), z.strictObject({ invite: Email })],
      'give an email address such as ana@acme.example, or leave unassigned',
    ),
  ).meta({
    description:
      'Name or email address in the file → email address of a member. With no value: unassigned. {"member": id}: the member with this id. {"invite": address}: invites the person.',
  }),
  unknownPeople: z.enum(['unassigned', 'invite']).default('unassigned').meta({
    description: 'People who are not members: leave their issues unassigned, or invite those with an email address.',
  }),
  hoursPerPoint: z.number('give hours per story point').positive('give more than 0').max(1_000, 'give at most 1,000').default(4),
  sprints: z.enum(['labels', 'milestones', 'ignore']).default('labels').meta({ description: 'What sprints and cycles become.' }),
  milestones: z.enum(['milestones', 'releases', 'labels', 'ignore']).optional().meta({
    description: 'What milestones and versions become. Default: releases for Jira, otherwise milestones.',
  }),
  dates: mapOf(z.enum(['day-month', 'month-day'])).meta({
    description: 'Column → order of 01/02/2026. Default: decided by the column’s values.',
  }),
  timezone: Zone.default('UTC').meta({ description: 'Zone of times without one.' }),
});
export type ImportMap = z.infer<typeof ImportMap>;

/** The format as JSON Schema, for editors (docs/import-map.schema.json). */
export function importMapSchema(): object {
  const schema = z.toJSONSchema(ImportMap, { io: 'input', target: 'draft-2020-12', unrepresentable: 'any' });
  return { ...schema, title: 'Stint import map' };
}
