/** The actor in words, e.g. "Bo’s agent “Claude”"; only the name for actions in the browser. Pure. */
import type { ItemChange } from '../../changes/schema.ts';

export function actorName(name: string, by?: Pick<ItemChange, 'via' | 'keyName'>): string {
  if (by?.via === 'agent') return `${name}’s agent “${by.keyName}”`;
  if (by?.via === 'rest') return by.keyName === null ? `${name} (API)` : `${name} (API key “${by.keyName}”)`;
  return by?.via === 'job' ? `${name} (scheduled)` : name;
}
