/** The order in which a run writes its rows: parents and blockers first, otherwise as in the file. Pure. */

export interface Ordered {
  key: string;
  parent: string | null;
  blockedBy: readonly string[];
}

export interface Order {
  /** Indexes of `rows`. */
  order: number[];
  /** By index: blockers that come later, because parents and dependencies together form a cycle. */
  later: Map<number, string[]>;
}

/** Parents form no cycle, and neither do dependencies (SourceLinks). Both together may: then only parents decide. */
export function orderOf(rows: readonly Ordered[]): Order {
  const indexes = new Map(rows.map(({ key }, index) => [key, index]));
  const indexesOf = (keys: readonly string[]) => keys.flatMap((key) => indexes.get(key) ?? []);
  const above = rows.map(({ parent }) => indexesOf(parent === null ? [] : [parent]));
  const blockers = rows.map(({ blockedBy }) => indexesOf(blockedBy));
  const order =
    depthFirst(above.map((first, index) => [...first, ...blockers[index]!])) ?? depthFirst(above) ?? rows.map((_, index) => index);
  const places = new Uint32Array(rows.length);
  for (const [place, index] of order.entries()) places[index] = place;
  const later = new Map<number, string[]>();
  for (const [index, row] of rows.entries()) {
    const keys = row.blockedBy.filter((key) => indexes.has(key) && places[indexes.get(key)!]! > places[index]!);
    if (keys.length > 0) later.set(index, keys);
  }
  return { order, later };
}

const [NEW, OPEN, DONE] = [0, 1, 2];

/** Each index after those that it waits for; null if they form a cycle. With a stack of its own: chains may be as long as the file. */
function depthFirst(waitsFor: readonly number[][]): number[] | null {
  const state = new Uint8Array(waitsFor.length);
  const order: number[] = [];
  for (let start = 0; start < waitsFor.length; start++) {
    const stack = state[start] === NEW ? [{ index: start, next: 0 }] : [];
    while (stack.length > 0) {
      const visit = stack.at(-1)!;
      state[visit.index] = OPEN;
      const up = waitsFor[visit.index]![visit.next++];
      if (up === undefined) {
        state[visit.index] = DONE;
        order.push(visit.index);
        stack.pop();
      } else if (state[up] === OPEN) return null;
      else if (state[up] === NEW) stack.push({ index: up, next: 0 });
    }
  }
  return order;
}
