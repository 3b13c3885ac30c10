/** Reads a scope's rows through cursors, batch by batch, for the forecast. One repeatable-read transaction of the caller's, so that all
 *  that is read belongs to one moment. Plain SQL on node-postgres: slonik has no cursors. */
import type { ClientBase } from 'pg';
import type { ScopeInput } from './builder.ts';
import type { ContainerRow, MinutesRow, PersonRow, TaskRow, TrendRow, WorkText } from './rows.ts';
import * as text from './sourceQueries.ts';
import { WEEKS } from './weeks.ts';
import type { Day } from './workdays.ts';

const BATCH = 1_000;

export interface Scope {
  accountId: number;
  /** 0: all that a caller may oversee. */
  workspaceId: number;
  workspaceIds: number[];
  /** The Monday of the first week. */
  from: Day;
  today: Day;
}

export class ScopeSource {
  readonly #client: ClientBase;
  readonly #scope: Scope;
  readonly #signal: AbortSignal;

  constructor(client: ClientBase, scope: Scope, signal: AbortSignal) {
    this.#client = client;
    this.#scope = scope;
    this.#signal = signal;
  }

  async input(): Promise<ScopeInput> {
    const { accountId, workspaceIds, workspaceId, from, today } = this.#scope;
    const { rows } = await this.#client.query<PersonRow>(text.people, [accountId, workspaceIds]);
    return { workspaceId, from, today, people: rows };
  }

  containers(): AsyncGenerator<ContainerRow[]> {
    return this.#stream(text.containers, [this.#scope.workspaceIds]);
  }

  tasks(): AsyncGenerator<(TaskRow & { parentItemId: number | null })[]> {
    return this.#stream(text.tasks, [this.#scope.workspaceIds]);
  }

  recorded(): AsyncGenerator<MinutesRow[]> {
    return this.#stream(text.recorded, this.#weeks);
  }

  planned(): AsyncGenerator<MinutesRow[]> {
    return this.#stream(text.planned, this.#weeks);
  }

  trend(): AsyncGenerator<TrendRow[]> {
    const { workspaceIds, today } = this.#scope;
    return this.#stream(text.trend, [workspaceIds, today]);
  }

  /** The second pass: titles and all, of at most 1,000 tasks. */
  work = async (ids: number[]): Promise<WorkText[]> => {
    this.#signal.throwIfAborted();
    return (await this.#client.query<WorkText>({ name: 'capacity-work', text: text.work, values: [ids] })).rows;
  };

  get #weeks(): unknown[] {
    const { workspaceIds, from } = this.#scope;
    return [workspaceIds, from, from + 7 * WEEKS];
  }

  async *#stream<Row extends object>(query: string, values: unknown[]): AsyncGenerator<Row[]> {
    await this.#client.query(`declare source no scroll cursor for ${query}`, values);
    for (let last = BATCH; last === BATCH; ) {
      this.#signal.throwIfAborted();
      const { rows } = await this.#client.query<Row>(`fetch ${BATCH} from source`);
      last = rows.length;
      if (last > 0) yield rows;
    }
    await this.#client.query('close source');
  }
}
