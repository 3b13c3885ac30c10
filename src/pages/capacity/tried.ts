/** What is tried, as it stands in an address or a form: `e24=6` is task 24 with an estimate of 6 hours, `h5=20` person 5 with 20 hours a week.
 *  What is as it is now is no change, so that a form may send every field. */
import type { Tried, TriedTask } from '../../capacity/whatIf/whatIf.ts';

/** Of a task: estimate, assignee, progress, start, due. */
const fields = {
  e: { name: 'estimatedHours', read: numberOf },
  a: { name: 'assigneeId', read: numberOf },
  p: { name: 'progressPercent', read: numberOf },
  s: { name: 'startDate', read: textOf },
  d: { name: 'dueDate', read: textOf },
} as const;
type Letter = keyof typeof fields;
export const letters = Object.keys(fields) as Letter[];

export type Now = Tried['tasks'][number];

/** Null when empty; NaN when it is no number, which the schema refuses. */
function numberOf(text: string): number | null {
  return text.trim() === '' ? null : Number(text.replace(',', '.'));
}
function textOf(text: string): string | null {
  return text.trim() || null;
}

export interface Asked {
  tasks: TriedTask[];
  people: { id: number; weeklyHours: number | null }[];
  /** By task, as the form knew it. */
  versions: ReadonlyMap<number, number>;
}

export function askedIn(params: URLSearchParams): Asked {
  const tasks = new Map<number, Record<string, unknown>>();
  const people = new Map<number, number | null>();
  const versions = new Map<number, number>();
  for (const [key, value] of params) {
    const [, letter, digits] = /^([eapsdhv])([1-9]\d{0,15})$/.exec(key) ?? [];
    if (!letter) continue;
    const id = Number(digits);
    if (letter === 'h') people.set(id, numberOf(value));
    else if (letter === 'v') versions.set(id, Number(value));
    else {
      const { name, read } = fields[letter as Letter];
      tasks.set(id, { ...tasks.get(id), [name]: read(value) });
    }
  }
  return {
    tasks: [...tasks].map(([id, change]) => ({ id, ...change })),
    people: [...people].map(([id, weeklyHours]) => ({ id, weeklyHours })),
    versions,
  };
}

const day = (days: number | null): string | null => (days === null ? null : new Date(days * 86_400_000).toISOString().slice(0, 10));

/** A task's value as the form shows it. */
export function shownValue(task: Now, letter: Letter): string | number | null {
  if (letter === 's') return day(task.startDay);
  if (letter === 'd') return day(task.dueDay);
  return task[fields[letter].name as 'estimatedHours' | 'assigneeId' | 'progressPercent'];
}

/** Only what differs from how things are. */
export function differing(
  { tasks, people }: Asked,
  now: readonly Now[],
  hours: ReadonlyMap<number, number | null>,
): Pick<Asked, 'tasks' | 'people'> {
  const known = new Map(now.map((task) => [task.id, task]));
  const changed = tasks.flatMap(({ id, ...change }) => {
    const task = known.get(id);
    if (!task) return [];
    const left = letters
      .map((letter) => [fields[letter].name, shownValue(task, letter)] as const)
      .filter(([name, value]) => change[name] !== undefined && change[name] !== value)
      .map(([name]) => [name, change[name]]);
    return left.length > 0 ? [{ id, ...Object.fromEntries(left) } as TriedTask] : [];
  });
  return { tasks: changed, people: people.filter(({ id, weeklyHours }) => hours.has(id) && hours.get(id) !== weeklyHours) };
}

/** As fields of a form or of an address. */
export function paramsOf(
  { tasks, people }: Pick<Asked, 'tasks' | 'people'>,
  versions: ReadonlyMap<number, number>,
): Record<string, string> {
  const params: Record<string, string> = {};
  for (const task of tasks) {
    for (const letter of letters) {
      const value = task[fields[letter].name];
      if (value !== undefined) params[`${letter}${task.id}`] = String(value ?? '');
    }
    params[`v${task.id}`] = String(versions.get(task.id) ?? 0);
  }
  for (const { id, weeklyHours } of people) params[`h${id}`] = String(weeklyHours ?? '');
  return params;
}
