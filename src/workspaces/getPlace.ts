/** A workspace as a page shows it to one of its members: its name and what the member may do there. */
import { z } from 'zod';
import type { Read } from '../operations/operation.ts';
import { Id } from '../values/text.ts';
import { type Place, readPlace } from './placeQueries.ts';

const Input = z.strictObject({ workspaceId: Id });

export const getPlace: Read<z.infer<typeof Input>, Place> = {
  name: 'getPlace',
  input: Input,
  run: (tx, caller, { workspaceId }) => readPlace(tx, caller, workspaceId),
};
