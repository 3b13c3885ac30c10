/** Disconnects an agent from a workspace, for its administrators (behaviour §3.22). */
import { z } from 'zod';
import { type AccountPermit, runsWorkspace } from '../access/accountAccessQueries.ts';
import type { Write } from '../operations/operation.ts';
import { Id } from '../values/text.ts';
import { disconnectAgent } from './adminQueries.ts';

export type { AgentLine } from './pageQueries.ts';

const Agent = z.strictObject({ workspaceId: Id, connectionId: Id });

/** Takes effect immediately. The agent's user can't undo it. */
export const disconnect: Write<z.infer<typeof Agent>, void, AccountPermit> = {
  name: 'disconnect',
  input: Agent,
  authorize: (tx, caller, { workspaceId }) => runsWorkspace(tx, caller, workspaceId),
  audit: [
    {
      kind: 'connection.disconnected',
      about: (_permit, { workspaceId, connectionId }) => ({ type: 'connection', id: connectionId, workspaceId }),
    },
  ],
  run: (tx, { accountId }, { workspaceId, connectionId }) => disconnectAgent(tx, { accountId }, connectionId, workspaceId),
};
