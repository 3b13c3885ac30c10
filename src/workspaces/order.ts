/** One position up or down, or before another key (null: to the end). */
export type Step = { direction: 'up' | 'down' } | { before: string | null };

/** The keys in their new order; unchanged at the ends. Returns null if `key` or the other key is missing. */
export function movedKeys(keys: readonly string[], key: string, step: Step): string[] | null {
  const from = keys.indexOf(key);
  if (from < 0) return null;
  const others = keys.filter((one) => one !== key);
  const to = 'direction' in step ? from + (step.direction === 'up' ? -1 : 1) : placeBefore(others, step.before);
  if (to === null) return null;
  return others.toSpliced(Math.min(Math.max(to, 0), others.length), 0, key);
}

function placeBefore(others: readonly string[], before: string | null): number | null {
  if (before === null) return others.length;
  const at = others.indexOf(before);
  return at < 0 ? null : at;
}

/** Distinct ranks for an order, highest first. Keeps existing ranks if possible; uses small ones if they would exceed `most`. */
export function distinctRanks(ranks: readonly number[], most: number): number[] {
  const all = ranks.toSorted((a, b) => b - a);
  for (let at = all.length - 2; at >= 0; at--) all[at] = Math.max(all[at]!, all[at + 1]! + 1);
  return (all[0] ?? 0) <= most ? all : all.map((_, at) => all.length - at);
}
