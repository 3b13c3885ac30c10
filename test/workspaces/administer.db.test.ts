/** Managing a workspace: allowed users, and the rules. */
import type { Caller } from '../../src/access/caller.ts';
import { agentResources, resources } from '../../src/access/rights.ts';
import { hashSecret } from '../../src/access/secrets.ts';
import { disconnect } from '../../src/connections/workspaceAgents.ts';
import { connectDb, type Db } from '../../src/database/db.ts';
import { chooseForWorkspace } from '../../src/notifications/choose.ts';
import { perform } from '../../src/operations/perform.ts';
import { type MyWorkspaces, myWorkspaces } from '../../src/overviews/myWorkspaces.ts';
import { type SettingsPart, type WorkspaceSettings, workspaceSettings } from '../../src/overviews/workspaceSettings.ts';
import { dropMember } from '../../src/plans/leave.ts';
import type { AppError } from '../../src/values/errors.ts';
import { archiveWorkspace, changeMcp, createWorkspace, putMember, renameWorkspace } from '../../src/workspaces/administer.ts';
import { getMembership } from '../../src/workspaces/listWorkspaces.ts';
import {
  addPriority,
  addStatus,
  changePriority,
  deleteWord,
  movePriority,
  moveStatus,
  renameWord,
  setDefaultPriority,
} from '../../src/workspaces/workflow.ts';
import { fileDatabase } from '../support/database.ts';
import { Fixtures } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let fixtures: Fixtures;
let db: Db;
test.before('connections', async () => {
  fixtures = new Fixtures(database.url);
  db = await connectDb(database.url);
});
test.after('close', async () => {
  await fixtures?.close();
  await db?.close();
});

const session = async (userId: number): Promise<Caller> => ({ kind: 'session', hash: hashSecret(await fixtures.session(userId)) });

/** An account with its owner, who is in no workspace, and a workspace with an owner, a manager and a member. */
async function place() {
  const accountId = await fixtures.account();
  const workspaceId = await fixtures.workspace(accountId);
  const person = async (role?: string) => {
    const userId = await fixtures.user(accountId);
    if (role) await fixtures.member(workspaceId, userId, role);
    return { userId, caller: await session(userId) };
  };
  const [boss, owner, manager, member] = [await person(), await person('owner'), await person('manager'), await person('member')];
  await fixtures.sql(`update users set account_role = 'owner' where id = $1`, [boss.userId]);
  return { accountId, workspaceId, boss, owner, manager, member, person };
}

const codeOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'done',
    (error: AppError) => error.code,
  );
const settings = async (caller: Caller, workspaceId: number, part: SettingsPart = 'general') =>
  (await perform(db, caller, workspaceSettings, { workspaceId, part })) as WorkspaceSettings;
const words = async (caller: Caller, workspaceId: number) => (await settings(caller, workspaceId, 'statuses')).words!;
const noLimits = Object.fromEntries(agentResources.map((resource) => [resource, 'none'])) as Record<
  (typeof agentResources)[number],
  'none'
>;

test("only the owner of a workspace and the account's administrators manage it, archived or not", async (t) => {
  const { workspaceId, boss, owner, manager, member } = await place();
  const stranger = await place();
  for (const archived of [true, false]) {
    await perform(db, boss.caller, archiveWorkspace, { workspaceId, archived });
    for (const { caller } of [boss, owner]) t.is((await settings(caller, workspaceId)).archived, archived);
    for (const { caller } of [manager, member, stranger.boss, stranger.owner]) {
      for (const part of ['general', 'members', 'statuses', 'agents'] as const)
        t.is(await codeOf(settings(caller, workspaceId, part)), 'forbidden');
      t.is(await codeOf(perform(db, caller, renameWorkspace, { workspaceId, name: 'Mine' })), 'forbidden');
      t.is(await codeOf(perform(db, caller, archiveWorkspace, { workspaceId, archived: true })), 'forbidden');
      t.is(await codeOf(perform(db, caller, changeMcp, { workspaceId, enabled: true, limits: noLimits })), 'forbidden');
      t.is(await codeOf(perform(db, caller, deleteWord, { workspaceId, kind: 'priorities', key: 'low' })), 'forbidden');
    }
  }
});

test('a manager sees only the webhooks of the settings, a member only their notification settings; in an archived workspace neither', async (t) => {
  const { workspaceId, boss, manager, member } = await place();
  const stranger = await place();
  t.deepEqual((await settings(manager.caller, workspaceId, 'webhooks')).webhooks, []);
  for (const { caller } of [manager, member]) t.is((await settings(caller, workspaceId, 'notices')).notices, null);
  await perform(db, member.caller, chooseForWorkspace, { workspaceId, choice: 'page' });
  t.is((await settings(member.caller, workspaceId, 'notices')).notices, 'page');
  t.is((await settings(manager.caller, workspaceId, 'notices')).notices, null, 'each their own');
  t.is(await codeOf(settings(member.caller, workspaceId, 'webhooks')), 'forbidden');
  for (const { caller } of [boss, stranger.boss, stranger.owner]) {
    t.is(await codeOf(settings(caller, workspaceId, 'notices')), 'forbidden', 'they are not in it');
    t.is(await codeOf(perform(db, caller, chooseForWorkspace, { workspaceId, choice: null })), 'forbidden');
  }
  await perform(db, boss.caller, archiveWorkspace, { workspaceId, archived: true });
  t.is(await codeOf(settings(manager.caller, workspaceId, 'webhooks')), 'forbidden');
  t.is(await codeOf(settings(member.caller, workspaceId, 'notices')), 'forbidden');
  t.is(await codeOf(perform(db, member.caller, chooseForWorkspace, { workspaceId, choice: null })), 'forbidden');
});

