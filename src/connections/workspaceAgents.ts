/** Sending an agent away from a workspace, for those who run it (behaviour §3.22). */
import { z } from 'zod';
import { type AccountPermit, runsWorkspace } from '../access/accountAccessQueries.ts';
import type { TransactionWrite } from '../operations/operation.ts';
import { Id } from '../values/text.ts';
import { disconnectAgent } from './adminQueries.ts';

export type { AgentLine } from './workspaceAgentsQueries.ts';

const Agent = z.strictObject({ workspaceId: Id, connectionId: Id });

/** At once, and its own person can't undo it. */
export const disconnect: TransactionWrite<z.infer<typeof Agent>, AccountPermit, void> = {
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
