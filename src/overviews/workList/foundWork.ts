import { z } from 'zod';
import { itemTypes } from '../../access/rights.ts';
import { WorkspaceMembership } from '../../workspaces/membershipQueries.ts';
import type { Options } from '../../workspaces/schema.ts';
import type { View } from '../../workspaces/viewSchema.ts';
import { ListRows } from './rowQueries.ts';
import type { ListGroup } from './schema.ts';

export const FoundWork = z.object({
  membership: WorkspaceMembership.nullable(),
  types: z.array(z.enum(itemTypes)),
  // Not validated: PostgreSQL builds this JSON from our own columns.
  options: z.custom<z.infer<typeof Options>>(),
  groups: z.custom<ListGroup[]>(),
  rows: ListRows,
  named: z.custom<{ id: number; type: (typeof itemTypes)[number]; title: string }[]>(),
  views: z.custom<View[]>(),
});
