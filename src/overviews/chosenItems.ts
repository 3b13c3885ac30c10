/** Up to 100 items that the user wants to change, with the options for each field (behaviour §23.4). */
import { z } from 'zod';
import type { Read } from '../operations/operation.ts';
import { Id } from '../values/text.ts';
import { type ChosenItems, readChosenItems } from './chosenItemsQueries.ts';

export type { ChosenItem, ChosenItems } from './chosenItemsQueries.ts';

export const MOST_CHOSEN = 100;

const Input = z.strictObject({
  workspaceId: Id,
  ids: z.array(Id).min(1).max(MOST_CHOSEN),
  releases: z.boolean().default(false),
  history: z.boolean().default(false),
});

export const chosenItems: Read<z.infer<typeof Input>, ChosenItems> = {
  name: 'chosenItems',
  input: Input,
  run: (tx, caller, wanted) => readChosenItems(tx, caller, wanted),
};
