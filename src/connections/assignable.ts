/** The assignable members, for the error when an agent names another user (behaviour §7.11). The same list as in svc_context. */
import { z } from 'zod';
import type { Read } from '../operations/operation.ts';
import { Id } from '../values/text.ts';
import { type Member, readAssignable } from './queries.ts';

const Input = z.strictObject({ workspaceId: Id.optional(), itemId: Id.optional() });

export const assignable: Read<z.infer<typeof Input>, { members: Member[] }> = {
  name: 'assignable',
  input: Input,
  run: async (tx, caller, place) => ({ members: await readAssignable(tx, caller, place) }),
};
