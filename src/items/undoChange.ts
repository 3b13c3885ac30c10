/** Undo of the caller's own commit on a page, for all its items or none: restores values and archived items, archives new ones (behaviour
 *  §23.3). */
import { z } from 'zod';
import type { Permit } from '../access/caller.ts';
import { type CommitRow, readCommit, UNDO_HOURS } from '../changes/readQueries.ts';
import type { Write } from '../operations/operation.ts';
import { AppError, Conflict, Forbidden } from '../values/errors.ts';
import { Id } from '../values/text.ts';
import { archive, lockUnchanged, mayArchive } from './archiveItems.ts';
import { type Archivable, readArchivable } from './archiveQueries.ts';
import { changeItems, type ItemEdit, writableItem } from './changeItems.ts';
import { idsIn } from './decide.ts';
import { readFacts, type WriteFacts } from './queries.ts';
import { Link, type RelationChange } from './relationSchema.ts';
import { restore } from './restoreItem.ts';
import { type ItemChange, Version } from './schema.ts';

/** Any item that the commit changed identifies it, with the version that the commit made. */
const Input = z.strictObject({ workspaceId: Id, itemId: Id, version: Version });
type Input = z.infer<typeof Input>;

type Facts =
  | { archived: readonly CommitRow[]; items: readonly Archivable[] }
  | { created: readonly CommitRow[]; items: readonly Archivable[] }
  | ({ edits: readonly ItemEdit[] } & WriteFacts);

interface Undone {
  count: number;
}

export const undoChange: Write<Input, Undone, Facts> = {
  name: 'undoChange',
  input: Input,

  async authorize(tx, caller, input) {
    if (caller.kind !== 'session') throw new Forbidden();
    const { workspaceId } = input;
    const { rows, recent } = await readCommit(tx, caller, input);
    if (!recent) throw new Conflict(`This change is more than ${UNDO_HOURS} hours old and cannot be undone. Edit the item instead.`);
    const archived = rows.every(({ kind }) => kind === 'item.archived');
    const edits = archived || rows.every(({ kind }) => kind === 'item.created') ? null : rows.map(backTo);
    const ids = rows.filter(({ here }) => here).map(({ itemId }) => itemId);
    if (edits === null) {
      const permit = await readArchivable(tx, caller, workspaceId, ids);
      checkEach(rows, (id) => mayArchive(permit, id));
      return { ...permit, ...(archived ? { archived: rows } : { created: rows }) };
    }
    const permit = await readFacts(tx, caller, { workspaceId, ids, ...idsIn(edits.map(({ change }) => change)) });
    checkEach(rows, (id) => writableItem(permit, id));
    return { ...permit, edits };
  },

  async run(tx, permit: Permit & Facts) {
    if ('archived' in permit) {
      await restore(tx, permit, versionsOf(permit.archived), []);
      return { count: permit.archived.length };
    }
    if ('created' in permit) {
      const targets = await lockUnchanged(tx, permit, versionsOf(permit.created));
      await archive(tx, permit, targets, () => ['itemId']);
      return { count: targets.length };
    }
    await changeItems(tx, permit, permit.edits);
    return { count: permit.edits.length };
  },
};

/** Checks the items here in order. Throws Forbidden for an item that moved while the caller could not see it, as for a hidden one here; then
 *  Conflict if others have moved. */
function checkEach(rows: readonly CommitRow[], check: (id: number) => void): void {
  for (const { itemId, here, departed } of rows) {
    if (here) check(itemId);
    else if (!departed) throw new Forbidden();
  }
  if (rows.some(({ here }) => !here))
    throw new Conflict('Some of these items have moved to another workspace since, so nothing was undone. Edit the other items instead.');
}

const versionsOf = (rows: readonly CommitRow[]) => rows.map(({ itemId: id, version }) => ({ id, version }));

function backTo({ itemId: id, version, kind, fields }: CommitRow): ItemEdit {
  const values = Object.entries(fields).map(([name, change]) => {
    if (change === true) throw cantUndo();
    return [name, change[0]] as const;
  });
  if (kind !== 'item.updated') throw cantUndo();
  const { title, status, ownerId, labels: _names, blockedBy: _blockers, ...rest }: Record<string, unknown> = Object.fromEntries(values);
  return {
    id,
    version,
    // The values were valid when they were stored.
    change: { title, status, ownerId, fields: rest } as ItemChange,
    relations: relationsBack(fields),
    isUndo: true,
  };
}

const Related = z.object({
  labels: z.tuple([z.array(z.string()), z.array(z.string())]).default([[], []]),
  blockedBy: z.tuple([z.array(Link), z.array(Link)]).default([[], []]),
});

/** Only what the commit changed, so that blockers which the caller can't see don't matter. */
function relationsBack(fields: CommitRow['fields']): RelationChange {
  const { labels, blockedBy } = Related.parse(fields);
  const without = <Entry>(all: readonly Entry[], others: readonly Entry[]) => {
    const known = new Set(others.map((one) => JSON.stringify(one)));
    return all.filter((one) => !known.has(JSON.stringify(one)));
  };
  const added = without(blockedBy[1], blockedBy[0]).map(({ id }) => id);
  const back = without(blockedBy[0], blockedBy[1]);
  return {
    ...(fields.labels && { labels: { add: without(labels[0], labels[1]), remove: without(labels[1], labels[0]) } }),
    ...(fields.blockedBy && { blockedBy: { add: back, remove: added } }),
  };
}

const cantUndo = () => new AppError('invalid_request', 'This change cannot be undone. Open the item and edit it.');
