import { z } from 'zod';
import { type ItemType, itemTypes } from '../access/rights.ts';
import type { ItemChange } from '../changes/schema.ts';
import type { StreamNote } from '../comments/streamQueries.ts';
import type { Approved } from '../items/approved.ts';
import type { BelowRow, BelowSums } from '../items/belowTreeQueries.ts';
import type { RecordedTrend } from '../items/goalTrend.ts';
import type { ItemContext } from '../items/itemContextQueries.ts';
import { type LinkChoice, linkTypes } from '../items/linkChoiceQueries.ts';
import type { Rice } from '../items/riceQueries.ts';
import type { Work } from '../items/schema.ts';
import type { Read } from '../operations/operation.ts';
import type { ItemPlan } from '../plans/itemPlanQueries.ts';
import type { ItemTime, RunningTimer } from '../time/itemTimeQueries.ts';
import { asEntry, type TimeEntry } from '../time/schema.ts';
import { Id } from '../values/text.ts';
import type { WorkspaceMembership } from '../workspaces/membershipQueries.ts';
import type { Options } from '../workspaces/schema.ts';
import { type Project, readEditedItem, readNewItem, readShownItem } from './openItemQueries.ts';

export { mayHaveOlder } from '../comments/streamQueries.ts';
export { type BelowRow, type BelowSums, MOST_BELOW, MOST_SUMMED, type Person } from '../items/belowTreeQueries.ts';
export type { Approval, ItemContext } from '../items/itemContextQueries.ts';
export { type LinkChoice, MOST_CHOICES } from '../items/linkChoiceQueries.ts';
export type { RunningTimer } from '../time/itemTimeQueries.ts';
export { MOST_CHANGES, type Project } from './openItemQueries.ts';

const Input = z.strictObject({ workspaceId: Id, id: Id });
type Input = z.infer<typeof Input>;

/** `until`: returns only history before this moment. */
const ShowInput = Input.extend({ until: z.iso.datetime().optional() });

interface OpenItem {
  membership: WorkspaceMembership;
  item: Work;
  context: ItemContext;
  options: z.infer<typeof Options>;
}

export interface ShownItem extends OpenItem {
  /** Two levels below the item, unordered. At most MOST_BELOW + 1 of the first level. */
  below: BelowRow[];
  sums: BelowSums;
  rice: Rice | null;
  /** For a goal: its values over time and the first known value. */
  trend: RecordedTrend | null;
  first: number | null;
  /** The item's project, if the reader may oversee capacity and a forecast exists. */
  project: Project | null;
  time: ItemTime;
  plan: ItemPlan | null;
  /** Newest first; null if the reader may not read comments. */
  notes: StreamNote[] | null;
  history: { changes: ItemChange[]; people: Record<string, string> };
  approved: Approved | null;
  mentionable: { id: number; name: string; role: string }[];
  watching: boolean;
  /** The caller's running timer. If it runs on another item, that item is not included. */
  timer: TimeEntry | null;
  othersTimers: RunningTimer[] | null;
}

export const showItem: Read<z.infer<typeof ShowInput>, ShownItem> = {
  name: 'showItem',
  input: ShowInput,
  async run(tx, caller, { workspaceId, id, until }) {
    const { timer, now, ...shown } = await readShownItem(tx, caller, workspaceId, id, until ?? null);
    return { ...shown, timer: timer && asEntry(timer, now) };
  },
};

export interface EditedItem extends OpenItem {
  history: ItemChange[];
  /** Open items that it can link to, by type and title; at most 200 of each type. */
  choices: LinkChoice[];
}

export const editItem: Read<Input, EditedItem> = {
  name: 'editItem',
  input: Input,
  run: (tx, caller, { workspaceId, id }) => readEditedItem(tx, caller, workspaceId, id),
};

const NewInput = z.strictObject({ workspaceId: Id, type: z.enum(itemTypes) });

export type NewItem = Pick<EditedItem, 'membership' | 'options' | 'choices'>;

export const startItem: Read<z.infer<typeof NewInput>, NewItem> = {
  name: 'startItem',
  input: NewInput,
  run: (tx, caller, { workspaceId, type }) => readNewItem(tx, caller, workspaceId, linkTypes(type as ItemType)),
};
