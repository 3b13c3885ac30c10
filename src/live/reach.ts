/** The changes of a range that each connected user may see. Pure. */
import { elementAt } from '../values/records.ts';
import type { Reach, ReachableChange } from './queries.ts';

/** Maximum number of item ids in an event. Above it, the event only says that there are many. */
const MOST_NAMED = 100;

interface Group {
  workspaceId: number;
  items: number[] | null;
  above: number[];
  /** The user who made all these changes on pages; 0 if several users, or not on pages. */
  by: number;
  of: Set<number>;
}

/** Event data by user index. Users who may see none of the changes are missing. */
export function eventsByUser(reach: Reach, users: readonly number[]): Map<number, string[]> {
  const groups = Map.groupBy(reach.seen, keyOf);
  const all = new Map<number, string[]>();
  for (const { who, ...way } of reach.members) {
    const seen = groups.get(keyOf(way));
    if (!seen) continue;
    const textFor = texts(groupOf(way.workspaceId, seen));
    for (const n of who) {
      const [data, before] = [textFor(elementAt(users, n)), all.get(n)];
      if (before) before.push(data);
      else all.set(n, [data]);
    }
  }
  return all;
}

function texts({ workspaceId, items, above, by, of }: Group): (user: number) => string {
  const made = new Map<number, string>();
  return (user) => {
    const [own, mine] = [by === user, of.has(user)];
    const which = Number(own) * 2 + Number(mine);
    const text = made.get(which) ?? JSON.stringify({ workspace: workspaceId, items, above, own, mine });
    made.set(which, text);
    return text;
  };
}

const keyOf = ({ workspaceId, rights }: Pick<ReachableChange, 'workspaceId' | 'rights'>): string => `${workspaceId} ${rights}`;

function groupOf(workspaceId: number, seen: readonly ReachableChange[]): Group {
  const [by = 0, ...others] = new Set(seen.flatMap(({ actors, pages }) => (pages ? actors : [0])));
  return {
    workspaceId,
    items: seen.length > MOST_NAMED ? null : seen.map(({ itemId }) => itemId),
    above: [...new Set(seen.flatMap(({ above }) => above))].slice(0, MOST_NAMED),
    by: others.length === 0 ? by : 0,
    of: new Set(seen.flatMap(({ of }) => of)),
  };
}
