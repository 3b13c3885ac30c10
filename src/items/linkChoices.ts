/** What the form of an item offers to link it to. */
import { z } from 'zod';
import { type ItemType, itemTypes } from '../access/rights.ts';
import type { Read } from '../operations/operation.ts';
import { Id } from '../values/text.ts';
import { type LinkChoice, linkTypes, readLinkChoices } from './linkChoiceQueries.ts';

export { type LinkChoice, MOST_CHOICES } from './linkChoiceQueries.ts';

const Input = z.strictObject({ workspaceId: Id, type: z.enum(itemTypes) });

/** Open items that one of `type` can be linked to, in order of type and title; at most 200 of each type. */
export const getLinkChoices: Read<z.infer<typeof Input>, readonly LinkChoice[]> = {
  name: 'getLinkChoices',
  input: Input,
  run: (tx, caller, { workspaceId, type }) => readLinkChoices(tx, caller, workspaceId, linkTypes(type as ItemType)),
};
