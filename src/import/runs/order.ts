/** The order in which a run writes its rows: parents and blockers first, otherwise as in the file. Pure. */

export interface Ordered {
  key: string;
  parent: string | null;
  blockedBy: readonly string[];
}

export interface Order<Row> {
  order: readonly Row[];
  /** Blockers that come later, because parents and dependencies together form a cycle. */
  later: { key: string; blockedBy: string[] }[];
}

/** Parents form no cycle, and neither do dependencies (SourceLinks). Both together may: then only parents decide. */
export function orderOf<Row extends Ordered>(rows: readonly Row[]): Order<Row> {
  const byKey = new Map(rows.map((row) => [row.key, row]));
  const above = ({ parent }: Row) => (parent === null ? [] : [parent]);
  const order = depthFirst(byKey, (row) => [...above(row), ...row.blockedBy]) ?? depthFirst(byKey, above) ?? rows;
  const done = new Set<string>();
  const later: Order<Row>['later'] = [];
  for (const { key, blockedBy } of order) {
    const waiting = blockedBy.filter((blocker) => byKey.has(blocker) && !done.has(blocker));
    if (waiting.length > 0) later.push({ key, blockedBy: waiting });
    done.add(key);
  }
  return { order, later };
}

/** Each row after those that it waits for; null if they form a cycle. With a stack of its own: chains may be as long as the file. */
function depthFirst<Row extends Ordered>(rows: ReadonlyMap<string, Row>, waitsFor: (row: Row) => string[]): Row[] | null {
  const open = new Set<string>();
  const done = new Set<string>();
  const order: Row[] = [];
  for (const start of rows.values()) {
    const stack = done.has(start.key) ? [] : [{ row: start, rest: waitsFor(start).values() }];
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const { row, rest } = top;
      open.add(row.key);
      const next = rest.next();
      if (next.done) {
        open.delete(row.key);
        done.add(row.key);
        order.push(row);
        stack.pop();
        continue;
      }
      const up = rows.get(next.value);
      if (up && open.has(up.key)) return null;
      if (up && !done.has(up.key)) stack.push({ row: up, rest: waitsFor(up).values() });
    }
  }
  return order;
}