test('priorities are reordered with their ranks', async (t) => {
  const { workspaceId, owner } = await place();
  const order = async () => (await words(owner.caller, workspaceId)).priorities.map(({ key, rank }) => `${key} ${rank}`).join();
  const move = (key: string, step: object) => perform(db, owner.caller, movePriority, { workspaceId, key, ...step });
  t.is(await order(), 'urgent 4,high 3,normal 2,low 1');
  await move('low', { direction: 'up' });
  t.is(await order(), 'urgent 4,high 3,low 2,normal 1');
  await move('urgent', { before: 'normal' });
  t.is(await order(), 'high 4,low 3,urgent 2,normal 1');
  t.is(await codeOf(move('urgent', { before: 'gone' })), 'invalid_request');
  const both = { workspaceId, key: 'urgent', before: 'low', direction: 'up' };
  t.false(movePriority.input.safeParse(both).success);
  await perform(db, owner.caller, moveStatus, { workspaceId, key: 'cancelled', before: 'planned' });
  t.is((await words(owner.caller, workspaceId)).statuses[0]?.key, 'cancelled');
});

test("a key can't manage anything, whatever its user's role", async (t) => {
  const { workspaceId, boss } = await place();
  const key: Caller = { kind: 'key', hash: hashSecret(await fixtures.key(boss.userId)) };
  t.is(await codeOf(perform(db, key, renameWorkspace, { workspaceId, name: 'Mine' })), 'forbidden');
  t.is(await codeOf(perform(db, key, createWorkspace, { name: 'Mine' })), 'forbidden');
});

test("the creator of a workspace owns it; an ordinary member of the account can't create one", async (t) => {
  const { boss, member } = await place();
  const { id } = (await perform(db, boss.caller, createWorkspace, { name: 'Gemini' })) as { id: number };
  t.like(await perform(db, boss.caller, getMembership, { workspaceId: id }), { name: 'Gemini', role: 'owner' });
  t.is(await codeOf(perform(db, member.caller, createWorkspace, { name: 'Gemini' })), 'forbidden');
});

test('a membership has the last saved values: role, limits and time oversight', async (t) => {
  const { workspaceId, owner, person } = await place();
  const { userId, caller } = await person();
  const put = (more: object) =>
    perform(db, owner.caller, putMember, { workspaceId, userId, role: 'member', access: {}, timeOversight: null, ...more } as never);
  const line = async () =>
    (await settings(owner.caller, workspaceId, 'members')).members!.members.find((member) => member.userId === userId);
  await put({ access: { releases: 'none', tasks: 'read' }, timeOversight: true });
  t.like(await line(), { role: 'member', access: { releases: 'none', tasks: 'read' }, timeOversight: true });
  await put({ role: 'manager', access: { tasks: 'read' } });
  t.deepEqual((await line())?.access, { tasks: 'read' });
  t.like(await line(), { role: 'manager', timeOversight: null });
  await put({ access: Object.fromEntries(resources.map((resource) => [resource, 'delete'])) });
  t.deepEqual((await line())?.access, {});
  await perform(db, owner.caller, dropMember, { workspaceId, userId });
  t.is(await line(), undefined);
  t.is(await codeOf(perform(db, caller, getMembership, { workspaceId })), 'forbidden');
});

test("a user of another account can't become a member", async (t) => {
  const { workspaceId, owner } = await place();
  const { member } = await place();
  const put = { workspaceId, userId: member.userId, role: 'member' as const, access: {}, timeOversight: null };
  t.is(await codeOf(perform(db, owner.caller, putMember, put)), 'invalid_request');
});

test('a workspace keeps an owner, also when two owners remove each other concurrently', async (t) => {
  const { workspaceId, owner, person, boss } = await place();
  const demote = { workspaceId, userId: owner.userId, role: 'viewer' as const, access: {}, timeOversight: null };
  t.is(await codeOf(perform(db, owner.caller, putMember, demote)), 'conflict');
  t.is(await codeOf(perform(db, boss.caller, dropMember, { workspaceId, userId: owner.userId })), 'conflict');
  const other = await person('owner');
  const codes = await Promise.all([
    codeOf(perform(db, owner.caller, dropMember, { workspaceId, userId: other.userId })),
    codeOf(perform(db, other.caller, dropMember, { workspaceId, userId: owner.userId })),
  ]);
  t.deepEqual(codes.sort(), ['done', 'forbidden']);
});

