/** How a person manages their own agent connections on /mcp-access (behaviour §3.20). Others can't create keys for them. */
import { z } from 'zod';
import { type AccountPermit, asMember } from '../access/accountAccessQueries.ts';
import { agentResources, levels } from '../access/rights.ts';
import type { Subject } from '../audit/line.ts';
import type { Read, Write } from '../operations/operation.ts';
import { Zone } from '../values/dates.ts';
import { Id, Label } from '../values/text.ts';
import { insertConnection, revokeConnection as revoke, rotateConnection as rotate, setConnection } from './adminQueries.ts';
import { type ConnectableWorkspace, type OwnConnection, readConnectable, readOwnConnections } from './pageQueries.ts';
import { personalNoteRights } from './personalNoteRights.ts';
import { type Member, readAssignable } from './queries.ts';

export type { ConnectableWorkspace, OwnConnection } from './pageQueries.ts';

const aboutConnection = (_permit: unknown, { connectionId }: { connectionId: number }): Subject => ({
  type: 'connection',
  id: connectionId,
});

const Nothing = z.strictObject({});

export const listOwnConnections: Read<z.infer<typeof Nothing>, { connections: OwnConnection[]; connectable: ConnectableWorkspace[] }> = {
  name: 'listOwnConnections',
  input: Nothing,
  async run(tx, caller) {
    const { userId } = await asMember(tx, caller);
    return { connections: await readOwnConnections(tx, userId), connectable: await readConnectable(tx, userId) };
  },
};

const Settings = z.strictObject({
  name: Label(200),
  permissions: z.strictObject(Object.fromEntries(agentResources.map((resource) => [resource, z.enum(levels)]))),
  workspaces: z.array(Id),
  timezone: Zone,
  plainLanguage: z.boolean(),
  notes: z.array(z.enum(personalNoteRights)),
  /** Absent: unchanged. */
  expires: z.iso.datetime({ offset: true }).nullable().optional(),
});

export const createConnection: Write<z.infer<typeof Settings>, { id: number; key: string }, AccountPermit> = {
  name: 'createConnection',
  input: Settings,
  authorize: asMember,
  audit: [{ kind: 'connection.made', made: (_permit, _input, { id }) => ({ type: 'connection', id }) }],
  async run(tx, { userId }, settings) {
    const { id, key } = await insertConnection(tx, { userId }, userId, settings);
    return { id, key };
  },
};

const Change = Settings.extend({ connectionId: Id });

export const changeConnection: Write<z.infer<typeof Change>, void, AccountPermit> = {
  name: 'changeConnection',
  input: Change,
  authorize: asMember,
  audit: [{ kind: 'connection.changed', about: aboutConnection }],
  async run(tx, { userId }, { connectionId, ...settings }) {
    await setConnection(tx, { userId }, connectionId, settings);
  },
};

const One = z.strictObject({ connectionId: Id });

export const rotateConnection: Write<z.infer<typeof One>, { id: number; key: string }, AccountPermit> = {
  name: 'rotateConnection',
  input: One,
  authorize: asMember,
  audit: [{ kind: 'connection.rotated', about: aboutConnection, event: true }],
  run: (tx, { userId }, { connectionId }) => rotate(tx, { userId }, connectionId),
};

export const revokeConnection: Write<z.infer<typeof One>, void, AccountPermit> = {
  name: 'revokeConnection',
  input: One,
  authorize: asMember,
  audit: [{ kind: 'connection.revoked', about: aboutConnection }],
  run: (tx, { userId }, { connectionId }) => revoke(tx, { userId }, connectionId),
};

/** The assignable members, for the error when an agent names another user (behaviour §7.11). The same list as in svc_context. */
const Input = z.strictObject({ workspaceId: Id.optional(), itemId: Id.optional() });

export const assignable: Read<z.infer<typeof Input>, { members: Member[] }> = {
  name: 'assignable',
  input: Input,
  run: async (tx, caller, place) => ({ members: await readAssignable(tx, caller, place) }),
};
