/** Recurring tasks: days pass and tasks are closed while everything breaks. Each date of a series gets exactly one task (behaviour
 *  §37.13). */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ImportInput } from '../../src/import/schema.ts';
import type { Postgres } from './postgres.ts';
import type { Random } from './random.ts';
import type { Once } from './report.ts';
import type { Stage } from './tool.ts';

const DAILY = 8;
const CLOSED = 4;

type Workspace = NonNullable<ImportInput['accounts'][number]['workspaces']>[number];

export const recurringRefs = Array.from({ length: DAILY + CLOSED }, (_, n) => `recurring${n}`);

/** Tasks due yesterday with a series each. */
export function recurringWork(user: string): Pick<Workspace, 'items' | 'series'> {
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  return {
    items: recurringRefs.map((ref) => ({ ref, type: 'task', title: ref, fields: { dueDate: yesterday } })),
    series: recurringRefs.map((item, n) => ({
      ...{ item, user, rule: 'FREQ=DAILY', startsOn: yesterday, lastOn: yesterday },
      mode: n < DAILY ? ('day' as const) : ('closed' as const),
    })),
  };
}

/** Moves a series that is made on its day one day into the past, as if a day had passed, and lets the schedule look. Two steps, because the
 *  key holds in each. */
const PASS_A_DAY = `do $$ declare chosen bigint; begin
  select id into chosen from recurrences where mode = 'day' and state = 'active' and last_on = (now() at time zone 'UTC')::date
    order by random() limit 1 for update skip locked;
  update recurrence_items set occurs_on = occurs_on - 5000 where recurrence_id = chosen;
  update recurrence_items set occurs_on = occurs_on + 4999 where recurrence_id = chosen;
  update recurrences set starts_on = starts_on - 1, last_on = last_on - 1, next_on = next_on - 1,
    due_at = due_at - interval '1 day' where id = chosen;
  perform graphile_worker.add_job('due_recurrences', json_build_object('due',
    to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')));
end $$`;

export async function passDays(postgres: Postgres, random: Random, { endsAt }: Stage): Promise<void> {
  while (performance.now() < endsAt) {
    // PostgreSQL may be down; a lost answer is no harm, because the rows say how many days have passed.
    await postgres.rows(PASS_A_DAY).catch(() => {});
    await sleep(random.between(100, 400));
  }
}

/** Closes the latest tasks of the other series through REST. */
export async function closeLatest(postgres: Postgres, random: Random, stage: Stage, restKey: string): Promise<void> {
  const headers = { 'X-API-Key': restKey };
  const { workspaceId } = stage;
  while (performance.now() < stage.endsAt) {
    await sleep(random.between(100, 400));
    const open = await postgres
      .rows(`select r.item_id as id from recurrences r join items i on i.id = r.item_id where r.mode = 'closed' and i.status = 'planned'`)
      .catch(() => []);
    const [life] = random.shuffled(stage.crew.listening());
    if (!life || open.length === 0) continue;
    const { id } = random.pick(open);
    const item = await stage.calls.send(life, `/api/v1/item?workspaceId=${workspaceId}&id=${id}`, { headers });
    if (item?.status !== 200) continue;
    const { ownerId: _owner, ...record } = item.body;
    await stage.calls.post(life, '/api/v1/items/save', headers, { workspaceId, record: { ...record, status: 'done', fields: {} } });
  }
}

/** A daily series has a task for each date from its first to today; the others one more than were closed. */
export async function readRecurring(postgres: Postgres): Promise<Once> {
  const rows = await postgres.rows(`
    select f.title, r.state, r.mode, r.last_on = (now() at time zone 'UTC')::date as current,
      case r.mode when 'day' then r.last_on - r.starts_on + 1
        else (select count(*) from items i where i.title = f.title and i.status = 'done') + 1 end::integer as expected,
      (select count(*) from items i where i.title = f.title)::integer as tasks,
      (select count(*) from recurrence_items o where o.recurrence_id = r.id)::integer as occurrences
    from recurrences r join lateral (
      select i.title from recurrence_items o join items i on i.id = o.item_id where o.recurrence_id = r.id order by o.occurs_on
      limit 1) f on true`);
  const told = (row: (typeof rows)[number]) =>
    `${row.title} (${row.state}): ${row.tasks} tasks, ${row.occurrences} dates, ${row.expected} expected`;
  const isLost = (row: (typeof rows)[number]) => row.state !== 'active' || row.tasks < row.expected || (row.mode === 'day' && !row.current);
  return {
    expected: rows.reduce((sum, { tasks }) => sum + tasks, 0),
    lost: rows.filter(isLost).map(told),
    doubled: rows.filter(({ tasks, expected, occurrences }) => tasks > expected || tasks > occurrences).map(told),
  };
}
