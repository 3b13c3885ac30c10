/** Whether ids that an agent was refused name an open goal that it is shown as an objective in svc_context (behaviour §7.35). */
import { z } from 'zod';
import type { Read } from '../operations/operation.ts';
import { Id } from '../values/text.ts';
import { findObjective } from './queries.ts';

const Input = z.strictObject({ ids: z.array(Id) });

export const isObjective: Read<z.infer<typeof Input>, { objective: number | null }> = {
  name: 'isObjective',
  input: Input,
  run: async (tx, caller, { ids }) => ({ objective: await findObjective(tx, caller, ids) }),
};
