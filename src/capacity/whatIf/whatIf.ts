/** The forecast with other values for tasks or hours (behaviour §24.4), computed during the request and not stored. */
import { z } from 'zod';
import type { Caller } from '../../access/caller.ts';
import type { Tx } from '../../database/db.ts';
import type { Read } from '../../operations/operation.ts';
import { CalendarDate } from '../../values/dates.ts';
import { Id, isId } from '../../values/text.ts';
import { keepUpToDate } from '../snapshots/pageForecast.ts';
import { Changes } from './changes.ts';
import { WhatIfValues } from './differing.ts';
import { scopeComputer } from './scopeComputer.ts';
import { readScope } from './scopeQueries.ts';
import type { Tried, Wanted } from './tried.ts';

/** `projectId`: the project whose tasks the caller wants, 0 for tasks without one. */
const ScopeInput = z.strictObject({
  workspaceId: Id,
  from: CalendarDate.optional(),
  projectId: z.number().int().min(0).optional(),
});
type ScopeInput = z.infer<typeof ScopeInput>;
const Input = ScopeInput.extend(Changes.shape);
const FormInput = ScopeInput.extend(WhatIfValues);

export interface WhatIfResult extends Tried {
  mayWrite: boolean;
  mayChangeHours: boolean;
  /** What-if counts only this workspace. */
  workspaceName: string | null;
  /** Dates by project that pages show, which count all work. */
  datesOnPages: ReadonlyMap<number, string | null>;
}

export const tryWhatIf: Read<z.infer<typeof Input>, WhatIfResult> = {
  name: 'tryWhatIf',
  input: Input,
  run: (tx, caller, { workspaceId, from, projectId, ...changes }) => tried(tx, caller, { workspaceId, from, projectId }, { changes }),
};

/** Like `tryWhatIf`, for a form with all fields: tries only the changed ones and returns them. */
export const tryForm: Read<z.infer<typeof FormInput>, WhatIfResult> = {
  name: 'tryForm',
  input: FormInput,
  run: (tx, caller, { workspaceId, from, projectId, ...form }) => tried(tx, caller, { workspaceId, from, projectId }, { form }),
};

async function tried(tx: Tx, caller: Caller, { projectId, ...scope }: ScopeInput, given: Wanted['given']): Promise<WhatIfResult> {
  const { blockers } = 'form' in given ? given.form : given.changes;
  // Containers may be tried as blockers even if they have no tasks.
  const containerIds = [...new Set(blockers.flatMap(({ blockedBy }) => blockedBy.filter((id) => id !== null).filter(isId)))].slice(
    0,
    MOST_BLOCKERS,
  );
  const { userId, rows, writableIds, mayChangeHours, onPages } = await readScope(tx, caller, { ...scope, containerIds });
  const { workspaceId } = scope;
  const answer = await scopeComputer.tryOn(userId, { workspaceId, rows }, { given, projectId: projectId ?? null });
  keepUpToDate(tx, onPages.forecast);
  const datesOnPages = new Map(Object.entries(onPages.dates).map(([id, date]) => [Number(id), date]));
  return { ...answer, mayWrite: writableIds.includes(workspaceId), mayChangeHours, workspaceName: onPages.name, datesOnPages };
}

const MOST_BLOCKERS = 5_000;
