/** Rows of a workspace by SQL, and its forecast on any day, for tests that calculate by hand or by the plain model. */

import { type ProjectLine, projectLines } from '../../../src/capacity/forecast/outline.ts';
import type { Forecast } from '../../../src/capacity/forecast/schema.ts';
import { buildForecast, piecesOf } from '../../../src/capacity/snapshots/computing/computeSnapshot.ts';
import { ScopeSource } from '../../../src/capacity/snapshots/computing/source.ts';
import { beginReading } from '../../../src/capacity/snapshots/computing/storeQueries.ts';
import { dayOf, weekStartOf } from '../../../src/values/workdays.ts';
import { streamPool } from '../../../workers/pools.ts';
import type { World } from '../../support/timeWorld.ts';

type Values = Record<string, unknown>;

/** Inserts a row. Returns the first of the columns `returning`. */
export function insert(world: World, table: string, row: Values, returning = 'id'): Promise<number> {
  const columns = Object.keys(row).filter((name) => row[name] !== undefined);
  const places = columns.map((_, n) => `$${n + 1}`);
  const values = columns.map((name) => row[name]);
  return world.value(`insert into ${table} (${columns.join(', ')}) values (${places.join(', ')}) returning ${returning}`, values);
}

let count = 0;

export class Office {
  readonly world: World;
  readonly accountId: number;
  readonly workspaceIds: number[] = [];

  private constructor(world: World, accountId: number) {
    this.world = world;
    this.accountId = accountId;
  }

  static async open(world: World, workspaces = 1): Promise<Office> {
    const office = new Office(world, await insert(world, 'accounts', { name: 'Acme' }));
    for (let n = 0; n < workspaces; n++)
      office.workspaceIds.push(await insert(world, 'workspaces', { account_id: office.accountId, name: `Workspace ${n}` }));
    return office;
  }

  /** `workspaces`: places of those in which the person is a member. */
  async person(name: string, row: Values = {}, workspaces: readonly number[] = [0], role = 'member'): Promise<number> {
    const email = `p${count++}.${process.pid}@anyday.example`;
    const id = await insert(this.world, 'users', { account_id: this.accountId, email, name, ...row });
    for (const at of workspaces) {
      const member = { account_id: this.accountId, workspace_id: this.workspaceIds[at], user_id: id, role };
      await insert(this.world, 'memberships', member, 'user_id');
    }
    return id;
  }

  /** A planned item. `row`: columns of items. */
  item(type: string, title: string, row: Values = {}, at = 0): Promise<number> {
    const status = String(row.status ?? 'planned');
    const all = { account_id: this.accountId, workspace_id: this.workspaceIds[at], type, title, status, status_key: status };
    return insert(this.world, 'items', { ...all, ...(status === 'blocked' && { blocked_reason: 'Waits.' }), ...row });
  }

  /** Time by hand, at most 24 hours an entry. */
  async record(itemId: number, userId: number, day: string, minutes: number, at = 0): Promise<void> {
    const row = { account_id: this.accountId, workspace_id: this.workspaceIds[at], user_id: userId, item_id: itemId, kind: 'manual', day };
    await insert(this.world, 'time_entries', { ...row, minutes });
  }

  block(itemId: number, blockerId: number, lagDays = 0, at = 0): Promise<number> {
    const row = { account_id: this.accountId, workspace_id: this.workspaceIds[at], item_id: itemId, blocker_id: blockerId };
    return insert(this.world, 'item_dependencies', { ...row, lag_days: lagDays }, 'item_id');
  }

  /** What GET /capacity answers on that day, without `canManage`. */
  async forecast(today: string, from = today): Promise<Forecast> {
    return (await this.#compute(today, from)).forecast;
  }

  /** Projects as pages show them. */
  async shown(today: string): Promise<ProjectLine[]> {
    return (await this.#compute(today, today)).lines;
  }

  async #compute(today: string, from: string) {
    const pool = streamPool(this.world.url, 1);
    try {
      const client = await pool.connect();
      await beginReading(client);
      const scope = {
        accountId: this.accountId,
        workspaceId: 0,
        workspaceIds: this.workspaceIds,
        from: weekStartOf(dayOf(from)),
        today: dayOf(today),
      };
      const source = new ScopeSource(client, scope);
      let text = '';
      const computed = await buildForecast(source);
      for await (const piece of piecesOf(computed, source)) text += piece;
      await client.query('commit');
      client.release();
      const lines = projectLines(computed);
      return { forecast: JSON.parse(text) as Forecast, lines };
    } finally {
      await pool.end();
    }
  }
}
