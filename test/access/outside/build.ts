/** Two random accounts, as an import file and as a model for the rules. */
import type { ImportInput } from '../../../src/import/schema.ts';
import type { Random } from '../../chaos/random.ts';
import type { Fixtures } from '../../support/restWorld.ts';
import { type WorldRefs, world } from '../../support/world.ts';
import { draw } from './draw.ts';
import { assignable } from './rules.ts';
import { type Account, type Item, Marks, type Town, type User, type Workspace } from './town.ts';

type AccountInput = ImportInput['accounts'][number];
type ItemInput = NonNullable<NonNullable<AccountInput['workspaces']>[number]['items']>[number];

export function linkName(item: Item['type'], above: Item['type']): 'releaseId' | 'requirementId' | 'parentId' | 'parentItemId' {
  if (above === 'release') return 'releaseId';
  if (above !== 'requirement') return 'parentItemId';
  return item === 'requirement' ? 'parentId' : 'requirementId';
}

function itemInput(random: Random, item: Item): ItemInput {
  const links = item.above.map((above) => [linkName(item.type, above.type), { ref: above.ref }]);
  const able = assignable(item.workspace);
  const fields: Record<string, unknown> = Object.fromEntries(links);
  if (item.goal) fields.goalId = { ref: item.goal.ref };
  if (item.type === 'task' && able.length && random.chance(0.6)) fields.assigneeId = { ref: random.pick(able).ref };
  if (item.type === 'task') Object.assign(fields, { estimatedHours: random.whole(1, 20), dueDate: '2030-01-31' });
  return {
    ref: item.ref,
    type: item.type,
    title: item.title,
    description: `Of ${item.title}`,
    archived: item.archived,
    fields,
  } as ItemInput;
}

function fileOf(random: Random, marks: Marks, account: Account, plans: DrawPlans): AccountInput {
  const emailOf = (user: User) => `${marks.mark({ kind: 'email', user })}@town${towns}.example`;
  return {
    name: 'Town',
    users: account.users.map((user) => ({
      ref: user.ref,
      email: emailOf(user),
      name: user.name,
      accountRole: user.accountRole,
      weeklyHours: 40,
    })),
    workspaces: account.workspaces.map((workspace) => ({
      ref: workspace.ref,
      name: `Place ${marks.mark({ kind: 'workspace', workspace })}`,
      mcp: workspace.mcp as never,
      members: [...workspace.members].map(([user, { role, overrides, timeOversight }]) => ({
        user: user.ref,
        role,
        access: overrides,
        timeOversight,
      })),
      statuses: [{ key: 'own', label: `Own ${marks.mark({ kind: 'word', workspace })}`, types: ['task'], status: 'in_progress' }],
      items: workspace.items.map((item) => itemInput(random, item)),
      comments: workspace.items.flatMap((item) => commentsOf(random, marks, item)),
      planBlocks: plans(workspace),
    })),
    restKeys: account.users.map((user) => ({
      ref: user.restKey.ref,
      user: user.ref,
      name: `Key ${marks.mark({ kind: 'key', user })}`,
      grants: user.restKey.grants as never,
    })),
    connections: account.users.map((user) => connectionInput(marks, user)),
    personalNotes: account.users.flatMap((user) => notesOf(marks, user)),
  };
}

function connectionInput(marks: Marks, user: User) {
  const { ref, places, permissions, notes } = user.agent;
  const name = `Agent ${marks.mark({ kind: 'connection', user })}`;
  const workspaces = [...places.keys()].map((place) => place.ref);
  return { ref, user: user.ref, name, workspaces, permissions: permissions as never, notes: notes as never };
}

function commentsOf(random: Random, marks: Marks, item: Item) {
  const authors = [...item.workspace.members.keys()];
  return Array.from({ length: random.whole(0, 2) }, () => {
    const body = `Said ${marks.mark({ kind: 'comment', item })}`;
    item.comments.push(body);
    return { item: item.ref, author: random.pick(authors).ref, body };
  });
}

function notesOf(marks: Marks, user: User) {
  const folder = `Folder ${marks.mark({ kind: 'folder', user })}`;
  return (['none', 'none', 'locked', 'encrypted'] as const).map((protection, n) => {
    const note = { ref: `${user.ref}note${n}`, id: 0, user, revision: 1, folder: null, protection, deleted: false };
    user.notes.push(note);
    const mark = marks.mark({ kind: 'note', note });
    return {
      ...{ ref: note.ref, user: user.ref, folder: n === 0 ? folder : null, protection, html: `<p>Note ${mark}</p>` },
      attachments: n === 0 ? [{ name: `${mark}.txt`, text: mark }] : [],
    };
  });
}

type PlanInput = NonNullable<NonNullable<AccountInput['workspaces']>[number]['planBlocks']>[number];
type DrawPlans = (workspace: Workspace) => PlanInput[];

/** Makes email addresses unique in a database. */
let towns = 0;

/** Draws a town, imports it and reads its ids, keys and sessions. */
export async function buildTown(
  databaseUrl: string,
  fixtures: Fixtures,
  random: Random,
  plans: DrawPlans = () => [],
): Promise<Town & { refs: WorldRefs }> {
  towns++;
  const marks = new Marks();
  const accounts = draw(random, marks);
  const refs = await world(databaseUrl, { accounts: accounts.map((account) => fileOf(random, marks, account, plans)) });
  for (const account of accounts) await learn(account, refs, fixtures);
  const workspaces = accounts.flatMap((account) => account.workspaces);
  return {
    refs,
    accounts,
    users: accounts.flatMap(({ users }) => users),
    workspaces,
    items: () => workspaces.flatMap(({ items }) => items),
    marks,
  };
}

async function learn({ users, workspaces }: Account, refs: WorldRefs, fixtures: Fixtures): Promise<void> {
  for (const workspace of workspaces) {
    workspace.id = refs.id(workspace.ref);
    for (const item of workspace.items) item.id = refs.id(item.ref);
  }
  for (const user of users) {
    user.id = refs.id(user.ref);
    user.cookie = await fixtures.session(user.id);
    for (const credential of [user.restKey, user.agent]) {
      credential.id = refs.id(credential.ref);
      credential.key = refs.key(credential.ref);
    }
    for (const note of user.notes) note.id = refs.id(note.ref);
    const [folder] = await fixtures.sql('select id from note_folders where user_id = $1', [user.id]);
    user.folders.push({ id: Number(folder.id), user });
    user.notes[0]!.folder = user.folders[0]!;
  }
}
