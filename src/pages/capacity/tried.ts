/** What-if values in URLs and forms: `e24=6` gives task 24 an estimate of 6 hours, `b24=20,21` these blockers, `h5=20` gives person 5 20
 *  hours a week; `f5` and `u5` are the first and last day of an absence. Values equal to
 *  the stored ones change nothing. */

import type { Changes } from '../../capacity/whatIf/changes.ts';
import { currentValues, type WhatIfTask, type WhatIfValues } from '../../capacity/whatIf/differing.ts';
import type { WhatIfResult } from '../../capacity/whatIf/whatIf.ts';
import { keysOf, ownValue } from '../../values/records.ts';

/** Fields of a task: estimate, assignee, progress, start, due. */
const fields = {
  e: { name: 'estimatedHours', read: numberOf },
  a: { name: 'assigneeId', read: numberOf },
  p: { name: 'progressPercent', read: numberOf },
  s: { name: 'startDate', read: textOf },
  d: { name: 'dueDate', read: textOf },
} as const;
type Letter = keyof typeof fields;
export const letters = keysOf(fields);

export type Now = WhatIfResult['tasks'][number];

/** Null when empty; NaN when not a number, which the schema refuses. */
function numberOf(text: string): number | null {
  return text.trim() === '' ? null : Number(text.replace(',', '.'));
}
function textOf(text: string): string | null {
  return text.trim() || null;
}

/** `versions`: versions of the tasks when the form was shown. */
export function whatIfValuesIn(params: URLSearchParams): WhatIfValues & { versions: ReadonlyMap<number, number> } {
  const tasks = new Map<number, Record<string, unknown>>();
  const people = new Map<number, number | null>();
  const away = new Map<number, { from: string | null; to: string | null }>();
  const blockers = new Map<number, (number | null)[]>();
  const versions = new Map<number, number>();
  for (const [key, value] of params) {
    const [, letter, digits] = /^([eapsdhvbfu])([1-9]\d{0,15})$/.exec(key) ?? [];
    if (!letter) continue;
    const id = Number(digits);
    if (letter === 'h') people.set(id, numberOf(value));
    else if (letter === 'v') versions.set(id, Number(value));
    else if (letter === 'b')
      blockers.set(
        id,
        value
          .split(/[\s,#]+/)
          .filter(Boolean)
          .map(numberOf),
      );
    else if (letter === 'f') away.set(id, { to: textOf(value), ...away.get(id), from: textOf(value) });
    else if (letter === 'u') away.set(id, { from: textOf(value), ...away.get(id), to: textOf(value) });
    else {
      const field = ownValue(fields, letter);
      if (field) tasks.set(id, { ...tasks.get(id), [field.name]: field.read(value) });
    }
  }
  return {
    tasks: [...tasks].map(([id, change]): WhatIfTask => ({ id, ...change })),
    people: [...people].map(([id, weeklyHours]) => ({ id, weeklyHours })),
    away: [...away].map(([id, { from, to }]) => ({ id, from, to })),
    blockers: [...blockers].map(([id, blockedBy]) => ({ id, blockedBy })),
    versions,
  };
}

export const currentValueOf = (task: Now, letter: Letter): string | number | null => currentValues(task)[fields[letter].name];

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
