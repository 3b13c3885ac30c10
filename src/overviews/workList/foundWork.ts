import { z } from 'zod';
import { itemTypes } from '../../access/rights.ts';
import { WorkspaceMembership } from '../../workspaces/queries.ts';
import { Options } from '../../workspaces/schema.ts';
import { View } from '../../workspaces/viewSchema.ts';
import { ListRows } from './rowQueries.ts';
import { ListGroup, NamedItem } from './schema.ts';

export const FoundWork = z.object({
  membership: WorkspaceMembership.nullable(),
  types: z.array(z.enum(itemTypes)),
  options: Options,
  groups: z.array(ListGroup),
  rows: ListRows,
  named: z.array(NamedItem),
  views: z.array(View),
});
