/** An agent's change of an item (behaviour §7.27): an omitted field keeps its value, null clears it. src/comments has the operations. */
import { z } from 'zod';
import { Id, Title } from '../values/text.ts';
import { Description, StatusSchema, Version, type Work, WorkFields } from './schema.ts';

export const ItemUpdate = z.strictObject({
  id: Id,
  version: Version,
  title: Title.optional(),
  description: Description.optional(),
  status: StatusSchema.optional(),
  ownerId: Id.nullable().optional(),
  fields: WorkFields.optional(),
});

export type PlacedWork = Work & { workspaceId: number };

export function placed({ id, ...work }: Work, workspaceId: number): PlacedWork {
  return { id, workspaceId, ...work };
}
