/** Links by index in the list. The links of item `n` are in `to` from `ends[n - 1]` up to `ends[n]`. */
export interface Links {
  ends: Uint32Array;
  to: Uint32Array;
}

/** Level by level, each level in file order. Items in link cycles are missing from the result. */
export function linkOrder({ ends, to }: Links): Uint32Array {
  const count = ends.length;
  const missing = Uint32Array.from(ends, (end, n) => end - startOf(ends, n));
  const below = turned({ ends, to });
  const order = new Uint32Array(count);
  let filled = 0;
  for (let n = 0; n < count; n++) if (missing[n] === 0) order[filled++] = n;
  for (let level = 0; level < filled; ) {
    const end = filled;
    for (; level < end; level++) {
      const item = order[level]!;
      for (let at = startOf(below.ends, item); at < below.ends[item]!; at++) {
        const child = below.to[at]!;
        if (--missing[child]! === 0) order[filled++] = child;
      }
    }
    order.subarray(end, filled).sort();
  }
  return order.subarray(0, filled);
}

const startOf = (ends: Uint32Array, n: number) => (n === 0 ? 0 : ends[n - 1]!);

function turned({ ends, to }: Links): Links {
  const result = { ends: new Uint32Array(ends.length), to: new Uint32Array(to.length) };
  for (const target of to) result.ends[target]!++;
  for (let n = 1; n < ends.length; n++) result.ends[n]! += result.ends[n - 1]!;
  const free = result.ends.slice();
  for (let n = ends.length - 1; n >= 0; n--) {
    for (let at = startOf(ends, n); at < ends[n]!; at++) result.to[--free[to[at]!]!] = n;
  }
  return result;
}
