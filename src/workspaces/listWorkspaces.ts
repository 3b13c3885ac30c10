/** GET /workspaces, behaviour §5.1: the active workspaces of the caller. */
import { z } from 'zod';
import { JsonText } from '../operations/json.ts';
import type { Read } from '../operations/operation.ts';
import { readWorkspaces } from './queries.ts';
import { Workspace } from './schema.ts';

const Input = z.strictObject({});
export const WorkspaceList = z.strictObject({ workspaces: z.array(Workspace) }).meta({ id: 'WorkspaceList' });

export const listWorkspaces: Read<z.infer<typeof Input>, z.infer<typeof WorkspaceList>> = {
  name: 'listWorkspaces',
  input: Input,
  run: async (tx, caller) => new JsonText(`{"workspaces":${await readWorkspaces(tx, caller)}}`),
};
