/** What each of the connected is told of a stretch of changes. Pure. */
import type { Reach, Seen } from './queries.ts';

/** Items that are named; of more it is only said that there were many. */
const MOST_NAMED = 100;

interface Group {
  workspaceId: number;
  items: number[] | null;
  above: number[];
  /** Who changed all of them, on pages; 0: several, or not on pages. */
  by: number;
  of: Set<number>;
}

/** For the number of each of the connected: the data of their events. Nothing for who may see none of it. */
export function told(reach: Reach, users: readonly number[]): Map<number, string[]> {
  const groups = new Map<string, Group>();
  for (const [key, seen] of Map.groupBy(reach.seen, keyOf)) groups.set(key, groupOf(seen));
  const all = new Map<number, string[]>();
  const texts = new Map<string, string>();
  for (const [n, workspaceId, rights] of reach.members) {
    const key = keyOf({ workspaceId, rights });
    const group = groups.get(key);
    if (!group) continue;
    const user = users[n]!;
    const [own, mine] = [group.by === user, group.of.has(user)];
    const name = `${key} ${own} ${mine}`;
    const { items, above } = group;
    const text = texts.get(name) ?? JSON.stringify({ workspace: workspaceId, items, above, own, mine });
    texts.set(name, text);
    all.set(n, [...(all.get(n) ?? []), text]);
  }
  return all;
}

const keyOf = ({ workspaceId, rights }: Pick<Seen, 'workspaceId' | 'rights'>): string => `${workspaceId} ${rights}`;

function groupOf(seen: Seen[]): Group {
  const actors = new Set(seen.flatMap(({ actors, pages }) => (pages ? actors : [0])));
  return {
    workspaceId: seen[0]!.workspaceId,
    items: seen.length > MOST_NAMED ? null : seen.map(({ itemId }) => itemId),
    above: [...new Set(seen.flatMap(({ above }) => above))].slice(0, MOST_NAMED),
    by: actors.size === 1 ? [...actors][0]! : 0,
    of: new Set(seen.flatMap(({ of }) => of)),
  };
}
