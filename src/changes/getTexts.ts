/** The long texts of one change, before and after it (behaviour §15.12). */
import { z } from 'zod';
import type { Read } from '../operations/operation.ts';
import { Forbidden } from '../values/errors.ts';
import { Id } from '../values/text.ts';
import { readTexts } from './queries.ts';
import type { ChangedText, ItemChange } from './schema.ts';

const Input = z.strictObject({ workspaceId: Id, id: Id, changeId: Id });

export interface ChangedTexts {
  change: ItemChange;
  texts: ChangedText[];
}

/** Throws Forbidden if the item is not visible or the change is not one of its changes. */
export const getTexts: Read<z.infer<typeof Input>, ChangedTexts> = {
  name: 'getTexts',
  input: Input,
  async run(tx, caller, { workspaceId, id, changeId }) {
    const { change, texts } = await readTexts(tx, caller, workspaceId, id, changeId);
    if (!change || !texts?.length) throw new Forbidden();
    return { change, texts };
  },
};
