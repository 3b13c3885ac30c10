import { z } from 'zod';
import type { Read } from '../operations/operation.ts';
import { Id } from '../values/text.ts';
import { readMembership, type WorkspaceMembership } from './membershipQueries.ts';

export type { WorkspaceMembership } from './membershipQueries.ts';

const Input = z.strictObject({ workspaceId: Id });

export const getMembership: Read<z.infer<typeof Input>, WorkspaceMembership> = {
  name: 'getMembership',
  input: Input,
  run: (tx, caller, { workspaceId }) => readMembership(tx, caller, workspaceId),
};
