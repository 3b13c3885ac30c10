/** A workspace with people who can sign in, and some work, for tests of the pages. */
import type { ImportInput } from '../../src/import/schema.ts';
import { PASSWORD } from './password.ts';
import { startWeb, type Web, type WorldRefs, world } from './world.ts';

type AccountInput = ImportInput['accounts'][number];
type WorkspaceInput = NonNullable<AccountInput['workspaces']>[number];

export interface WorkWorld {
  web: Web;
  refs: WorldRefs;
  /** The address of the workspace apollo. */
  at: string;
  /** The address of an item by its ref. */
  item(ref: string): string;
  stop(): Promise<void>;
}

const people = ['ana', 'max', 'mia', 'vic', 'eve'] as const;
export type Person = (typeof people)[number];
export const emailOf = (ref: Person) => `${ref}@acme.example`;

const name = (ref: string) => ref[0]!.toUpperCase() + ref.slice(1);

/** ana owns the account and apollo, max manages it, mia is a member, vic a viewer, eve is in the account only. */
export async function workWorld(
  databaseUrl: string,
  workspace: Partial<WorkspaceInput> = {},
  account: Partial<AccountInput> = {},
): Promise<WorkWorld> {
  const users = people.map((ref) => ({
    ref,
    email: emailOf(ref),
    name: name(ref),
    password: PASSWORD,
    accountRole: ref === 'ana' ? ('owner' as const) : ('member' as const),
  }));
  const members = [
    { user: 'ana', role: 'owner' as const },
    { user: 'max', role: 'manager' as const },
    { user: 'mia', role: 'member' as const },
    { user: 'vic', role: 'viewer' as const },
  ];
  const apollo = { ref: 'apollo', name: 'Apollo', ...workspace, members: [...members, ...(workspace.members ?? [])] };
  const file: ImportInput = {
    accounts: [
      { name: 'Acme', ...account, users: [...users, ...(account.users ?? [])], workspaces: [apollo, ...(account.workspaces ?? [])] },
    ],
  };
  const refs = await world(databaseUrl, file);
  const web = await startWeb(databaseUrl);
  const at = `${web.baseUrl}/workspaces/${refs.id('apollo')}`;
  return { web, refs, at, item: (ref) => `${at}/items/${refs.id(ref)}`, stop: web.stop };
}
