/** The checks of a run, with what each has found wrong. */

export interface Check {
  name: string;
  found: string[];
  /** True for the limit of a time, which a busy machine may exceed. */
  isTime?: boolean;
}

/** What must exist exactly once. */
export interface Once {
  expected: number;
  lost: string[];
  doubled: string[];
}

/** Of rows that say how often each is there. */
export const onceOf = (rows: { what: string; times: number }[]): Once => ({
  expected: rows.length,
  lost: rows.filter(({ times }) => times === 0).map(({ what }) => what),
  doubled: rows.filter(({ times }) => times > 1).map(({ what }) => what),
});

export function within(name: string, ms: number, limitSeconds: number): Check {
  const found = ms > limitSeconds * 1_000 ? [`over ${limitSeconds} s`] : [];
  return { name: `${name}: ${(ms / 1_000).toFixed(1)} s`, found, isTime: true };
}

export const broken = (checks: Check[]): Check[] => checks.filter(({ found }) => found.length > 0);

/** As text for a terminal. */
export const table = (checks: Check[]): string =>
  checks
    .flatMap(({ name, found }) => [`${found.length ? 'BROKEN' : 'kept  '}  ${name}`, ...found.slice(0, 10).map((one) => `  ${one}`)])
    .join('\n');
