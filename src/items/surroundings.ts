/** What a page shows around an item, and what it offers to link an item to. */
import { z } from 'zod';
import { type ItemType, itemTypes } from '../access/rights.ts';
import type { Read } from '../operations/operation.ts';
import { Id } from '../values/text.ts';
import { type LinkTarget, linkTypes, readLinkTargets, readSurroundings, type Surroundings } from './surroundingsQueries.ts';

const OneItem = z.strictObject({ workspaceId: Id, id: Id });

/** Its owner's name, what it is linked to, what is linked below it, and the history of its approval. */
export const getSurroundings: Read<z.infer<typeof OneItem>, Surroundings> = {
  name: 'getSurroundings',
  input: OneItem,
  run: (tx, caller, { workspaceId, id }) => readSurroundings(tx, caller, workspaceId, id),
};

const Targets = z.strictObject({ workspaceId: Id, type: z.enum(itemTypes) });

/** Open items that one of `type` can be linked to, in order of type and title; at most 200 of each type. */
export const getLinkTargets: Read<z.infer<typeof Targets>, readonly LinkTarget[]> = {
  name: 'getLinkTargets',
  input: Targets,
  run: (tx, caller, { workspaceId, type }) => readLinkTargets(tx, caller, workspaceId, linkTypes(type as ItemType)),
};
