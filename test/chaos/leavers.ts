/** People who leave during the run: nothing of theirs may run afterwards (behaviour §9.15), and forecasts exclude them (§6.29). */
import { setTimeout as sleep } from 'node:timers/promises';
import { stintHere } from '../support/cli.ts';
import type { Json } from './calls.ts';
import type { Postgres } from './postgres.ts';
import type { Random } from './random.ts';
import { type Stage, writeOnce } from './tool.ts';
import type { Town } from './town.ts';

export type Leaver = Town['leavers'][number];

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const COMPUTED_MS = 60_000;
const local = (ms: number) => new Date(ms).toISOString().slice(0, 16);

/** The person has a task, starts a timer, plans a block that would start at the next minute, and is removed or deactivated by the command
 *  line while a forecast includes them. */
export async function leave(
  stage: Stage,
  random: Random,
  { postgres, town, leaver: { key, userId }, how }: { postgres: Postgres; town: Town; leaver: Leaver; how: 'remove' | 'deactivate' },
): Promise<void> {
  const { workspaceId } = town;
  const write = (name: string, args: object) => writeOnce(stage, random, key, name, args);
  const fields = { assigneeId: userId, estimatedHours: 8, dueDate: local(Date.now() + 7 * DAY_MS).slice(0, 10) };
  const made = await write('svc_create_items', { workspaceId, items: [{ type: 'task', title: 'Task of a person who leaves', fields }] });
  const itemId = made?.items?.[0].id;
  if (itemId === undefined) return;
  // Start the timer before planning the block: on a slow machine the block may start the timer first.
  await write('svc_time', { action: 'start', itemId });
  const next = Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS;
  const span = { startLocal: local(next), endLocal: local(next + 3 * MINUTE_MS), timezone: 'UTC' };
  await write('svc_plan_block', { action: 'create', itemId, ...span, autoStart: true, autoStop: true });
  await readForecast(stage, town);
  const words =
    how === 'remove'
      ? ['member', 'remove', '--workspace', String(workspaceId), '--user', String(userId)]
      : ['user', 'deactivate', '--user', String(userId)];
  while (performance.now() < stage.givesUpAt) {
    const { code, stderr } = await stintHere(postgres.url, words);
    // An attempt without an answer may have committed.
    if (code === 0 || /is not a member/.test(stderr)) return;
    await sleep(random.between(100, 500));
  }
}

/** Running and planned work of people who left, and people who should have left but did not. */
export async function faultsOfLeavers(postgres: Postgres, leavers: readonly Leaver[]): Promise<string[]> {
  const rows = await postgres.rows(
    `select 'timer ' || e.id as what from time_entries e where e.user_id = any($1) and e.minutes is null
     union all select 'block ' || b.id || ' is ' || b.state from plan_blocks b where b.user_id = any($1) and b.state in ('scheduled', 'running')
     union all select 'user ' || u.id || ' has not left' from users u join memberships m on m.user_id = u.id where u.id = any($1) and u.active`,
    [leavers.map(({ userId }) => userId)],
  );
  return rows.map(({ what }) => what);
}

async function readForecast({ crew, calls }: Stage, { workspaceId, restKey }: Town): Promise<Json | null> {
  const [life] = crew.listening();
  const answer = life && (await calls.get(life, `/api/v1/capacity?workspaceId=${workspaceId}`, { 'X-API-Key': restKey }));
  return answer?.status === 200 ? answer.body : null;
}

/** Forecast hours of people who left (behaviour §6.29), after it has had time to be recomputed. */
export async function forecastHoursOfLeavers(stage: Stage, town: Town): Promise<string[]> {
  const gone = new Set(town.leavers.map(({ userId }) => userId));
  for (const end = performance.now() + COMPUTED_MS; ; await sleep(500)) {
    const forecast = await readForecast(stage, town);
    const counted = (forecast?.people ?? [])
      .filter(({ id, weeks }: Json) => gone.has(id) && weeks.some(({ allocatedHours }: Json) => allocatedHours > 0))
      .map(({ id }: Json) => `user ${id}`);
    if (forecast && counted.length === 0) return [];
    if (performance.now() > end) return forecast ? counted : ['there is no forecast'];
  }
}
