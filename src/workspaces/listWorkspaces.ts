/** GET /workspaces, behaviour §5.1: the active workspaces of the caller. */
import { z } from 'zod';
import { JsonText } from '../operations/json.ts';
import type { Read } from '../operations/operation.ts';
import { Id } from '../values/text.ts';
import { readMembership, readOptions, readRights, readWorkspaces, type WorkspaceMembership, type WorkspaceRights } from './queries.ts';
import { type Options, Workspace } from './schema.ts';

const ListWorkspacesInput = z.strictObject({});
export const WorkspaceList = z.strictObject({ workspaces: z.array(Workspace) }).meta({ id: 'WorkspaceList' });

export const listWorkspaces: Read<z.infer<typeof ListWorkspacesInput>, z.infer<typeof WorkspaceList>> = {
  name: 'listWorkspaces',
  input: ListWorkspacesInput,
  run: async (tx, caller) => new JsonText(`{"workspaces":${await readWorkspaces(tx, caller)}}`),
};

export type { WorkspaceMembership } from './queries.ts';

const GetMembershipInput = z.strictObject({ workspaceId: Id });

export const getMembership: Read<z.infer<typeof GetMembershipInput>, WorkspaceMembership> = {
  name: 'getMembership',
  input: GetMembershipInput,
  run: (tx, caller, { workspaceId }) => readMembership(tx, caller, workspaceId),
};

/** GET /options, behaviour §5.18: the statuses, priorities and assignees of a workspace that the caller can read. */
const GetOptionsInput = z.strictObject({ workspaceId: Id.meta({ description: 'A workspace from GET /workspaces.' }) });

export const getOptions: Read<z.infer<typeof GetOptionsInput>, Options> = {
  name: 'getOptions',
  input: GetOptionsInput,
  run: async (tx, caller, { workspaceId }) => new JsonText(await readOptions(tx, caller, workspaceId)),
};

export type { WorkspaceRights } from './queries.ts';

const ListRightsInput = z.strictObject({});

export const listRights: Read<z.infer<typeof ListRightsInput>, readonly WorkspaceRights[]> = {
  name: 'listRights',
  input: ListRightsInput,
  run: (tx, caller) => readRights(tx, caller),
};
