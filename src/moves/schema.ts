/** Input and facts of a move of items to another workspace (behaviour §42). */
import { z } from 'zod';
import { itemTypes } from '../access/rights.ts';
import { linkNames } from '../items/fields.ts';
import { elementAt } from '../values/records.ts';
import { Id } from '../values/text.ts';
import { statuses } from '../workspaces/statuses.ts';

/** Items that one move takes along, and items that stay but lose a link: each at most this many. */
export const MOST_MOVED = 500;
export const MOST_ROOTS = 100;

const flag = z.boolean('give true or false');

export const MoveInput = z.strictObject({
  workspaceId: Id,
  ids: z.array(Id).min(1, 'give the items to move').max(MOST_ROOTS, `select at most ${MOST_ROOTS} items`),
  /** The workspace to move to. */
  targetId: Id,
  /** True to move the items below, too. */
  below: flag,
});
export type MoveInput = z.infer<typeof MoveInput>;

/** An item that stays, and that a moving one links to or waits for, if the caller can read it. */
export const Outside = z.object({ id: z.number(), title: z.string() });
/** Stored as [id, lagDays, id, lagDays, …]: of 1,000 items with 50 dependencies each, objects would be megabytes of JSON. */
const BlockedBy = z
  .array(z.number())
  .transform((flat) =>
    Array.from({ length: flat.length / 2 }, (_, n) => ({ id: elementAt(flat, 2 * n), lagDays: elementAt(flat, 2 * n + 1) })),
  );
const links = z.record(z.enum(linkNames), z.number().nullable());

/** `readable`: the caller can read it, or could before it was archived. */
const Touched = Outside.extend({ type: z.enum(itemTypes), version: z.number(), readable: z.boolean(), links, blockedBy: BlockedBy });

/** An item that stays, and is linked below a moving one or blocked by it. */
export const Staying = Touched;
export type Staying = z.infer<typeof Staying>;

export const Moving = Touched.extend({
  archived: z.boolean(),
  needs: z.number(),
  status: z.enum(statuses),
  statusKey: z.string(),
  statusLabel: z.string(),
  priorityKey: z.string().nullable(),
  priorityLabel: z.string().nullable(),
  ownerId: z.number().nullable(),
  assigneeId: z.number().nullable(),
  /** `target`: the label of that name in the other workspace. */
  labels: z.array(z.object({ name: z.string(), target: z.number().nullable() })),
  /** The external key, if an item of the other workspace that the caller can read has the same, too. */
  takenKey: z.string().nullable(),
  commented: z.boolean(),
});
export type Moving = z.infer<typeof Moving>;

/** A connection between people and an item that moves. `seen`: the caller may read the recorded time, or whose timer it is. */
export const Tie = z.object({
  kind: z.enum(['timer', 'block', 'watch', 'time', 'series']),
  itemId: z.number(),
  seen: z.boolean(),
  userIds: z.array(z.number()),
});
export type Tie = z.infer<typeof Tie>;

const Person = z.object({
  id: z.number(),
  name: z.string(),
  /** In the other workspace; 0 for people who are not active members. */
  rights: z.number(),
});

/** The lists that may be long, as one JSON text for each entry, so that they are read in pieces. */
export const StoredFacts = z.object({
  moving: z.array(z.string()),
  staying: z.array(z.string()),
  outside: z.array(z.string()),
  ties: z.array(z.string()),
  people: z.array(Person),
  statuses: z.array(z.object({ key: z.string(), label: z.string(), status: z.enum(statuses), types: z.array(z.enum(itemTypes)) })),
  priorities: z.array(z.object({ key: z.string(), label: z.string() })),
  /** An import is writing into this workspace. */
  importing: z.boolean(),
});
type StoredFacts = z.infer<typeof StoredFacts>;

export interface MoveFacts extends Omit<StoredFacts, 'moving' | 'staying' | 'outside' | 'ties'> {
  moving: Moving[];
  staying: Staying[];
  outside: z.infer<typeof Outside>[];
  ties: Tie[];
}

/** A workspace, and the caller's rights in it. */
export const ReachedWorkspace = z.object({ id: z.number(), name: z.string(), rights: z.number() });
export type ReachedWorkspace = z.infer<typeof ReachedWorkspace>;

/** `approves`: the caller decides approvals there (behaviour §4.14). */
export const TargetWorkspace = ReachedWorkspace.extend({ approves: z.boolean() });

export interface BothWorkspaces {
  source: ReachedWorkspace;
  target: z.infer<typeof TargetWorkspace>;
}
