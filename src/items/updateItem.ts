/** A change of an item as agents ask for it (behaviour §7.27): what is left out keeps its value, null clears it. The operations that carry it
 *  out, with a note beside it or for several items, are among the comments. */
import { z } from 'zod';
import { Id, Text, Title } from '../values/text.ts';
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

export type PlacedWork = Work & { workspaceId: number };

/** An item as agents see it: with its workspace. */
export function placed({ id, ...work }: Work, workspaceId: number): PlacedWork {
  return { id, workspaceId, ...work };
}
