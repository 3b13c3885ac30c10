/** The agents connected to a workspace, for those who run it: who they are, and sending one away (behaviour §3.22). */
import { z } from 'zod';
import { type AccountPermit, runsWorkspace } from '../access/accountAccessQueries.ts';
import type { Read, TransactionWrite } from '../operations/operation.ts';
import { Id } from '../values/text.ts';
import { disconnectAgent } from './adminQueries.ts';
import { type AgentLine, readAgents } from './workspaceAgentsQueries.ts';

export type { AgentLine } from './workspaceAgentsQueries.ts';

const Workspace = z.strictObject({ workspaceId: Id });

export const listAgents: Read<z.infer<typeof Workspace>, readonly AgentLine[]> = {
  name: 'listAgents',
  input: Workspace,
  run: async (tx, caller, { workspaceId }) => readAgents(tx, await runsWorkspace(tx, caller, workspaceId)),
};

const Agent = Workspace.extend({ connectionId: Id });

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
