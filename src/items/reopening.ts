/** Leaving `done` undoes what becoming done set (behaviour §4.18). Its row of changes keeps the earlier values. */
import type { ChangedFields } from '../changes/schema.ts';
import { type ItemRow, type RowFields, setField, type Work, type WorkFields } from './schema.ts';

/** Fields that a status change sets by rule. */
export const setByRule = ['progressPercent', 'actualDate'] as const;

export const isReopened = (stored: Work, row: ItemRow): boolean => stored.status === 'done' && row.status !== 'done';

/** Changes `row`. A given value wins, unless it repeats the stored one; so does a value that has changed since. `closing`: the fields of the
 *  change that made the item done. Pure. */
export function takeBack(row: ItemRow, stored: Work, given: WorkFields, closing: ChangedFields): void {
  for (const name of setByRule) {
    const set = closing[name];
    const now = stored.fields[name];
    if (set === undefined || set === true || set[1] !== now || (given[name] !== undefined && given[name] !== now)) continue;
    setField(row.fields, name, set[0] as RowFields[typeof name]);
  }
}
