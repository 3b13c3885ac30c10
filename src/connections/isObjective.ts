/** Finds an open goal among ids that an agent was refused: svc_context shows it as an objective (behaviour §7.35). */
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