test('statuses: added at the end, renamed, moved, and deleted only while unused', async (t) => {
  const { workspaceId, owner, accountId } = await place();
  const run = (operation: Parameters<typeof perform>[2], input: object) => perform(db, owner.caller, operation, { workspaceId, ...input });
  const keys = async () => (await words(owner.caller, workspaceId)).statuses.map(({ key }) => key);
  await run(addStatus, { key: 'in_test', label: 'In test', status: 'in_review', types: ['task'] });
  t.is((await keys()).at(-1), 'in_test');
  t.is(await codeOf(run(addStatus, { key: 'in_test', label: 'Again', status: 'planned', types: ['task'] })), 'invalid_request');
  await run(renameWord, { kind: 'statuses', key: 'in_test', label: 'Testing' });
  await run(moveStatus, { key: 'in_test', direction: 'up' });
  t.is((await keys()).at(-2), 'in_test');
  await fixtures.sql(
    `insert into items (account_id, workspace_id, type, title, status, status_key, archived_at) values ($1, $2, 'task', 'T', 'in_review', 'in_test', now())`,
    [accountId, workspaceId],
  );
  t.is(await codeOf(run(deleteWord, { kind: 'statuses', key: 'in_test' })), 'conflict');
  t.like(
    (await words(owner.caller, workspaceId)).statuses.find(({ key }) => key === 'in_test'),
    { label: 'Testing', used: 1 },
  );
  await run(deleteWord, { kind: 'statuses', key: 'in_progress' });
  t.false((await keys()).includes('in_progress'));
});

test('every type keeps a status in which new items can begin', async (t) => {
  const { workspaceId, owner } = await place();
  const run = (operation: Parameters<typeof perform>[2], input: object) => perform(db, owner.caller, operation, { workspaceId, ...input });
  t.is(await codeOf(run(deleteWord, { kind: 'statuses', key: 'planned' })), 'conflict');
  await run(addStatus, { key: 'todo', label: 'To do', status: 'planned', types: ['task', 'requirement', 'goal', 'release', 'milestone'] });
  t.is(await codeOf(run(deleteWord, { kind: 'statuses', key: 'planned' })), 'done');
});

test('priorities: added, ranked, one of them the default', async (t) => {
  const { workspaceId, owner } = await place();
  const run = (operation: Parameters<typeof perform>[2], input: object) => perform(db, owner.caller, operation, { workspaceId, ...input });
  await run(addPriority, { key: 'now', label: 'Now', rank: 9 });
  await run(setDefaultPriority, { key: 'now' });
  await run(changePriority, { key: 'low', label: 'Lowest', rank: -1 });
  const { priorities } = await words(owner.caller, workspaceId);
  t.is(priorities[0]?.key, 'now');
  t.like(priorities.at(-1), { key: 'low', label: 'Lowest', rank: -1 });
  t.deepEqual(
    priorities.filter((one) => one.default).map(({ key }) => key),
    ['now'],
  );
  t.is(await codeOf(run(setDefaultPriority, { key: 'gone' })), 'invalid_request');
  await run(setDefaultPriority, { key: null });
  t.false((await words(owner.caller, workspaceId)).priorities.some((one) => one.default));
});

test('an agent is listed with its person and disconnected at once', async (t) => {
  const { workspaceId, owner, member, manager, accountId } = await place();
  const [{ id: connectionId }] = await fixtures.sql(
    `insert into connections (account_id, user_id, name, key_hash, rights) values ($1, $2, 'Laptop', $3, 7) returning id::int`,
    [accountId, member.userId, hashSecret(`agent ${workspaceId}`)],
  );
  await fixtures.sql('insert into connection_workspaces (account_id, connection_id, workspace_id) values ($1, $2, $3)', [
    accountId,
    connectionId,
    workspaceId,
  ]);
  t.is(await codeOf(perform(db, manager.caller, disconnect, { workspaceId, connectionId })), 'forbidden');
  t.like((await settings(owner.caller, workspaceId, 'agents')).agents, [{ name: 'Laptop', disconnectedAt: null, expired: false }]);
  await perform(db, owner.caller, disconnect, { workspaceId, connectionId });
  const [line] = (await settings(owner.caller, workspaceId, 'agents')).agents!;
  t.truthy(line?.disconnectedAt);
});

test("workspaces that a user manages but can't see are listed: archived ones to their owner, all others to administrators", async (t) => {
  const { workspaceId, boss, owner, manager } = await place();
  const list = async (caller: Caller) => ((await perform(db, caller, myWorkspaces, {})) as unknown as MyWorkspaces).run.map(({ id }) => id);
  t.deepEqual(await list(owner.caller), []);
  t.deepEqual(await list(boss.caller), [workspaceId]);
  await perform(db, owner.caller, archiveWorkspace, { workspaceId, archived: true });
  t.deepEqual(await list(owner.caller), [workspaceId]);
  t.deepEqual(await list(boss.caller), [workspaceId]);
  t.deepEqual(await list(manager.caller), []);
});
