/** Approval of requirements and releases: allowed users, steps and history. */
import type { Caller } from '../../src/access/caller.ts';
import { hashSecret } from '../../src/access/secrets.ts';
import { connectDb, type Db } from '../../src/database/db.ts';
import { approve, reject, requestApproval } from '../../src/items/approval.ts';
import { getItem } from '../../src/items/getItem.ts';
import type { Work } from '../../src/items/schema.ts';
import { outputOf } from '../../src/operations/json.ts';
import { perform } from '../../src/operations/perform.ts';
import { showItem } from '../../src/overviews/openItem.ts';
import type { AppError } from '../../src/values/errors.ts';
import { fileDatabase } from '../support/database.ts';
import { type RestWorld, restWorld } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let world: RestWorld;
let db: Db;
let owner: Caller;
let manager: Caller;
let member: Caller;

const session = async (userId: number): Promise<Caller> => ({
  kind: 'session',
  hash: hashSecret(await world.fixtures.session(userId)),
});

test.before('a workspace with an owner, a manager and a member', async () => {
  [world, db] = await Promise.all([restWorld(database.url), connectDb(database.url)]);
  owner = await session(world.ownerId);
  manager = await session((await world.join('manager')).userId);
  member = await session((await world.join('member')).userId);
});
test.after('stop', async () => {
  await world?.end();
  await db?.close();
});

const requirement = (status = 'planned', fields = {}): Promise<Work> =>
  world.owner.save({ type: 'requirement', title: 'Offline mode', description: '', status, fields });

async function take(step: typeof approve, caller: Caller, item: Work, comment = ''): Promise<Work> {
  const input = { workspaceId: world.workspaceId, id: item.id, version: item.version, comment };
  return outputOf(await perform(db, caller, step, input));
}
const codeOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'done',
    (error: AppError) => error.code,
  );
const history = async (item: Work) =>
  outputOf(await perform(db, owner, showItem, { workspaceId: world.workspaceId, id: item.id })).context.approvals;

test('a manager requests, an owner approves, and each step is a version with a row of history', async (t) => {
  const made = await requirement('in_review');
  const pending = await take(requestApproval, manager, made, 'Ready to go');
  t.like(pending, { status: 'pending_approval', version: made.version + 1 });
  const approved = await take(approve, owner, pending);
  t.like(approved, { status: 'approved', version: made.version + 2 });
  t.like(await history(made), [
    { action: 'approved', by: { id: world.ownerId, name: 'Ana', kind: 'person' }, comment: '', version: approved.version },
    { action: 'requested', comment: 'Ready to go', version: pending.version },
  ]);
});

test('a rejection records the reason and restores the status from before the request', async (t) => {
  const pending = await take(requestApproval, owner, await requirement('in_review'));
  t.is(await codeOf(take(reject, manager, pending, '  ')), 'invalid_request');
  const back = await take(reject, manager, pending, 'Say what happens without a network');
  t.like(back, { status: 'in_review', version: pending.version + 1 });
  t.like(await history(back), [{ action: 'rejected', comment: 'Say what happens without a network' }, { action: 'requested' }]);
});

test('a blocked item becomes planned again, because the request cleared its reason', async (t) => {
  const pending = await take(requestApproval, owner, await requirement('blocked', { blockedReason: 'No budget' }));
  t.like(await take(reject, owner, pending, 'No'), { status: 'planned', fields: { blockedReason: null } });
});

test("members, keys and agents can't decide", async (t) => {
  const item = await requirement();
  const { userId } = await world.join('member', { requirements: 'delete' } as never);
  for (const caller of [
    member,
    await session(userId),
    { kind: 'key', hash: hashSecret(world.key) },
    { kind: 'agent', hash: hashSecret(world.key) },
    { kind: 'user', userId: world.ownerId },
  ] satisfies Caller[]) {
    t.is(await codeOf(take(requestApproval, caller, item)), 'forbidden', caller.kind);
  }
  t.deepEqual(await history(item), []);
});

test("an owner with a lowered right on the resource can't decide either", async (t) => {
  const { userId } = await world.join('owner', { requirements: 'read' });
  t.is(await codeOf(take(requestApproval, await session(userId), await requirement())), 'forbidden');
});

test('a stale version is a conflict, so that users approve only what they have seen', async (t) => {
  const pending = await take(requestApproval, owner, await requirement());
  const changed = await world.owner.save({ ...pending, title: 'Something else' });
  t.is(await codeOf(take(approve, manager, pending)), 'conflict');
  t.is((await take(approve, manager, changed)).status, 'approved');
});

test('of two concurrent decisions one succeeds, and the other gets a conflict', async (t) => {
  const pending = await take(requestApproval, owner, await requirement());
  const codes = await Promise.all([codeOf(take(approve, owner, pending)), codeOf(take(reject, manager, pending, 'No'))]);
  t.deepEqual(codes.sort(), ['conflict', 'done']);
  t.is((await history(pending)).length, 2);
});

test('impossible steps are refused with what to do', async (t) => {
  const item = await requirement();
  t.is(await codeOf(take(approve, owner, item)), 'invalid_request');
  t.is(await codeOf(take(reject, owner, item, 'No')), 'invalid_request');
  const pending = await take(requestApproval, owner, item);
  t.is(await codeOf(take(requestApproval, owner, pending)), 'invalid_request');
  const approved = await take(approve, owner, pending);
  t.is(await codeOf(take(requestApproval, owner, approved)), 'invalid_request');
  const task = await world.owner.save({ type: 'task', title: 'Not for approval', description: '', status: 'planned', fields: {} });
  t.is(await codeOf(take(requestApproval, owner, task)), 'invalid_request');
  const closed = await world.owner.save({ ...approved, status: 'done', fields: {} });
  t.is(await codeOf(take(requestApproval, owner, closed)), 'invalid_request');
});

test('hidden and absent items get the same refusal', async (t) => {
  const item = await requirement();
  const { userId } = await world.join('manager', { requirements: 'none' });
  const blind = await session(userId);
  t.is(await codeOf(take(requestApproval, blind, item)), 'forbidden');
  t.is(await codeOf(take(requestApproval, owner, { ...item, id: 999_999 })), 'forbidden');
  t.is(await codeOf(perform(db, blind, showItem, { workspaceId: world.workspaceId, id: item.id })), 'forbidden');
  t.truthy(await perform(db, owner, getItem, { workspaceId: world.workspaceId, id: item.id }));
});

test('a step marks the forecast', async (t) => {
  const item = await requirement();
  await world.fixtures.sql('delete from capacity_marks');
  await take(requestApproval, owner, item);
  t.is((await world.fixtures.sql('select from capacity_marks')).length, 1);
});
