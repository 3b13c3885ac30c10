/** All acknowledged writes. At the end, the service must show exactly these. */

export const tables = ['items', 'comments', 'time_entries', 'plan_blocks', 'personal_notes'] as const;
export type Table = (typeof tables)[number];

/** How often each mark is in each table, and the revision of each row. Keys as from `markKey` and `rowKey`. */
export interface Found {
  marks: Map<string, number>;
  revisions: Map<string, number>;
}

export interface Problem {
  kind: 'lost' | 'doubled';
  what: string;
}

interface Mark {
  /** Rows that the write makes, all or none. */
  rows: number;
  state: 'uncertain' | 'acknowledged' | 'gone' | 'refused';
}

export const MARK = /mark-\d{6}/;
export const markKey = (table: Table, mark: string) => `${table} ${mark}`;
export const rowKey = (table: Table, id: number) => `${table} ${id}`;

export class Ledger {
  readonly #marks = new Map<string, Mark>();
  readonly #revisions = new Map<string, { least: number; most: number }>();
  #count = 0;

  /** A text for a new write, which `rows` rows contain once it is done. Uncertain until acknowledged. */
  fresh(table: Table, rows = 1): string {
    const mark = `mark-${String(++this.#count).padStart(6, '0')}`;
    this.#marks.set(markKey(table, mark), { rows, state: 'uncertain' });
    return mark;
  }

  /** Acknowledged: the service has acknowledged or shown the write. */
  mark(table: Table, mark: string, state: Mark['state']): void {
    const known = this.#marks.get(markKey(table, mark));
    if (!known) throw new Error(`The ledger has no ${mark} in ${table}.`);
    known.state = state;
  }

  /** The service has reported the row at this revision. */
  at(table: Table, id: number, revision: number): void {
    this.#revisions.set(rowKey(table, id), { least: revision, most: revision });
  }

  /** The row may have this revision: the answer was lost. */
  maybeAt(table: Table, id: number, revision: number): void {
    const known = this.#revisions.get(rowKey(table, id));
    this.#revisions.set(rowKey(table, id), { least: known?.least ?? revision, most: revision });
  }

  /** Stops checking the row's revision. */
  forget(table: Table, id: number): void {
    this.#revisions.delete(rowKey(table, id));
  }

  check({ marks, revisions }: Found): Problem[] {
    const problems = [...this.#marks].flatMap(([key, mark]) => judgeMark(key, mark, marks.get(key) ?? 0));
    for (const key of marks.keys()) if (!this.#marks.has(key)) problems.push({ kind: 'doubled', what: `${key} was never written` });
    for (const [key, { least, most }] of this.#revisions) {
      const found = revisions.get(key);
      if (found === undefined || found < least) problems.push({ kind: 'lost', what: `${key} is at ${found ?? 'nothing'}, not ${least}` });
      else if (found > most) problems.push({ kind: 'doubled', what: `${key} is at ${found}, not ${most}` });
    }
    return problems;
  }
}

function judgeMark(key: string, { rows, state }: Mark, found: number): Problem[] {
  const right = { acknowledged: [rows], uncertain: [0, rows], gone: [0], refused: [0] }[state];
  if (right.includes(found)) return [];
  const lost = found < rows && state !== 'refused';
  return [{ kind: lost || state === 'gone' ? 'lost' : 'doubled', what: `${key}, ${state}, is there ${found} times instead of ${rows}` }];
}
