/** All acknowledged writes. At the end, the database must have exactly these. */
import type { Postgres } from './postgres.ts';
import type { Once } from './report.ts';

const columns = {
  items: { text: 'title', revision: 'version' },
  comments: { text: 'body', revision: 'null::integer' },
  time_entries: { text: 'note', revision: 'revision' },
  plan_blocks: { text: 'note', revision: 'revision' },
  personal_notes: { text: 'title', revision: 'revision' },
};
export type Table = keyof typeof columns;

interface Mark {
  /** Rows that the write makes, all or none. */
  rows: number;
  /** Acknowledged: the service has said so. */
  state: 'uncertain' | 'acknowledged' | 'refused';
}

const MARK = /mark-\d{6}/;

export class Ledger {
  /** By table and mark. */
  readonly #marks = new Map<string, Mark>();
  /** By table and id. */
  readonly #revisions = new Map<string, { least: number; most: number }>();

  /** A text for a new write, which `rows` rows contain once it is done. Uncertain until acknowledged. */
  fresh(table: Table, rows = 1): string {
    const mark = `mark-${String(this.#marks.size).padStart(6, '0')}`;
    this.#marks.set(`${table} ${mark}`, { rows, state: 'uncertain' });
    return mark;
  }

  mark(table: Table, mark: string, state: Mark['state']): void {
    this.#marks.get(`${table} ${mark}`)!.state = state;
  }

  /** The service has reported the row at this revision. */
  at(table: Table, id: number, revision: number): void {
    this.#revisions.set(`${table} ${id}`, { least: revision, most: revision });
  }

  /** The row may have this revision: the answer was lost. */
  maybeAt(table: Table, id: number, revision: number): void {
    const known = this.#revisions.get(`${table} ${id}`);
    this.#revisions.set(`${table} ${id}`, { least: known?.least ?? revision - 1, most: revision });
  }

  async check(postgres: Postgres): Promise<Once> {
    const { marks, revisions } = await read(postgres);
    const [lost, doubled]: [string[], string[]] = [[], []];
    for (const [key, { rows, state }] of this.#marks) {
      const found = marks.get(key) ?? 0;
      const right = { acknowledged: [rows], uncertain: [0, rows], refused: [0] }[state];
      if (right.includes(found)) continue;
      const list = found < rows && state !== 'refused' ? lost : doubled;
      list.push(`${key}, ${state}, is there ${found} times instead of ${rows}`);
    }
    for (const key of marks.keys()) if (!this.#marks.has(key)) doubled.push(`${key} was never written`);
    for (const [key, { least, most }] of this.#revisions) {
      const found = revisions.get(key) ?? 0;
      if (found < least) lost.push(`${key} is at ${found}, not ${least}`);
      if (found > most) doubled.push(`${key} is at ${found}, not ${most}`);
    }
    return { expected: this.#marks.size, lost, doubled };
  }
}

/** How often each mark is in each table, and the revision of each row. */
async function read(postgres: Postgres): Promise<{ marks: Map<string, number>; revisions: Map<string, number> }> {
  const [marks, revisions] = [new Map<string, number>(), new Map<string, number>()];
  for (const [table, { text, revision }] of Object.entries(columns)) {
    for (const row of await postgres.rows(`select id, ${text} as text, ${revision} as revision from ${table}`)) {
      const mark = `${table} ${row.text?.match(MARK)?.[0]}`;
      if (MARK.test(mark)) marks.set(mark, (marks.get(mark) ?? 0) + 1);
      revisions.set(`${table} ${row.id}`, row.revision);
    }
  }
  return { marks, revisions };
}
