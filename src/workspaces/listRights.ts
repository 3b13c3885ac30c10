import { z } from 'zod';
import type { Read } from '../operations/operation.ts';
import { readRights, type WorkspaceRights } from './membershipQueries.ts';

export type { WorkspaceRights } from './membershipQueries.ts';

const Input = z.strictObject({});

export const listRights: Read<z.infer<typeof Input>, readonly WorkspaceRights[]> = {
  name: 'listRights',
  input: Input,
  run: (tx, caller) => readRights(tx, caller),
};
