/** People who leave in the middle of it: nothing of theirs may run afterwards (behaviour §9.15). */
import { setTimeout as sleep } from 'node:timers/promises';
import { stintHere } from '../support/cli.ts';
import type { Postgres } from './postgres.ts';
import type { Random } from './random.ts';
import { type Stage, writeOnce } from './tool.ts';
import type { Town } from './town.ts';

export type Leaver = Town['leavers'][number];

const MINUTE_MS = 60_000;
const local = (ms: number) => new Date(ms).toISOString().slice(0, 16);

/** Starts a timer, plans a block that would start by itself at the next minute, and is removed or deactivated at the command line. */
export async function leave(
  stage: Stage,
  random: Random,
  {
    postgres,
    workspaceId,
    leaver: { key, userId },
    how,
  }: { postgres: Postgres; workspaceId: number; leaver: Leaver; how: 'remove' | 'deactivate' },
): Promise<void> {
  const write = (name: string, args: object) => writeOnce(stage, random, key, name, args);
  const made = await write('svc_create_items', { workspaceId, items: [{ type: 'task', title: 'Work of somebody who leaves' }] });
  const itemId = made?.items?.[0].id;
  if (itemId === undefined) return;
  const next = Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS;
  const span = { startLocal: local(next), endLocal: local(next + 3 * MINUTE_MS), timezone: 'UTC' };
  await write('svc_plan_block', { action: 'create', itemId, ...span, autoStart: true, autoStop: true });
  await write('svc_time', { action: 'start', itemId });
  const words =
    how === 'remove'
      ? ['member', 'remove', '--workspace', String(workspaceId), '--user', String(userId)]
      : ['user', 'deactivate', '--user', String(userId)];
  while (performance.now() < stage.givesUpAt) {
    const { code, stderr } = await stintHere(postgres.url, words);
    // An attempt whose answer was lost may have been committed.
    if (code === 0 || /is not a member/.test(stderr)) return;
    await sleep(random.between(100, 500));
  }
}

/** What still runs, or will, of people who are gone; and people who are not gone. */
export async function leftBehind(postgres: Postgres, leavers: readonly Leaver[]): Promise<string[]> {
  const rows = await postgres.rows(
    `select 'timer ' || e.id as what from time_entries e where e.user_id = any($1) and e.minutes is null
     union all select 'block ' || b.id || ' is ' || b.state from plan_blocks b where b.user_id = any($1) and b.state in ('scheduled', 'running')
     union all select 'user ' || u.id || ' has not left' from users u join memberships m on m.user_id = u.id where u.id = any($1) and u.active`,
    [leavers.map(({ userId }) => userId)],
  );
  return rows.map(({ what }) => what);
}
