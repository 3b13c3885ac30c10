/** The changed fields of a save, named as in the API (behaviour §15.3). Pure. */
import { type ChangedFields, type LongText, longTexts } from '../changes/schema.ts';
import { fieldNames } from './fields.ts';
import type { ItemRow, Work } from './schema.ts';

const isLong = (name: string): name is LongText => (longTexts as readonly string[]).includes(name);

/** Compares with the stored item, or with null for a new one. Empty if nothing changes. */
export function changedFields(stored: Work | null, row: ItemRow): ChangedFields {
  const changed: ChangedFields = {};
  const compare = (name: string, before: unknown, after: unknown) => {
    if (before !== after) changed[name] = isLong(name) ? true : [before, after];
  };
  compare('title', stored?.title ?? null, row.title);
  compare('description', stored?.description ?? '', row.description);
  compare('status', stored?.status ?? null, row.status);
  compare('ownerId', stored?.ownerId ?? null, row.ownerId);
  for (const name of fieldNames) compare(name, stored?.fields[name] ?? null, row.fields[name] ?? null);
  return changed;
}

export const changesNothing = (changed: ChangedFields): boolean => Object.keys(changed).length === 0;
