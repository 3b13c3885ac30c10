/** `list` commands (behaviour §2.12). */
import type { z } from 'zod';
import { agentLevels, grantsOf } from '../access/rights.ts';
import { personalNoteRightsOf } from '../connections/personalNoteRights.ts';
import type { Tx } from '../database/db.ts';
import { InvalidRequest } from '../values/errors.ts';
import { command, type Option } from './command.ts';
import {
  type Filter,
  listAccounts,
  listWorkspaces as listAllWorkspaces,
  listConnections,
  listKeys,
  listMembers,
  listUsers,
} from './listQueries.ts';
import { optionalId } from './options.ts';
import { after, pageOf, printPage } from './paging.ts';

const only = (thing: string) => optionalId(`only of this ${thing}`);
const filters = { account: only('account'), user: only('user'), workspace: only('workspace') };

interface Listing<Row extends object> {
  name: string;
  summary: string;
  by: readonly (keyof typeof filters)[];
  read(tx: Tx, filter: Filter): Promise<readonly Row[]>;
  last(row: Row, filter: Filter): number;
}

function listing<Row extends object>({ name, summary, by, read, last }: Listing<Row>) {
  const options: Record<string, Option<z.ZodType<number | undefined>>> = {
    ...Object.fromEntries(by.map((filter) => [filter, filters[filter]])),
    after,
  };
  return command({
    summary,
    options,
    async run(context, filter: Filter) {
      const db = await context.db();
      return pageOf(name, await read(db.pool(), filter), (row) => last(row, filter));
    },
    print: printPage(name),
  });
}

const byId = ({ id: last }: { id: number }) => last;

export const accounts = listing({ name: 'accounts', summary: 'list all accounts', by: [], read: listAccounts, last: byId });

export const users = listing({
  name: 'users',
  summary: 'list people and service users, including deactivated ones',
  by: ['account', 'workspace'],
  read: listUsers,
  last: byId,
});

export const workspaces = listing({
  name: 'workspaces',
  summary: 'list workspaces, including archived ones; with --user those of a member',
  by: ['account', 'user'],
  read: listAllWorkspaces,
  last: byId,
});

export const members = listing({
  name: 'members',
  summary: 'list the members of a workspace, or the memberships of a user',
  by: ['workspace', 'user'],
  async read(tx, filter) {
    if (filter.workspace === undefined && filter.user === undefined)
      throw new InvalidRequest(['workspace'], 'give --workspace or --user, or both.');
    return listMembers(tx, filter);
  },
  last: ({ workspaceId, userId }, { workspace }) => (workspace === undefined ? workspaceId : userId),
});

export const keys = listing({
  name: 'keys',
  summary: 'list REST keys without secrets, including revoked ones',
  by: ['account', 'user'],
  read: async (tx, filter) => (await listKeys(tx, filter)).map(({ rights, ...key }) => ({ ...key, grants: grantsOf(rights) })),
  last: byId,
});

export const connections = listing({
  name: 'connections',
  summary: 'list the connections of agents without secrets, including revoked ones',
  by: ['account', 'user', 'workspace'],
  read: async (tx, filter) =>
    (await listConnections(tx, filter)).map(({ rights, noteRights, ...connection }) => ({
      ...connection,
      permissions: agentLevels(rights),
      notes: personalNoteRightsOf(noteRights),
    })),
  last: byId,
});
