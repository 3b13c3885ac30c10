/** Reads a scope in batches. Needs a repeatable-read transaction. Uses node-postgres, because slonik has no cursors. */
import type { ClientBase } from 'pg';
import type { Day } from '../../../values/workdays.ts';
import type { ScopeInput } from '../../forecast/builder.ts';
import type { ContainerRow, DependencyRow, HolidayRow, MinutesRow, PersonRow, TaskRow, TrendRow } from '../../forecast/rows.ts';
import { WEEKS } from '../../forecast/weeks.ts';
import * as text from './sourceQueries.ts';

export interface Scope {
  accountId: number;
  workspaceId: number;
  workspaceIds: number[];
  from: Day;
  today: Day;
}

type TaskColumn = Exclude<keyof TaskRow, 'milestoneId' | 'assigneeLeft' | 'recordedMinutes'> | 'parentItemId';
/** Columns of about a thousand tasks: the n-th value of each belongs to the n-th task. `leftIds`: tasks whose assignee has left;
 *  `recordedMinutes`: by id, of tasks that have any. */
export type TaskBatch = { [Name in TaskColumn]: (TaskRow & { parentItemId: number | null })[Name][] } & {
  leftIds: number[];
  recordedMinutes: Record<string, number>;
};

const WORKSPACES = '$1::bigint[]';

export class ScopeSource {
  readonly #client: ClientBase;
  readonly #scope: Scope;

  constructor(client: ClientBase, scope: Scope) {
    this.#client = client;
    this.#scope = scope;
  }

  async input(): Promise<ScopeInput> {
    const { accountId, workspaceIds, workspaceId, from, today } = this.#scope;
    const { rows } = await this.#client.query<PersonRow>(text.people('$1', '$2::bigint[]'), [accountId, workspaceIds]);
    const holidays = await this.#client.query<HolidayRow>(text.holidays('$1'), [accountId]);
    return { workspaceId, from, today, people: rows, holidays: holidays.rows };
  }

  containers(): AsyncGenerator<ContainerRow[]> {
    return this.#stream(text.containers(WORKSPACES), [this.#scope.workspaceIds]);
  }

  dependencies(): AsyncGenerator<DependencyRow[]> {
    return this.#stream(text.dependencies(WORKSPACES), [this.#scope.workspaceIds]);
  }

  async *tasks(): AsyncGenerator<TaskBatch> {
    for await (const batches of this.#stream<TaskBatch>(text.tasks(WORKSPACES), [this.#scope.workspaceIds], 1)) yield* batches;
  }

  /** Workspaces of the scope in which each person has open work. */
  async workspaces(): Promise<Map<number, number[]>> {
    const { rows } = await this.#client.query<{ personId: number; ids: number[] }>(text.workspaces(WORKSPACES), [this.#scope.workspaceIds]);
    return new Map(rows.map(({ personId, ids }) => [personId, ids]));
  }

  recorded(): AsyncGenerator<MinutesRow[]> {
    return this.#stream(text.recorded(WORKSPACES, '$2', '$3'), this.#weeks);
  }

  planned(): AsyncGenerator<MinutesRow[]> {
    return this.#stream(text.planned(WORKSPACES, '$2', '$3'), this.#weeks);
  }

  trend(): AsyncGenerator<TrendRow[]> {
    const { workspaceIds, today } = this.#scope;
    return this.#stream(text.trend, [workspaceIds, today]);
  }

  work = async (ids: number[]): Promise<string[]> => {
    const { rows } = await this.#client.query<{ lines: string | null }>({ name: 'capacity-work', text: text.work, values: [ids] });
    return rows[0]?.lines?.split('\n') ?? [];
  };

  get #weeks(): unknown[] {
    const { workspaceIds, from } = this.#scope;
    return [workspaceIds, from, from + 7 * WEEKS];
  }

  async *#stream<Row extends object>(query: string, values: unknown[], batch = text.BATCH): AsyncGenerator<Row[]> {
    await this.#client.query(`declare source no scroll cursor for ${query}`, values);
    for (let last = batch; last === batch; ) {
      const { rows } = await this.#client.query<Row>(`fetch ${batch} from source`);
      last = rows.length;
      if (last > 0) yield rows;
    }
    await this.#client.query('close source');
  }
}
