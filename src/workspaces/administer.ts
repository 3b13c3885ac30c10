/** Management of a workspace: its name, members, agent limits and archive (behaviour §3.18). */
import { z } from 'zod';
import { type AccountPermit, inAccount, runsWorkspace } from '../access/accountAccessQueries.ts';
import type { Caller } from '../access/caller.ts';
import { agentResources, levels, resources } from '../access/rights.ts';
import type { Subject } from '../audit/line.ts';
import type { Tx } from '../database/db.ts';
import type { Write } from '../operations/operation.ts';
import { Conflict, Forbidden } from '../values/errors.ts';
import { Id, Label } from '../values/text.ts';
import { insertWorkspace, rename, setArchived, setForecasts, setMcp, setToBeErased } from './adminQueries.ts';
import { lockOwners, setMember } from './queries.ts';
import { forecastReaders } from './schema.ts';
import { memberRoles } from './statuses.ts';

export type { MemberLine, Members, PriorityLine, StatusLine, Words } from './settingsQueries.ts';

const byRunner = (tx: Tx, caller: Caller, { workspaceId }: { workspaceId: number }) => runsWorkspace(tx, caller, workspaceId);

const aboutWorkspace = (_permit: unknown, { workspaceId }: { workspaceId: number }): Subject => ({ type: 'workspace', id: workspaceId });
const aboutMember = (_permit: unknown, { workspaceId, userId }: { workspaceId: number; userId: number }): Subject => ({
  type: 'member',
  id: userId,
  workspaceId,
});

const One = z.strictObject({ workspaceId: Id });

const NewWorkspace = z.strictObject({ name: Label(200) });

export const createWorkspace: Write<z.infer<typeof NewWorkspace>, { id: number }, AccountPermit> = {
  name: 'createWorkspace',
  input: NewWorkspace,
  authorize: (tx, caller) => inAccount(tx, caller, ['owner', 'admin']),
  audit: [
    { kind: 'workspace.made', made: (_permit, _input, { id }) => ({ type: 'workspace', id }) },
    { kind: 'member.put', made: ({ userId }, _input, { id }) => ({ type: 'member', id: userId, workspaceId: id }) },
  ],
  async run(tx, { accountId, userId }, { name }) {
    const id = await insertWorkspace(tx, { accountId }, accountId, name);
    await setMember(tx, { accountId }, { workspaceId: id, userId, role: 'owner' });
    return { id };
  },
};

const Renaming = One.extend({ name: Label(200) });

export const renameWorkspace: Write<z.infer<typeof Renaming>, void, AccountPermit> = {
  name: 'renameWorkspace',
  input: Renaming,
  authorize: byRunner,
  audit: [{ kind: 'workspace.renamed', about: aboutWorkspace }],
  run: (tx, { accountId }, { workspaceId, name }) => rename(tx, { accountId }, workspaceId, name),
};

const Forecasts = One.extend({ forecasts: z.enum(forecastReaders) });

export const changeForecasts: Write<z.infer<typeof Forecasts>, void, AccountPermit> = {
  name: 'changeForecasts',
  input: Forecasts,
  authorize: byRunner,
  audit: [{ kind: 'workspace.forecasts', about: aboutWorkspace }],
  run: (tx, { accountId }, { workspaceId, forecasts }) => setForecasts(tx, { accountId }, workspaceId, forecasts),
};

const Archiving = One.extend({ archived: z.boolean() });

export const archiveWorkspace: Write<z.infer<typeof Archiving>, void, AccountPermit> = {
  name: 'archiveWorkspace',
  input: Archiving,
  authorize: byRunner,
  audit: [{ kind: 'workspace.archived', about: aboutWorkspace }],
  run: (tx, { accountId }, { workspaceId, archived }) => setArchived(tx, { accountId }, workspaceId, archived),
};

export const eraseWorkspace: Write<z.infer<typeof One>, void, AccountPermit> = {
  name: 'eraseWorkspace',
  input: One,
  authorize: byRunner,
  audit: [{ kind: 'workspace.erased', about: aboutWorkspace, event: true }],
  async run(tx, { accountId }, { workspaceId }) {
    await setToBeErased(tx, { accountId }, workspaceId);
  },
};

const Mcp = One.extend({ enabled: z.boolean(), limits: z.record(z.enum(agentResources), z.enum(levels)) });

export const changeMcp: Write<z.infer<typeof Mcp>, void, AccountPermit> = {
  name: 'changeMcp',
  input: Mcp,
  authorize: byRunner,
  audit: [{ kind: 'workspace.limits', about: aboutWorkspace }],
  async run(tx, { accountId }, { workspaceId, ...change }) {
    await setMcp(tx, { accountId }, workspaceId, change);
  },
};

const Membership = One.extend({
  userId: Id,
  role: z.enum(memberRoles),
  /** Limits below the role. Omitted resources keep the role's level. */
  access: z.partialRecord(z.enum(resources), z.enum(levels)),
  /** null: as the role has it. */
  timeOversight: z.boolean().nullable(),
});

export const putMember: Write<z.infer<typeof Membership>, void, AccountPermit> = {
  name: 'putMember',
  input: Membership,
  authorize: byRunner,
  audit: [{ kind: 'member.put', about: aboutMember }],
  async run(tx, permit, { access, ...member }) {
    const asRole = Object.fromEntries(resources.map((resource) => [resource, 'delete'] as const));
    await requireOtherOwner(tx, permit, () => setMember(tx, permit, { ...member, access: { ...asRole, ...access } }));
  },
};

/** Throws Conflict if the change would remove the last owner, and Forbidden if the caller has lost the right to make it. */
export async function requireOtherOwner(tx: Tx, permit: AccountPermit, change: () => Promise<unknown>): Promise<void> {
  const before = await lockOwners(tx, permit.workspaceId);
  // Checked again under the lock, so that two owners can't remove each other.
  if (permit.accountRole === 'member' && !before.includes(permit.userId)) throw new Forbidden();
  await change();
  const after = await lockOwners(tx, permit.workspaceId);
  if (before.length && !after.length) throw new Conflict('A workspace needs an active owner. Make another user an owner first.');
}
