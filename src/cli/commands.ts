/** Every command of `npm run stint`, by its words (behaviour §2.2). */
import * as accounts from './accounts.ts';
import type { Command } from './command.ts';
import * as connections from './connections.ts';
import * as database from './database.ts';
import { doctor } from './doctor.ts';
import * as keys from './keys.ts';
import { sbom } from './sbom.ts';
import * as workspaces from './workspaces.ts';

export const commands: Record<string, Command> = {
  migrate: database.migrate,
  import: database.importFile,
  'account create': accounts.createAccount,
  'user create': accounts.createUser,
  'user deactivate': accounts.deactivate,
  'workspace create': workspaces.createWorkspace,
  'workspace archive': workspaces.archive,
  'workspace unarchive': workspaces.unarchive,
  'workspace mcp': workspaces.mcp,
  'member set': workspaces.set,
  'member remove': workspaces.remove,
  'key create': keys.create,
  'key revoke': keys.revoke,
  'connection create': connections.create,
  'connection rotate': connections.rotate,
  'connection revoke': connections.revoke,
  'connection set': connections.set,
  doctor,
  sbom,
};
