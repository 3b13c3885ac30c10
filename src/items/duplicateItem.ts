/** Duplicates an item, with the items below it on request (behaviour §37.2). Only people on pages do this. */
import { z } from 'zod';
import type { Write } from '../operations/operation.ts';
import { CalendarDate } from '../values/dates.ts';
import { elementAt } from '../values/records.ts';
import { Id, Title } from '../values/text.ts';
import type { WriteFacts } from './queries.ts';
import { Copied, createTree, firstDay, movedBy, type Tree, treeFacts, treeFrom } from './tree.ts';

const Input = z.strictObject({
  workspaceId: Id,
  id: Id,
  title: Title,
  ...Copied.shape,
  /** The earliest date moves to this day, and the others with it. null: dates stay. */
  start: CalendarDate.nullable(),
});
type Input = z.infer<typeof Input>;

/** The first of the new items, which are all at version 1. */
export interface Made {
  id: number;
  count: number;
}

export const duplicateItem: Write<Input, Made, WriteFacts & { tree: Tree }> = {
  name: 'duplicateItem',
  input: Input,

  async authorize(tx, caller, { workspaceId, id, title, start, ...copied }) {
    const found = await treeFrom(tx, caller, { workspaceId, id }, copied);
    const tree = retitled(atStart(found, start), title);
    return { ...(await treeFacts(tx, caller, workspaceId, tree)), tree };
  },

  async run(tx, permit) {
    const ids = await createTree(tx, permit, permit.tree);
    return { id: elementAt(ids, 0), count: ids.length };
  },
};

export const retitled = (tree: Tree, title: string): Tree => tree.map((item, place) => (place === 0 ? { ...item, title } : item));

/** The tree with its earliest date on `start`. Unchanged without dates or `start`. */
export function atStart(tree: Tree, start: string | null): Tree {
  const from = firstDay(tree);
  return start === null || from === null ? tree : movedBy(tree, { from, to: start, workdays: true });
}
