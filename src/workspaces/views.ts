/** Saves a list of work under a name, for the user or for all members (behaviour §19.7). */
import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import type { Tx } from '../database/db.ts';
import type { Write } from '../operations/operation.ts';
import { Id } from '../values/text.ts';
import { deleteView, insertView, readViewPermit, storeBoardLayout, storeHiddenColumns, updateView } from './viewQueries.ts';
import { ChangedLayout, ChangedView, HiddenColumns, hiddenKey, SavedView } from './viewSchema.ts';

const authorize = (tx: Tx, caller: Caller, { workspaceId }: { workspaceId: number }) => readViewPermit(tx, caller, workspaceId);

/** Creates a view, or replaces the content of view `id`. Returns its id. */
export const saveView: Write<SavedView, { id: number }> = {
  name: 'saveView',
  input: SavedView,
  authorize,
  async run(tx, permit, input) {
    if (input.id === undefined) return { id: await insertView(tx, permit, input) };
    await updateView(tx, permit, { ...input, id: input.id });
    return { id: input.id };
  },
};

export const changeView: Write<ChangedView, void> = {
  name: 'changeView',
  input: ChangedView,
  authorize,
  run: (tx, permit, { workspaceId: _at, ...change }) => updateView(tx, permit, change),
};

/** Remembers the columns that the caller hides in a list. */
export const hideColumns: Write<HiddenColumns, void> = {
  name: 'hideColumns',
  input: HiddenColumns,
  authorize,
  run: (tx, permit, { type, view, hidden }) => storeHiddenColumns(tx, permit, hiddenKey(type, view), hidden),
};

/** Remembers how the caller arranges a board. */
export const arrangeBoard: Write<ChangedLayout, void> = {
  name: 'arrangeBoard',
  input: ChangedLayout,
  authorize,
  run: (tx, permit, input) => storeBoardLayout(tx, permit, input),
};

const Removed = z.strictObject({ workspaceId: Id, id: Id });

export const removeView: Write<z.infer<typeof Removed>, void> = {
  name: 'removeView',
  input: Removed,
  authorize,
  run: (tx, permit, { id }) => deleteView(tx, permit, id),
};
