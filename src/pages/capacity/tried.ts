/** What is tried, as it stands in an address or a form: `e24=6` is task 24 with an estimate of 6 hours, `h5=20` person 5 with 20 hours a week.
 *  What is as it is now is no change, so that a form may send every field. */
import { type Asked, type AskedTask, standing } from '../../capacity/whatIf/differing.ts';
import type { Changes, Tried } from '../../capacity/whatIf/whatIf.ts';

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

/** `versions`: by task, as the form knew it. */
export function askedIn(params: URLSearchParams): Asked & { versions: ReadonlyMap<number, number> } {
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
    tasks: [...tasks].map(([id, change]): AskedTask => ({ id, ...change })),
    people: [...people].map(([id, weeklyHours]) => ({ id, weeklyHours })),
    versions,
  };
}

/** A task's value as the form shows it. */
export const shownValue = (task: Now, letter: Letter): string | number | null => standing(task)[fields[letter].name];

/** As fields of a form or of an address. */
export function paramsOf({ tasks, people }: Changes, versions: ReadonlyMap<number, number>): Record<string, string> {
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
