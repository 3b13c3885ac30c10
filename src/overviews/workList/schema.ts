/** Output of list pages (behaviour §19.1). */
import { z } from 'zod';
import { type ItemType, itemTypes } from '../../access/rights.ts';
import { Explained, Outlook } from '../../capacity/forecast/schema.ts';
import { Person as BelowPerson } from '../../items/belowTreeQueries.ts';
import { fieldsWith, type NamesWith } from '../../items/fields.ts';
import { RecordedTrend } from '../../items/goalTrend.ts';
import { storedField, type WorkFields } from '../../items/schema.ts';
import type { WithoutNulls } from '../../values/records.ts';
import { ItemLabel } from '../../workspaces/labelSchema.ts';
import type { WorkspaceMembership } from '../../workspaces/queries.ts';
import type { Options } from '../../workspaces/schema.ts';
import { statuses } from '../../workspaces/statuses.ts';
import type { View } from '../../workspaces/viewSchema.ts';
import type { Grouping, SortColumn } from './input.ts';

export const Person = BelowPerson.partial({ left: true });
export type Person = z.infer<typeof Person>;

export const ShownForecast = z.object({
  forecastDate: z.string().nullable(),
  bufferedDate: z.string().nullable(),
  outlook: Outlook,
  explained: Explained.nullish(),
});
export type ShownForecast = z.infer<typeof ShownForecast>;

export const ListLabel = ItemLabel.extend({ archived: z.boolean() });
export type ListLabel = z.infer<typeof ListLabel>;

export const NamedItem = z.object({ id: z.number(), type: z.enum(itemTypes), title: z.string() });

type ListedName = Exclude<NamesWith<'listed'>, 'dueDate'>;
const listedValues = Object.fromEntries(
  fieldsWith('listed').flatMap((name) => (name === 'dueDate' ? [] : [[name, storedField(name).nullish()]])),
) as unknown as { [Name in ListedName]: z.ZodOptional<z.ZodType<WorkFields[Name]>> };

const Contribution = z.object({
  id: z.number(),
  type: z.enum(itemTypes),
  title: z.string(),
  status: z.enum(statuses),
  statusKey: z.string(),
  due: z.string().nullable(),
  person: Person.nullable(),
});
export type Contribution = z.infer<typeof Contribution>;

/** A row in JSON that PostgreSQL makes, with null for unset fields. */
export const StoredRow = z.strictObject({
  ...listedValues,
  id: z.number(),
  version: z.number(),
  type: z.enum(itemTypes),
  title: z.string(),
  status: z.enum(statuses),
  statusKey: z.string(),
  priorityKey: z.string().nullable(),
  assignee: Person.nullable(),
  owner: Person.nullable(),
  /** Due date, or target date if the type has no due date. */
  due: z.string().nullable(),
  blockedReason: z.string().nullable(),
  /** The item above it, if the reader sees it. */
  up: NamedItem.nullable(),
  changedSinceApproval: z.literal(true).nullable(),
  archived: z.literal(true).nullable(),
  labels: z.array(ItemLabel).nullable(),
  /** Open items that block it, as far as the reader sees them. */
  waitsFor: z.number().nullable(),
  group: z.string(),
  /** Items directly below, without cancelled ones. `more`: more exist than were counted. */
  below: z.object({ done: z.number(), total: z.number(), more: z.boolean() }).optional(),
  /** Reach x impact x confidence / effort. */
  score: z.number().nullish(),
  /** Among the visible open requirements of the workspace. */
  rank: z.number().nullish(),
  approval: z.enum(['requested', 'approved', 'rejected']).nullish(),
  first: z.number().nullish(),
  /** Only if the reader may oversee the workspace's capacity. */
  forecast: ShownForecast.nullish(),
  /** Only in the tree of goals. */
  contributing: z.object({ signs: z.string(), rows: z.array(Contribution) }).optional(),
  trend: RecordedTrend.optional(),
});

/** One row. Unset fields are omitted. */
export type ListRow = WithoutNulls<z.infer<typeof StoredRow>>;

export const ListGroup = z.object({
  /** A status or priority key, a user or item id, or a due date range; '' for none. */
  key: z.string(),
  count: z.number(),
  /** True if counting stopped early. The hours are then invalid and may be 0. */
  more: z.boolean(),
  estimated: z.number(),
  remaining: z.number(),
});
export type ListGroup = z.infer<typeof ListGroup>;

export interface WorkList {
  membership: WorkspaceMembership;
  options: z.infer<typeof Options>;
  type: ItemType;
  /** The requested order, or the index order if too many items match. */
  order: { group: Grouping; sort: SortColumn; reverse: boolean };
  /** Groups in display order, without those that counting did not reach. */
  groups: ListGroup[];
  rows: ListRow[];
  next: string | null;
  /** Visible items of `within`. */
  named: z.infer<typeof NamedItem>[];
  /** Of the workspace, by name. */
  labels: ListLabel[];
  views: View[];
}
