/** Converts a file's labels, and the labels, keys and blockers of its items, to rows (behaviour §33.8). */
import type { Tx } from '../database/db.ts';
import { InvalidRequest } from '../values/errors.ts';
import { elementAt } from '../values/records.ts';
import { idOf, idsOf, scopeOf, type WorkspaceImport } from './home.ts';
import { linkOrder, startOf } from './items.ts';
import { insertRows, type Row, takeIds } from './queries.ts';

/** Call it after the items are written. Returns the ids of labels by name in lower case. Throws InvalidRequest for an unknown label or ref,
 *  and for a cycle. */
export async function writeRelations(tx: Tx, at: WorkspaceImport): Promise<ReadonlyMap<string, number>> {
  const { labels } = at.workspace;
  const ids = await takeIds(tx, 'labels', labels.length);
  const byName = new Map(labels.map(({ name }, n) => [name.toLowerCase(), elementAt(ids, n)]));
  const now = new Date().toISOString();
  const rows = labels.map(({ archived, ...label }, n) => ({ id: ids[n], ...scopeOf(at), ...label, archived_at: archived ? now : null }));
  await insertRows(tx, 'labels', rows);
  await insertRows(tx, 'item_labels', labelRows(at, byName));
  await insertRows(tx, 'imported_items', sourceRows(at));
  await insertRows(tx, 'item_dependencies', blockerRows(at));
  refuseCycles(at);
  return byName;
}

function* labelRows(at: WorkspaceImport, byName: ReadonlyMap<string, number>): Generator<Row> {
  const places = at.file.itemsOf(at.path);
  if (places.labelled.length === 0) return;
  const ids = idsOf(at, 'items');
  for (let n = 0; n < places.labelled.length; n++) {
    if (!places.labelled.at(n)) continue;
    const { entry, path } = at.file.item(at.path, places, n);
    for (const [l, name] of entry.labels.entries()) {
      const label = byName.get(name.toLowerCase());
      if (label === undefined) throw new InvalidRequest([...path, 'labels', l], `add '${name}' to the labels of the workspace.`);
      yield { ...scopeOf(at), item_id: ids[n], label_id: label };
    }
  }
}

/** Throws InvalidRequest for a key that an earlier item has. */
function* sourceRows(at: WorkspaceImport): Generator<Row> {
  const places = at.file.itemsOf(at.path);
  if (places.sourced.length === 0) return;
  const ids = idsOf(at, 'items');
  const seen = new Set<string>();
  for (let n = 0; n < places.sourced.length; n++) {
    if (!places.sourced.at(n)) continue;
    const { entry, path } = at.file.item(at.path, places, n);
    if (!entry.source) continue;
    const { name, key, url = null, shadowed } = entry.source;
    const row = { ...scopeOf(at), item_id: ids[n], source: name, url };
    if (shadowed) {
      yield { ...row, key: null, shadowed_key: key };
      continue;
    }
    const whole = `${name} ${key}`;
    if (seen.has(whole)) throw new InvalidRequest([...path, 'source', 'key'], `another item has the key '${key}'; give each key once.`);
    seen.add(whole);
    yield { ...row, key, shadowed_key: null };
  }
}

function* blockerRows(at: WorkspaceImport): Generator<Row> {
  const places = at.file.itemsOf(at.path);
  const ends = places.blockerEnds;
  if (ends.length === 0) return;
  const ids = idsOf(at, 'items');
  for (let n = 0; n < ends.length; n++) {
    if (ends.at(n) === (n === 0 ? 0 : ends.at(n - 1))) continue;
    const { entry, path } = at.file.item(at.path, places, n);
    const seen = new Set([ids[n]]);
    for (const [b, { ref, lagDays }] of entry.blockedBy.entries()) {
      const place = [...path, 'blockedBy', b, 'ref'];
      const blocker = idOf(at, place, ref, 'item');
      if (seen.has(blocker)) throw new InvalidRequest(place, 'name each item once, and not the item itself.');
      seen.add(blocker);
      yield { ...scopeOf(at), item_id: ids[n], blocker_id: blocker, lag_days: lagDays };
    }
  }
}

function refuseCycles(at: WorkspaceImport): void {
  const { blockerEnds, blockers } = at.file.itemsOf(at.path);
  const links = { ends: new Uint32Array(blockerEnds.length), to: new Uint32Array(blockers.length) };
  for (let n = 0, link = 0; n < blockerEnds.length; n++) {
    for (; link < blockerEnds.at(n); link++) {
      const found = at.file.refs.within(blockers.at(link), 'item', { account: at.a, workspace: at.w });
      // blockerRows has refused a ref to anything but an item of this workspace, with its path.
      links.to[link] = found?.n ?? n;
    }
    links.ends[n] = link;
  }
  const order = linkOrder(links);
  if (order.length === links.ends.length) return;
  const written = new Set(order);
  const stuck = links.ends.findIndex((end, n) => !written.has(n) && end > startOf(links.ends, n));
  throw new InvalidRequest([...at.path, 'items', stuck, 'blockedBy'], 'its blockers form a cycle or lead to one; remove one of them.');
}
