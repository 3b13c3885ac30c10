/** What the service has acknowledged, and what it must therefore show at the end: no more and no less. */

export const tables = ['items', 'comments', 'time_entries', 'plan_blocks', 'personal_notes'] as const;
export type Table = (typeof tables)[number];

/** How often each mark stands in each table, and which revision each row has. Keys as `markKey` and `rowKey` make them. */
export interface Found {
  marks: Map<string, number>;
  revisions: Map<string, number>;
}

export interface Problem {
  kind: 'lost' | 'doubled';
  what: string;
}

interface Mark {
  /** How many rows the write makes, all or none. */
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

  /** A text for a new write, which stands in `rows` rows once it is done. Uncertain until told otherwise. */
  fresh(table: Table, rows = 1): string {
    const mark = `mark-${String(++this.#count).padStart(6, '0')}`;
    this.#marks.set(markKey(table, mark), { rows, state: 'uncertain' });
    return mark;
  }

  /** The service said that it is so, or has shown it. */
  acknowledged(table: Table, mark: string): void {
    this.#mark(table, mark).state = 'acknowledged';
  }

  refused(table: Table, mark: string): void {
    this.#mark(table, mark).state = 'refused';
  }

  /** Nobody knows any more. */
  uncertain(table: Table, mark: string): void {
    this.#mark(table, mark).state = 'uncertain';
  }

  deleted(table: Table, mark: string): void {
    this.#mark(table, mark).state = 'gone';
  }

  /** The row is at this revision, said the service. */
  at(table: Table, id: number, revision: number): void {
    this.#revisions.set(rowKey(table, id), { least: revision, most: revision });
  }

  /** The row may have come to this revision: the answer got lost. */
  maybeAt(table: Table, id: number, revision: number): void {
    const known = this.#revisions.get(rowKey(table, id));
    this.#revisions.set(rowKey(table, id), { least: known?.least ?? revision, most: revision });
  }

  /** From now on its revision is no matter. */
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

  #mark(table: Table, mark: string): Mark {
    const known = this.#marks.get(markKey(table, mark));
    if (!known) throw new Error(`The ledger has no ${mark} in ${table}.`);
    return known;
  }
}

function judgeMark(key: string, { rows, state }: Mark, found: number): Problem[] {
  const right = { acknowledged: [rows], uncertain: [0, rows], gone: [0], refused: [0] }[state];
  if (right.includes(found)) return [];
  const lost = found < rows && state !== 'refused';
  return [{ kind: lost || state === 'gone' ? 'lost' : 'doubled', what: `${key}, ${state}, is there ${found} times instead of ${rows}` }];
}
