/** Recurring tasks: days pass while everything breaks. Each date of a series gets exactly one task (behaviour §37.13). */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ImportInput } from '../../src/import/schema.ts';
import type { Postgres } from './postgres.ts';
import type { Random } from './random.ts';
import { type Once, onceOf } from './report.ts';
import type { Stage } from './tool.ts';

const SERIES = 8;

type Workspace = NonNullable<ImportInput['accounts'][number]['workspaces']>[number];

export const recurringRefs = Array.from({ length: SERIES }, (_, n) => `recurring${n}`);

/** Tasks due yesterday with a series each. */
export function recurringWork(user: string): Pick<Workspace, 'items' | 'series'> {
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  return {
    items: recurringRefs.map((ref) => ({ ref, type: 'task', title: ref, fields: { dueDate: yesterday } })),
    series: recurringRefs.map((item) => ({ item, user, rule: 'FREQ=DAILY', startsOn: yesterday, lastOn: yesterday, mode: 'day' })),
  };
}

/** Moves a series one day into the past, as if a day had passed, and lets the schedule look. Two steps, because the
 *  key holds in each. */
const PASS_A_DAY = `do $$ declare chosen bigint; begin
  select id into chosen from recurrences where state = 'active' and last_on = (now() at time zone 'UTC')::date
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

/** Series without exactly one task for each date from their first to today. */
export async function readRecurring(postgres: Postgres): Promise<Once> {
  const rows = await postgres.rows(`
    select format('%s (%s): %s tasks, %s dates, %s expected', title, state, tasks, occurrences, expected) as what,
      case when state <> 'active' or tasks < expected or last_on < (now() at time zone 'UTC')::date then 0
        when tasks > expected or tasks > occurrences then 2 else 1 end as times
    from (select f.title, r.state, r.last_on, r.last_on - r.starts_on + 1 as expected,
        (select count(*) from items i where i.title = f.title) as tasks,
        (select count(*) from recurrence_items o where o.recurrence_id = r.id) as occurrences
      from recurrences r join lateral (
        select i.title from recurrence_items o join items i on i.id = o.item_id where o.recurrence_id = r.id order by o.occurs_on
        limit 1) f on true) series`);
  return onceOf(rows);
}
