/** The outcome of a run: figures, and checks with their findings. */

export interface Row {
  name: string;
  value: string;
  /** The limit of a check. A plain figure has none. */
  promise?: { limit: string; kept: boolean; details: string[]; isTime: boolean };
}

export interface Report {
  seed: number;
  rows: Row[];
  /** All output of the processes and PostgreSQL. */
  log: string[];
}

/** What must exist exactly once. */
export interface Once {
  expected: number;
  lost: string[];
  doubled: string[];
}

export const figure = (name: string, value: number | string): Row => ({ name, value: String(value) });

/** A check that the list is empty. */
export const none = (name: string, found: readonly string[]): Row => ({
  name,
  value: String(found.length),
  promise: { limit: '0', kept: found.length === 0, details: [...found], isTime: false },
});

export function within(name: string, ms: number, limitSeconds: number): Row {
  const kept = ms <= limitSeconds * 1_000;
  return { name, value: `${(ms / 1_000).toFixed(1)} s`, promise: { limit: `<= ${limitSeconds} s`, kept, details: [], isTime: true } };
}

export const broken = (rows: readonly Row[]): Row[] => rows.filter(({ promise }) => promise?.kept === false);

/** As text for a terminal. */
export function table(title: string, rows: readonly Row[]): string {
  const wide = Math.max(...rows.map(({ name }) => name.length));
  const lines = rows.map(({ name, value, promise }) => {
    const verdict = promise ? `${promise.limit.padEnd(9)}${promise.kept ? 'kept' : 'BROKEN'}` : '';
    return `${name.padEnd(wide)}  ${value.padStart(9)}  ${verdict}`.trimEnd();
  });
  const details = rows.flatMap(({ name, promise }) => (promise?.details ?? []).slice(0, 10).map((detail) => `${name}: ${detail}`));
  return [title, ...lines, ...details].join('\n');
}
