/** The user's workspaces with their open work, and those that the user manages without being a member (behaviour §18.8). */
import { z } from 'zod';
import type { Read } from '../operations/operation.ts';
import { Forbidden } from '../values/errors.ts';
import { type MyWorkspaces, readMyWorkspaces } from './myWorkspacesQueries.ts';

export type { MyWorkspaces, OwnWorkspace, RunWorkspace } from './myWorkspacesQueries.ts';

const Nothing = z.strictObject({});

export const myWorkspaces: Read<z.infer<typeof Nothing>, MyWorkspaces> = {
  name: 'myWorkspaces',
  input: Nothing,
  async run(tx, caller) {
    if (caller.kind === 'key' || caller.kind === 'agent') throw new Forbidden();
    return readMyWorkspaces(tx, caller);
  },
};
