/** Who may be given work where an agent just named somebody who may not (behaviour §7.11): as svc_context lists them. */
import { z } from 'zod';
import type { Read } from '../operations/operation.ts';
import { Id } from '../values/text.ts';
import { type Member, readAssignable } from './queries.ts';

/** A workspace, or the item whose workspace is meant. */
const Input = z.strictObject({ workspaceId: Id.optional(), itemId: Id.optional() });

export const assignable: Read<z.infer<typeof Input>, { members: Member[] }> = {
  name: 'assignable',
  input: Input,
  run: async (tx, caller, place) => ({ members: await readAssignable(tx, caller, place) }),
};
