/** Creates and changes items, all or none: each is decided by the rules, and one statement writes them (behaviour §7.26, §7.38, §23.1). */
import type { Permit } from '../access/caller.ts';
import { type ItemType, requireLevel, resourceOf } from '../access/rights.ts';
import { readClosings } from '../changes/readQueries.ts';
import type { ChangedFields, ChangeKind } from '../changes/schema.ts';
import type { Tx } from '../database/db.ts';
import { atPath, Forbidden, type Path, VersionConflict, VersionConflicts } from '../values/errors.ts';
import { elementAt } from '../values/records.ts';
import { asSeenBy, changedFields } from './changedFields.ts';
import { decideItem } from './decide.ts';
import { planRelations, storeRelations } from './planRelations.ts';
import type { WriteFacts } from './queries.ts';
import type { RelationChange } from './relationSchema.ts';
import { isReopened, setByRule, takeBack } from './reopening.ts';
import { type ItemChange, setField, type Work } from './schema.ts';
import { inBatch, type Warning, warningsOf } from './warnings.ts';
import { type Revision, writeItems } from './writeQueries.ts';

type Facts = Permit & WriteFacts;

/** A change of a stored item, or a new item of `type`. `isUndo`: the rules must not set further fields. `made`: the reserved id of
 *  the new item, and more fields for its row of changes. */
export type ItemEdit = { change: ItemChange; relations?: RelationChange | undefined } & (
  | { id: number; version: number; isUndo?: true }
  | { id?: undefined; type: ItemType; made?: { id: number; changed: ChangedFields } }
);

export interface SavedItem extends Revision {
  id: number;
  version: number;
}

interface How {
  /** The operation changes one item: its errors and warnings have no index. */
  single?: boolean;
  kind?: ChangeKind;
  /** Where the input has this edit. */
  pathOf?: (index: number) => Path;
}

/** Throws Forbidden unless the caller may write items of the type. */
export function mayWrite(permit: Permit, type: ItemType): void {
  requireLevel(permit.rights, resourceOf(type), 'write');
}

/** Throws Forbidden unless the caller sees the item. */
export function storedItem({ items }: Pick<WriteFacts, 'items'>, id: number): Work {
  const stored = items[id];
  if (!stored) throw new Forbidden();
  return stored;
}

/** Throws Forbidden unless the caller sees the item and may change it. */
export function writableItem(permit: Facts, id: number): Work {
  const stored = storedItem(permit, id);
  mayWrite(permit, stored.type);
  return stored;
}

/** Throws VersionConflicts with all changed items, or a rule's error with the index of its item. */
export async function changeItems(
  tx: Tx,
  permit: Facts,
  edits: readonly ItemEdit[],
  { single = false, kind = 'item.updated', pathOf = (index) => ['items', index] }: How = {},
): Promise<{ items: SavedItem[]; warnings: Warning[] }> {
  requireVersions(edits, permit.items, single);
  const at = <T>(index: number, work: () => T) => (single ? work() : atPath(pathOf(index), work));
  const plans = await planRelations(
    tx,
    permit,
    edits.map(({ id, relations }, index) => ({ id, relations, path: single ? [] : pathOf(index) })),
  );
  const closings = await closingsOf(tx, permit, edits);
  const revisions = edits.map((one, index) =>
    at(index, () => decide({ ...permit, closings }, one, kind.startsWith('approval.'), plans[index]?.changed)),
  );
  const { saved, current } = await writeItems(tx, permit, revisions, kind);
  if (!saved) {
    requireVersions(edits, Object.fromEntries(current.map((one) => [one.id, one])), single);
    throw new Forbidden();
  }
  await storeRelations(
    tx,
    permit,
    plans,
    saved.map(({ id }) => id),
  );
  const rows = new Map(revisions.flatMap(({ stored, row }) => (stored ? [[stored.id, row]] : [])));
  const warnings = revisions.map((revision) => warningsOf(permit, revision, rows));
  return {
    items: revisions.map((revision, index) => ({ ...revision, ...elementAt(saved, index) })),
    warnings: single ? warnings.flat() : inBatch(warnings),
  };
}

export async function changeItem(
  tx: Tx,
  permit: Facts,
  edit: ItemEdit,
  kind?: ChangeKind,
): Promise<{ item: SavedItem; warnings: Warning[] }> {
  const { items, warnings } = await changeItems(tx, permit, [edit], { single: true, ...(kind && { kind }) });
  return { item: elementAt(items, 0), warnings };
}

/** Throws Forbidden if an item is not among `current`, and a conflict that lists all items with another version. */
function requireVersions(edits: readonly ItemEdit[], current: Record<number, { version: number }>, single: boolean): void {
  const conflicts = edits.flatMap((one, index) => {
    if (one.id === undefined) return [];
    const now = current[one.id];
    if (!now) throw new Forbidden(single ? {} : { index });
    return now.version === one.version ? [] : [{ index, id: one.id, currentVersion: now.version }];
  });
  const [first] = conflicts;
  if (first) throw single ? new VersionConflict(first.id, first.currentVersion) : new VersionConflicts(conflicts);
}

type Closings = ReadonlyMap<number, ChangedFields>;

/** The changes that made items done, of those that may leave done. */
async function closingsOf(tx: Tx, { items }: Facts, edits: readonly ItemEdit[]): Promise<Closings> {
  const ids = edits.flatMap(({ id, change }) => {
    const moves = change.status !== undefined || change.fields?.statusKey !== undefined;
    return id !== undefined && moves && items[id]?.status === 'done' ? [id] : [];
  });
  return ids.length > 0 ? readClosings(tx, ids) : new Map();
}

function decide(permit: Facts & { closings: Closings }, edit: ItemEdit, approves: boolean, related: ChangedFields = {}): Revision {
  const { change } = edit;
  if (edit.id === undefined) {
    const row = decideItem(edit.type, change, { ...permit, stored: null, approves });
    return { stored: null, row, changed: { ...changedFields(null, row), ...related, ...edit.made?.changed }, newId: edit.made?.id };
  }
  const stored = storedItem(permit, edit.id);
  const row = decideItem(stored.type, change, { ...permit, stored, approves });
  if (edit.isUndo)
    for (const name of setByRule)
      setField(row.fields, name, change.fields?.[name] === undefined ? stored.fields[name] : change.fields[name]);
  else if (isReopened(stored, row)) takeBack(row, stored, change.fields ?? {}, permit.closings.get(edit.id) ?? {});
  return { stored, row, changed: { ...changedFields(stored, row), ...related } };
}

/** The item after its write, as this caller may see it. */
export function workOf(permit: Facts, { id, version, row, stored }: SavedItem): Work {
  const { type, title, description, status, ownerId, fields } = row;
  const { assigneeId } = fields;
  const kept = assigneeId === stored?.fields.assigneeId ? stored.fields.assigneeName : undefined;
  const assigneeName = assigneeId === null ? null : (kept ?? permit.people[assigneeId] ?? null);
  return asSeenBy(permit, { id, type, title, description, status, version, ownerId, fields: { ...fields, assigneeName } });
}
