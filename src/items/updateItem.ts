/** A change of an item as agents ask for it (behaviour §7.27): what is left out keeps its value, null clears it. The operations that carry it
 *  out, with a note beside it or for several items, are among the comments. */
import { z } from 'zod';
import { Id, Text, Title } from '../values/text.ts';
import type { Approved } from './approved.ts';
import { StatusSchema, Version, type Work, WorkFields } from './schema.ts';

export const ItemUpdate = z.strictObject({
  id: Id,
  version: Version,
  title: Title.optional(),
  description: Text(0, 50_000).optional(),
  status: StatusSchema.optional(),
  ownerId: Id.nullable().optional(),
  fields: WorkFields.optional(),
});

/** Of an item that is not what was approved any more (behaviour §4.24). */
export const changed = { changedSinceApproval: true } as const;

export type PlacedWork = Work & {
  workspaceId: number;
  changedSinceApproval?: true /** What is different now, as it was approved. */;
  approved?: Approved;
};

/** An item as agents see it: with its workspace. */
export function placed({ id, ...work }: Work, workspaceId: number): PlacedWork {
  return { id, workspaceId, ...work };
}
