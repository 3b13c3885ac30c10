/** The model of the world: each user's rights, and every text that may or may not be visible. */
import type { Kind, KnownItem } from '../oracle.ts';

export type LevelName = 'none' | 'read' | 'write' | 'delete';
export type Levels = Partial<Record<string, LevelName>>;

export interface Account {
  users: User[];
  workspaces: Workspace[];
}

export interface User {
  ref: string;
  id: number;
  account: Account;
  name: string;
  accountRole: 'owner' | 'admin' | 'member';
  active: boolean;
  cookie: string;
  csrf: string;
  restKey: RestKey;
  agent: Agent;
  notes: Note[];
  folders: Folder[];
  entries: Entry[];
  blocks: Block[];
}

export type CredentialState = 'good' | 'expired' | 'revoked';

export interface RestKey {
  ref: string;
  id: number;
  key: string;
  grants: string[];
  state: CredentialState;
}

export interface Agent {
  ref: string;
  id: number;
  key: string;
  permissions: Levels;
  /** Connected workspaces, and whether the connection was removed. */
  places: Map<Workspace, { disconnected: boolean }>;
  notes: string[];
  state: CredentialState;
}

export interface Member {
  role: 'owner' | 'manager' | 'member' | 'viewer';
  overrides: Partial<Record<Kind, LevelName>>;
  timeOversight: boolean | null;
}

export interface Workspace {
  ref: string;
  id: number;
  account: Account;
  archived: boolean;
  mcp: { enabled: boolean; limits: Levels };
  members: Map<User, Member>;
  /** Current and former members. Their names stay on what they did. */
  ever: Set<User>;
  items: Item[];
}

export interface Item {
  ref: string;
  id: number;
  workspace: Workspace;
  type: KnownItem['type'];
  archived: boolean;
  closed: boolean;
  /** Directly above it: requirement, release, milestone, parents. A goal hides nothing, so it is no ancestor. */
  above: Item[];
  goal: Item | null;
  title: string;
  comments: string[];
}

export interface Note {
  ref: string;
  id: number;
  user: User;
  revision: number;
  folder: Folder | null;
  protection: 'none' | 'locked' | 'encrypted';
  deleted: boolean;
}

export interface Folder {
  id: number;
  user: User;
}

export interface Entry {
  id: number;
  item: Item;
  running: boolean;
}

export interface Block {
  id: number;
  item: Item;
  state: 'scheduled' | 'running' | 'cancelled';
}

/** The owner of a text, which decides who may see it. */
export type Owned =
  | { kind: 'item'; item: Item }
  | { kind: 'comment'; item: Item }
  | { kind: 'approval'; item: Item }
  | { kind: 'user'; user: User }
  | { kind: 'email'; user: User }
  | { kind: 'workspace'; workspace: Workspace }
  | { kind: 'word'; workspace: Workspace }
  | { kind: 'note'; note: Note }
  | { kind: 'folder'; user: User }
  | { kind: 'key'; user: User }
  | { kind: 'connection'; user: User }
  | { kind: 'time'; user: User; workspace: Workspace }
  | { kind: 'plan'; user: User; workspace: Workspace };

/** Every text of the world contains a unique mark, so one search of an answer finds all of them. */
export class Marks {
  readonly #owners = new Map<string, Owned>();

  mark(owned: Owned): string {
    const mark = `zq${this.#owners.size.toString(36)}qz`;
    this.#owners.set(mark, owned);
    return mark;
  }

  in(text: string): Owned[] {
    return [...new Set(text.match(/zq[0-9a-z]+qz/g) ?? [])].flatMap((mark) => this.#owners.get(mark) ?? []);
  }
}

export interface Town {
  accounts: Account[];
  users: User[];
  workspaces: Workspace[];
  items(): Item[];
  marks: Marks;
}

/** A user and a credential. */
export interface Caller {
  user: User;
  face: 'key' | 'session' | 'agent';
}

export const nameOf = ({ user, face }: Caller): string => `${face} of ${user.ref}`;
