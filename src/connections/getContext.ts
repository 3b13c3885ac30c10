/** svc_context: the agent's workspaces and rights (behaviour §7.21, §7.34). */
import { z } from 'zod';
import { type AgentLevels, agentLevels, agentResources, bits, itemTypes, levels, resourceOf } from '../access/rights.ts';
import type { Read } from '../operations/operation.ts';
import { Forbidden } from '../values/errors.ts';
import { Id, Uuid } from '../values/text.ts';
import {
  type PriorityOption,
  priorityDifference,
  type StatusOption,
  startingPriorities,
  startingStatuses,
  statusDifference,
} from '../workspaces/startingWorkflow.ts';
import { personalNoteRightsOf } from './personalNoteRights.ts';
import { findObjective, type ReachableWorkspace, readContext } from './queries.ts';

/** Above this number, workspaces only have id, name and access. */
const MOST_IN_DETAIL = 5;

const GetContextInput = z.strictObject({
  workspaceId: Id.optional().meta({ description: 'Default: all your workspaces; more than five only with id, name and access' }),
  requestId: Uuid.optional().meta({
    description: 'A write whose answer was lost: request in the answer says if it took effect',
  }),
});

export const getContext: Read<z.infer<typeof GetContextInput>, object> = {
  name: 'getContext',
  input: GetContextInput,
  async run(tx, caller, { workspaceId }) {
    const found = await readContext(tx, caller, workspaceId, MOST_IN_DETAIL);
    if (workspaceId !== undefined && !found.workspaces.length) throw new Forbidden();
    return {
      actor: { id: found.user_id, name: found.user_name, kind: found.kind },
      connection: {
        id: found.connection_id,
        name: found.name,
        timezone: found.timezone,
        expiresAt: found.expires_at,
        plainLanguage: found.plain_language,
        permissions: agentLevels(found.rights),
      },
      today: found.today,
      personalNotesEnabled: found.note_rights !== 0,
      ...unlessEmpty({ personalNotes: personalNoteRightsOf(found.note_rights) }),
      canApprove: false,
      approval: "People approve on the item's page: /workspaces/{workspaceId}/items/{id}",
      defaults: { statuses: startingStatuses.map(statusTold), priorities: startingPriorities.map(priorityTold) },
      workspaces: found.workspaces.map(workspaceEntry),
    };
  },
};

function workspaceEntry({ id, name, access, details }: ReachableWorkspace): object {
  const short = { id, name, access: agentLevels(access) };
  if (!details) return short;
  const { limits, unlimited, statuses, priorities, labels, uuid, sample, ...rest } = details;
  const readable = itemTypes.filter((type) => access & bits(resourceOf(type), 'read'));
  const [ofStatuses, ofPriorities] = [statusDifference(statuses, readable), priorityDifference(priorities)];
  return {
    ...short,
    uuid,
    sample,
    ...unlessEmpty({ limits: binding(agentLevels(limits), agentLevels(unlimited)) }),
    ...unlessEmpty({ statuses: ofStatuses.own.map(statusTold), priorities: ofPriorities.own.map(priorityTold) }),
    ...unlessEmpty({ lacks: unlessEmpty({ statuses: ofStatuses.lacking, priorities: ofPriorities.lacking }) }),
    ...unlessEmpty({ labels }),
    ...rest,
  };
}

/** Omits defaults: a status equal to its key, all types, and open. */
function statusTold({ key, label, status, types, closed, approval }: StatusOption): object {
  const everyType = types.length === itemTypes.length;
  return {
    key,
    label,
    ...(status === key ? {} : { status }),
    ...(everyType ? {} : { types }),
    ...(closed ? { closed } : {}),
    ...(approval ? { approval } : {}),
  };
}

const priorityTold = ({ key, label, rank, default: isDefault }: PriorityOption) => ({
  key,
  label,
  rank,
  ...(isDefault ? { default: true } : {}),
});

/** Workspace limits that are lower than the rights of connection and user. */
function binding(limits: AgentLevels, without: AgentLevels): Partial<AgentLevels> {
  return Object.fromEntries(
    agentResources.filter((name) => levels.indexOf(limits[name]) < levels.indexOf(without[name])).map((name) => [name, limits[name]]),
  );
}

const unlessEmpty = (given: Record<string, object>) =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => Object.keys(value).length > 0));

/** Finds an open goal among ids that an agent was refused: svc_context shows it as an objective (behaviour §7.35). */
const IsObjectiveInput = z.strictObject({ ids: z.array(Id) });

export const isObjective: Read<z.infer<typeof IsObjectiveInput>, { objective: number | null }> = {
  name: 'isObjective',
  input: IsObjectiveInput,
  run: async (tx, caller, { ids }) => ({ objective: await findObjective(tx, caller, ids) }),
};
