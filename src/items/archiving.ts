/** Checks locked items and archives them (behaviour §4.19). */
import type { Permit } from '../access/caller.ts';
import type { ItemType } from '../access/rights.ts';
import type { Tx } from '../database/db.ts';
import { type Fault, Faults, Forbidden, type Path } from '../values/errors.ts';
import { type OpenItem, openBelow, type Runner, timersOn } from './archiveQueries.ts';
import { setArchived } from './writeQueries.ts';

const NAMED = 3;

/** Returns the new versions. `pathTo`: an item's path in the input. Throws InvalidRequest with all obstacles, or Forbidden. */
export async function archive(
  tx: Tx,
  permit: Permit,
  items: readonly { id: number; version: number; type: ItemType }[],
  pathTo: (id: number) => Path,
): Promise<ReadonlyMap<number, number>> {
  const ids = items.map(({ id }) => id);
  const faults = new Faults();
  const add = (id: number, why: Fault['whatToDo']) => faults.add(pathTo(id), why);
  // Read after the lock, to include links and timers that were added while we waited for it.
  const open = Map.groupBy(await openBelow(tx, permit, ids, NAMED + 1), ({ root }) => root);
  for (const [id, found] of open) add(id, `item ${id} can't be archived while open work is linked below it: ${named(found)}.`);
  const timers = Map.groupBy(await timersOn(tx, ids), ({ item_id: id }) => id);
  for (const [id, runners] of timers)
    for (const words of timersInTheWay(runners, permit.userId)) add(id, `item ${id} can't be archived while ${words}.`);
  faults.check();
  const archived = await setArchived(tx, permit, items, true);
  if (archived.size !== ids.length) throw new Forbidden();
  return archived;
}

function named(found: readonly OpenItem[]): string {
  const seen = found.filter((item) => item.seen).slice(0, NAMED);
  const names = seen.map((item) => `${item.type} ${item.id} "${item.title}"`);
  return [...names, ...(found.length > seen.length ? ['items that are not listed here'] : [])].join(', ');
}

function timersInTheWay(runners: readonly Runner[], userId: number): string[] {
  const others = runners.filter((one) => one.user_id !== userId).map(({ name, user_id: id }) => `${name} (user ${id})`);
  const named = [...others.slice(0, NAMED), ...(others.length > NAMED ? [`${others.length - NAMED} more`] : [])].join(', ');
  return [
    ...(others.length < runners.length ? ['your timer is running on it; stop it first'] : []),
    ...(others.length ? [`a timer of ${named} is running on it; ask them or an owner of the workspace to stop it`] : []),
  ];
}
