/** An approval stays when the approved content changes, and every page with the item says so (behaviour §4.24). */
import type { Caller } from '../../src/access/caller.ts';
import { hashSecret } from '../../src/access/secrets.ts';
import { connectDb, type Db } from '../../src/database/db.ts';
import { approve, reject, requestApproval } from '../../src/items/approval.ts';
import { saveItem } from '../../src/items/saveItem.ts';
import type { Work } from '../../src/items/schema.ts';
import { notificationsFollower } from '../../src/notifications/follower.ts';
import { outputOf } from '../../src/operations/json.ts';
import { perform } from '../../src/operations/perform.ts';
import { fileDatabase } from '../support/database.ts';
import { caughtUp } from '../support/following.ts';
import { notificationsOf } from '../support/inbox.ts';
import { ask, type McpWorld, mcpWorld, once } from '../support/mcpWorld.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let world: McpWorld;
let db: Db;
let ana: Caller;
let bo: Caller;
let agent: Awaited<ReturnType<McpWorld['agentOf']>>;

const session = async (userId: number): Promise<Caller> => ({
  kind: 'session',
  hash: hashSecret(await world.fixtures.session(userId)),
});

test.before('an owner who approves, and a member with an agent', async () => {
  [world, db] = await Promise.all([mcpWorld(database.url), connectDb(database.url)]);
  ana = await session(world.ownerId);
  const { userId } = await world.join('member');
  bo = await session(userId);
  agent = await world.agentOf(userId);
});
test.after('stop', async () => {
  await world?.end();
  await db?.close();
});

async function take(step: typeof approve, item: Work, comment = ''): Promise<Work> {
  const input = { workspaceId: world.workspaceId, id: item.id, version: item.version, comment };
  return outputOf(await perform(db, ana, step, input));
}

async function approved(fields = {}): Promise<Work> {
  const made = await world.owner.save({ type: 'requirement', title: 'Offline', description: 'As agreed', status: 'planned', fields });
  return take(approve, await take(requestApproval, made));
}

async function save(caller: Caller, item: Work, change: object): Promise<Work> {
  const input = { workspaceId: world.workspaceId, record: { ...item, ...change } };
  return outputOf(await perform(db, caller, saveItem, input as never));
}

const isChanged = async (item: { id: number }): Promise<boolean> =>
  (await world.fixtures.sql('select changed_since_approval as changed from items where id = $1', [item.id]))[0].changed;
async function page(item: { id: number }): Promise<string> {
  const at = `${world.api.base.replace(/\/api\/v1$/, '')}/workspaces/${world.workspaceId}`;
  const headers = { Cookie: `JSESSIONID=${await world.fixtures.session(world.ownerId)}`, 'X-Forwarded-Proto': 'https' };
  const answers = [`${at}/items/${item.id}`, `${at}?type=requirement`].map(async (url) => (await fetch(url, { headers })).text());
  return (await Promise.all(answers)).join('\n');
}
const approvalNotifications = async (item: Work) => {
  await caughtUp(db, notificationsFollower);
  return (await notificationsOf(db, ana)).filter(({ kind, item_id }) => kind === 'approved_changed' && item_id === item.id);
};

test('changed since approval: the approval stays, and item and lists show the approved content; keys and agents see nothing of it', async (t) => {
  const item = await approved({ acceptance: 'Works without a network', dueDate: '2030-05-01' });
  t.notRegex(await page(item), /[Cc]hanged since/);
  const fields = { acceptance: 'Mostly works', dueDate: '2030-06-01' };
  const change = once({ id: item.id, version: item.version, title: 'Online', fields });
  const answers = [await ask(agent, 'svc_update_item', change)];
  t.like(answers[0].item, { status: 'approved', title: 'Online' });
  const many = once({ workspaceId: world.workspaceId, items: [{ id: item.id, version: item.version + 1, fields: { reach: 2 } }] });
  answers.push(await ask(agent, 'svc_update_items', many));
  // As receipts of earlier versions contain it.
  for (const [requestId, path] of [
    [change.requestId, '{work,changedSinceApproval}'],
    [many.requestId, '{items,0,changedSinceApproval}'],
  ])
    await world.fixtures.sql(`update receipts set result = jsonb_set(result::jsonb, $2::text[], 'true') where request_id = $1`, [
      requestId,
      path,
    ]);
  answers.push(await ask(agent, 'svc_update_item', change), await ask(agent, 'svc_update_items', many));
  answers.push(await ask(agent, 'svc_get_item', { id: item.id, history: true }));
  answers.push(await ask(agent, 'svc_find_work', { assignee: 'all', type: 'requirement', search: 'Online' }));
  answers.push((await world.owner.get('/item', { id: item.id })).body);
  for (const { warnings: _warnings, ...answer } of answers) t.notRegex(JSON.stringify(answer), /changedSince|"approved":|Works without/);
  const shown = await page(item);
  t.regex(shown, /Changed since approval/);
  t.regex(shown, /Works without a network/);
  t.regex(shown, /Changed since approval/, 'the list says it');
});

