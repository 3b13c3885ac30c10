/** Who has changed an item since a version of it was read, for whoever is told that they were quicker. Pure. */
import type { ItemChange } from '../../changes/schema.ts';
import { doneBy } from './doneBy.ts';

/** `changes` newest first; `Somebody` where no row tells, as of changes from before there were any. */
export function whoChanged(changes: readonly ItemChange[], version: number): string {
  const later = changes.filter((change) => change.version > version && change.kind !== 'comment.created');
  const names = [...new Set(later.map((change) => doneBy(change.actor.name, change)))];
  if (names.length < 2) return names[0] ?? 'Somebody';
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
