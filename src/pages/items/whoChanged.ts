/** Names of the people who changed an item after a version. Pure. */
import type { ItemChange } from '../../changes/schema.ts';
import { actorName } from './doneBy.ts';

/** `changes`: newest first. Returns "Another user" if no change is recorded. */
export function whoChanged(changes: readonly ItemChange[], version: number): string {
  const later = changes.filter((change) => change.version > version && change.kind !== 'comment.created');
  const names = [...new Set(later.map((change) => actorName(change.actor.name, change)))];
  if (names.length < 2) return names[0] ?? 'Another user';
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
