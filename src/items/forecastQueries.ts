/** SQL about what the newest forecast says of an item, for those who may oversee its workspace's capacity. */
import { CAPACITY_READ, CAPACITY_RIGHTS, TIME_OVERSIGHT, WORKSPACES_READ } from '../access/rights.ts';
import type { Fragment } from '../database/db.ts';
import { sql } from '../database/sql.ts';

const OVERSIGHT = WORKSPACES_READ | CAPACITY_READ | TIME_OVERSIGHT;

/** For a statement with `access`: whether the user may oversee the workspace's capacity and the credential may read all that it is made of.
 *  Oversight is no resource of agents: they have it by their user's own right. */
export const oversees = sql.fragment`(
  access.rights & ${CAPACITY_RIGHTS & ~OVERSIGHT}::integer = ${CAPACITY_RIGHTS & ~OVERSIGHT}::integer
  and exists (select from memberships m where m.workspace_id = access.workspace_id and m.user_id = access.user_id
    and m.rights & ${OVERSIGHT}::integer = ${OVERSIGHT}::integer))`;

/** The id of today's newest snapshot of the workspace in `access`; null where none is computed. */
export const newestSnapshot = sql.fragment`(
  select s.id from capacity_forecasts f join capacity_snapshots s on s.forecast_id = f.id and s.day = current_date
  where f.scope_key = access.workspace_id::text and f.week = date_trunc('week', current_date)::date
  order by s.as_of desc limit 1)`;

/** JSON of where a project stands; null for who may not know, and where there is no forecast of it. */
export const standsJson = (projectId: Fragment): Fragment => sql.fragment`(
  select json_build_object('forecastDate', p.forecast_date, 'bufferedDate', p.buffered_date, 'outlook', p.outlook)
  from capacity_projects p where ${oversees} and p.snapshot_id = ${newestSnapshot} and p.project_id = ${projectId})`;
