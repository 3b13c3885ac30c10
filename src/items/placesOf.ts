/** The workspaces of visible items, for URLs that contain only an item's id. */
import { z } from 'zod';
import type { Read } from '../operations/operation.ts';
import { Id } from '../values/text.ts';
import { type Place, readPlaces } from './placeQueries.ts';

const Input = z.strictObject({ ids: z.array(Id).min(1).max(100) });

export const placesOf: Read<z.infer<typeof Input>, readonly Place[]> = {
  name: 'placesOf',
  input: Input,
  run: (tx, caller, { ids }) => readPlaces(tx, caller, ids),
};