test('changed since approved: title, description, acceptance, dates and links count; other fields do not', async (t) => {
  const release = await world.owner.save({ type: 'release', title: 'R', description: '', status: 'planned', fields: {} });
  const [parent, goal] = [
    await approved(),
    await world.owner.save({ type: 'goal', title: 'G', description: '', status: 'planned', fields: {} }),
  ];
  const counting = [
    { title: 'Other' },
    { description: 'Other' },
    ...[{ acceptance: 'Other' }, { dueDate: '2031-01-01' }, { targetDate: '2031-01-01' }].map((fields) => ({ fields })),
    ...[{ releaseId: release.id }, { parentId: parent.id }, { goalId: goal.id }].map((fields) => ({ fields })),
  ];
  for (const change of counting) {
    const item = await approved();
    await save(bo, item, change).catch((error) => t.fail(`${JSON.stringify(change)} ${error}`));
    t.true(await isChanged(item), JSON.stringify(change));
  }
  const item = await approved();
  const other = await save(bo, item, { fields: { progressPercent: 30, estimatedHours: 5, priorityKey: 'high' } });
  await save(bo, other, { status: 'in_progress', fields: {} });
  t.false(await isChanged(item));
  t.deepEqual(await approvalNotifications(item), []);
});

test('changed since approved: reverting the change clears the mark, and the next approval starts from the beginning', async (t) => {
  const item = await approved();
  const changed = await save(bo, item, { title: 'Online' });
  const back = await save(bo, changed, { title: 'Offline' });
  t.false(await isChanged(item));
  const other = await save(bo, back, { title: 'Other', status: 'planned', fields: {} });
  t.true(await isChanged(item));
  const pending = await take(requestApproval, other);
  t.false(await isChanged(item));
  const rejected = await take(reject, pending, 'No');
  await save(bo, rejected, { title: 'Another' });
  t.false(await isChanged(item), 'it is not approved any more');
});

test('changed since approval: the approver gets one notification and mail per approval, and none for their own change', async (t) => {
  const own = await approved();
  await save(ana, own, { title: 'Mine' });
  t.true(await isChanged(own));
  t.deepEqual(await approvalNotifications(own), []);
  const item = await approved();
  const once1 = await save(bo, item, { title: 'One' });
  const twice = await save(bo, once1, { title: 'Two' });
  const [notification, ...more] = await approvalNotifications(item);
  t.deepEqual(more, []);
  t.regex(notification!.text, /“Two” was changed after you approved it/);
  const mails = await world.fixtures.sql(
    `select j.id from graphile_worker._private_jobs j join graphile_worker._private_tasks k on k.id = j.task_id
     where k.identifier = 'mail_notification' and j.payload->>'notificationId' = $1`,
    [String(notification!.id)],
  );
  t.is(mails.length, 1);
  const again = await take(approve, await take(requestApproval, await save(bo, twice, { status: 'planned', fields: {} })));
  await save(bo, again, { title: 'Three' });
  t.is((await approvalNotifications(item)).length, 2);
});

test('changed since approved: an item imported as approved has nothing to compare', async (t) => {
  const item = await approved();
  await world.fixtures.sql('delete from approvals where item_id = $1', [item.id]);
  await save(bo, item, { title: 'Imported, then changed' });
  t.false(await isChanged(item));
});
