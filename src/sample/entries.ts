/** Builders for entries of the sample file. Days are working days from today: -3 is three working days ago. */

import type { ImportInput } from '../import/schema.ts';
import { addDays, weekday } from '../values/dates.ts';

export type Account = ImportInput['accounts'][number];
export type Workspace = NonNullable<Account['workspaces']>[number];
export type Item = NonNullable<Workspace['items']>[number];
type Fields = NonNullable<Item['fields']>;

/** The date `days` working days (Monday to Friday) after `today`, or before it if negative. 0 on a weekend is the next Monday. */
export function workday(today: string, days: number): string {
  const step = days < 0 ? -1 : 1;
  let date = today;
  while (weekday(date) > 4) date = addDays(date, 1);
  for (let left = Math.abs(days); left > 0; ) {
    date = addDays(date, step);
    if (weekday(date) <= 4) left--;
  }
  return date;
}

export interface Facts {
  by?: string;
  owner?: string;
  status?: Item['status'];
  description?: string;
  archived?: boolean;
  start?: number;
  due?: number;
  target?: number;
  actual?: number;
  hours?: number;
  progress?: number;
  priority?: string;
  under?: string;
  requirement?: string;
  release?: string;
  goal?: string;
  more?: Omit<Fields, 'assigneeId'>;
}

const linked = (ref: string | undefined) => (ref === undefined ? undefined : { ref });

export function itemsOf(today: string) {
  const day = (days: number | undefined) => (days === undefined ? undefined : workday(today, days));
  const item = (type: Item['type'], ref: string, title: string, facts: Facts): Item => ({
    ref,
    type,
    title,
    description: facts.description ?? '',
    status: facts.status ?? 'planned',
    archived: facts.archived ?? false,
    ...(facts.owner === undefined ? {} : { ownerId: { ref: facts.owner } }),
    fields: {
      assigneeId: linked(facts.by),
      startDate: day(facts.start),
      dueDate: day(facts.due),
      targetDate: day(facts.target),
      actualDate: day(facts.actual),
      estimatedHours: facts.hours,
      progressPercent: facts.progress,
      priorityKey: facts.priority,
      [type === 'task' ? 'parentItemId' : 'parentId']: linked(facts.under),
      requirementId: linked(facts.requirement),
      releaseId: linked(facts.release),
      goalId: linked(facts.goal),
      ...facts.more,
    },
  });
  const of = (type: Item['type']) => (ref: string, title: string, facts: Facts) => item(type, ref, title, facts);
  return { task: of('task'), requirement: of('requirement'), goal: of('goal'), release: of('release'), milestone: of('milestone') };
}
