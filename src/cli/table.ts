function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (Array.isArray(value)) return value.length ? value.join(',') : '-';
  if (typeof value !== 'object') return String(value);
  const pairs = Object.entries(value).map(([key, one]) => `${key}=${one}`);
  return pairs.length ? pairs.join(',') : '-';
}

export function table(rows: readonly object[], next: number | null = null): string {
  const [first] = rows;
  if (!first) return 'No results.';
  const lines = [Object.keys(first), ...rows.map((row) => Object.values(row).map(cell))];
  const widths = lines[0]!.map((_name, column) => Math.max(...lines.map((line) => line[column]!.length)));
  const text = lines.map((line) =>
    line
      .map((value, column) => value.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
  return [...text, ...(next === null ? [] : [`More results: --after ${next}`])].join('\n');
}
