/** A user's work before they are deactivated or removed from a workspace, for the confirmation page (behaviour §30.10). */
import { z } from 'zod';
import type { Read } from '../operations/operation.ts';
import { Forbidden } from '../values/errors.ts';
import { Id } from '../values/text.ts';
import { type Leaving, readLeaving } from './leavingQueries.ts';

export type { Leaving } from './leavingQueries.ts';

/** Without a workspace, the user is to be deactivated. */
const Input = z.strictObject({ userId: Id, workspaceId: Id.optional() });

export const getLeaving: Read<z.infer<typeof Input>, Leaving | null> = {
  name: 'getLeaving',
  input: Input,
  async run(tx, caller, { userId, workspaceId }) {
    if (caller.kind === 'key' || caller.kind === 'agent') throw new Forbidden();
    return readLeaving(tx, caller, userId, workspaceId ?? null);
  },
};
