import { z } from 'zod';
import { CalendarDate } from '../../values/dates.ts';
import { isId } from '../../values/text.ts';

export const ScopeInput = z.strictObject({
  workspaceId: z
    .number({ error: 'give the id of a workspace, or 0 for all' })
    .refine((id) => id === 0 || isId(id), 'give the id of a workspace, or 0 for all')
    .default(0)
    .meta({ type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'A workspace, or 0: all that you may oversee.' }),
  from: CalendarDate.refine((date) => date >= '1900' && date < '3000', 'give a date from 1900-01-01 to 2999-12-31')
    .optional()
    .meta({ format: 'date', description: 'Any day of the first of the eight weeks, from 1900-01-01 to 2999-12-31; today when left out.' }),
});
