/** Notifications of changes: exactly one each, also if the worker dies, and only about visible items (behaviour §10.15). */
import type { Caller } from '../../src/access/caller.ts';
import { newSecret } from '../../src/access/secrets.ts';
import { follow } from '../../src/changes/follow.ts';
import { addComment } from '../../src/comments/addComment.ts';
import { editComment } from '../../src/comments/ownComments.ts';
import { approve, reject, requestApproval } from '../../src/items/approval.ts';
import { saveItem } from '../../src/items/saveItem.ts';
import type { Work } from '../../src/items/schema.ts';
import { notificationsFollower } from '../../src/notifications/follower.ts';
import { claimMail } from '../../src/notifications/queries.ts';
import { outputOf } from '../../src/operations/json.ts';
import { perform } from '../../src/operations/perform.ts';
import { caughtUp } from '../support/following.ts';
import { type NotificationWithText, notificationsOf } from '../support/inbox.ts';
import { suite } from '../support/suite.ts';
import { type Team, timeWorld } from '../support/timeWorld.ts';

const test = suite(import.meta.url);

const world = timeWorld();

async function newestNotifications(caller: Caller): Promise<NotificationWithText[]> {
  await caughtUp(world.db, notificationsFollower);
  return notificationsOf(world.db, caller);
}
const texts = async (caller: Caller) => (await newestNotifications(caller)).map(({ text }) => text).reverse();

async function save(team: Team, caller: Caller, record: object): Promise<Work> {
  const input = {
    workspaceId: team.workspaceId,
    record: { type: 'task', title: 'Write the report', description: '', status: 'planned', ...record },
  };
  return outputOf(await perform(world.db, caller, saveItem, input as never));
}
const comment = (team: Team, caller: Caller, id: number, body = 'Fine') =>
  perform(world.db, caller, addComment, { workspaceId: team.workspaceId, id, body });
const watch = (team: Team, itemId: number, userId: number, watching: boolean) =>
  world.rows(
    `insert into item_watches (account_id, workspace_id, item_id, user_id, watching) values ($1, $2, $3, $4, $5)
     on conflict (item_id, user_id) do update set watching = excluded.watching`,
    [team.accountId, team.workspaceId, itemId, userId, watching],
  );

async function third(team: Team, role = 'member'): Promise<{ id: number; caller: Caller }> {
  const id = await world.value(
    `insert into users (account_id, email, name, password_hash) values ($1, gen_random_uuid() || '@acme.example', 'Cy', 'set') returning id`,
    [team.accountId],
  );
  await world.rows('insert into memberships (account_id, workspace_id, user_id, role) values ($1, $2, $3, $4)', [
    team.accountId,
    team.workspaceId,
    id,
    role,
  ]);
  return { id, caller: { kind: 'user', userId: id } };
}

async function session({ accountId }: Team, userId: number): Promise<Caller> {
  const { hash } = newSecret('session');
  await world.rows(`insert into sessions (account_id, user_id, token_hash, expires_at) values ($1, $2, $3, now() + interval '1 day')`, [
    accountId,
    userId,
    hash,
  ]);
  return { kind: 'session', hash };
}

test('a comment that is edited before anyone is notified mentions a person once, and an edited note as its text is now', async (t) => {
  const team = await world.team();
  const { id } = await save(team, team.colleague, { title: 'Report' });
  const edit = (commentId: number, body: string) =>
    perform(world.db, team.colleague, editComment, { workspaceId: team.workspaceId, id: commentId, body });
  const mentions = async () => (await newestNotifications(team.person)).filter(({ kind }) => kind === 'mentioned').length;
  await comment(team, team.colleague, id!, '@Ana, look');
  const first = await world.value('select max(id) from comments where item_id = $1', [id]);
  await edit(first, '@Ana, look here');
  t.is(await mentions(), 1);
  await comment(team, team.colleague, id!, 'It leaks.');
  const second = await world.value('select max(id) from comments where item_id = $1', [id]);
  await world.rows(`update comments set original_body = 'It leaks!!' where id = $1`, [second]);
  t.is(await mentions(), 1);
  await edit(second, '@Ana, it leaks.');
  t.is(await mentions(), 2);
});

test('assignees, new owners, owners, commenters and watchers get notifications, but not about their own changes', async (t) => {
  const team = await world.team();
  const cy = await third(team);
  const made = await save(team, team.colleague, { title: 'Report', fields: { assigneeId: team.userId } });
  const moved = await save(team, team.colleague, { ...made, status: 'in_progress', fields: {} });
  await comment(team, cy.caller, made.id!);
  await comment(team, team.person, made.id!);
  await save(team, team.colleague, { ...moved, ownerId: cy.id, fields: {} });
  t.deepEqual(await texts(team.person), [
    'Bo assigned “Report” to you.',
    'Bo changed the status of “Report” from Planned to In progress.',
    'Cy commented on “Report”.',
  ]);
  t.deepEqual(await texts(cy.caller), ['Ana commented on “Report”.', 'Bo made you the owner of “Report”.']);
  t.true((await texts(team.colleague)).every((text) => !text.startsWith('Bo')));
});

test('watching brings comments and status changes; unwatching stops both, but not direct notifications', async (t) => {
  const team = await world.team();
  const cy = await third(team);
  const item = await save(team, team.colleague, { title: 'Report' });
  await watch(team, item.id!, cy.id, true);
  await watch(team, item.id!, team.userId, false);
  const moved = await save(team, team.colleague, { ...item, status: 'in_progress', fields: { assigneeId: team.userId } });
  await comment(team, team.colleague, item.id!);
  await save(team, team.colleague, { ...moved, title: 'Another title' });
  t.deepEqual(await texts(cy.caller), [
    'Bo changed the status of “Another title” from Planned to In progress.',
    'Bo commented on “Another title”.',
  ]);
  t.deepEqual(await texts(team.person), ['Bo assigned “Another title” to you.']);
});

test('a request for approval notifies possible approvers, and the decision notifies the requester', async (t) => {
  const team = await world.team();
  const [asking, manager] = [await third(team, 'manager'), await third(team, 'manager')];
  const lowered = await third(team, 'owner');
  await world.rows(`update memberships set overrides = '{"requirements": "read"}' where user_id = $1`, [lowered.id]);
  const item = await save(team, team.person, { type: 'requirement', title: 'Offline', ownerId: team.colleagueId });
  const step = { workspaceId: team.workspaceId, id: item.id!, comment: '' };
  await perform(world.db, await session(team, asking.id), requestApproval, { ...step, version: item.version! });
  t.deepEqual(await texts(manager.caller), ['Cy requests your approval of “Offline”.']);
  t.deepEqual(await texts(lowered.caller), []);
  t.deepEqual(await texts(asking.caller), []);
  await perform(world.db, await session(team, manager.id), approve, { ...step, version: item.version! + 1 });
  t.deepEqual(await texts(asking.caller), ['Cy approved “Offline”.']);
  t.is((await texts(team.colleague)).at(-1), 'Cy approved “Offline”.');
});

test('a decision marks its request as read for all approvers, also if the request is sent after it; a new request is unread', async (t) => {
  const team = await world.team();
  const managers = [await third(team, 'manager'), await third(team, 'manager')];
  const decider = await session(team, managers[0]!.id);
  const { id, version } = await save(team, team.person, { type: 'requirement', title: 'Offline' });
  const step = { workspaceId: team.workspaceId, id: id! };
  const request = (at: number) => perform(world.db, decider, requestApproval, { ...step, version: at, comment: '' });
  const decline = (at: number) => perform(world.db, decider, reject, { ...step, version: at, comment: 'Not yet' });
  const asking = { kind: 'user', userId: managers[1]!.id } as const;
  const unread = async () => {
    await caughtUp(world.db, notificationsFollower);
    return (await notificationsOf(world.db, asking, true)).map(({ text }) => text);
  };
  await request(version!);
  t.deepEqual(await unread(), ['Cy requests your approval of “Offline”.']);
  await decline(version! + 1);
  t.deepEqual(
    (await notificationsOf(world.db, asking)).map(({ read_at: at }) => at !== null),
    [true],
    'in the commit of the decision',
  );
  t.deepEqual(await unread(), []);
  await request(version! + 2);
  await decline(version! + 3);
  t.deepEqual(await unread(), [], 'the follower was late');
  await request(version! + 4);
  t.deepEqual(await unread(), ['Cy requests your approval of “Offline”.']);
});

test('hidden items cause no notification, and existing ones are not shown, mailed or counted', async (t) => {
  const team = await world.team();
  const item = await save(team, team.person, { title: 'Report', fields: { assigneeId: team.colleagueId } });
  await comment(team, team.person, item.id!);
  const [noted, assigned] = await newestNotifications(team.colleague);
  t.deepEqual([assigned!.kind, noted!.kind], ['assigned', 'commented']);
  const lower = (overrides: object) =>
    world.rows('update memberships set overrides = $2 where user_id = $1', [team.colleagueId, JSON.stringify(overrides)]);
  await lower({ comments: 'none' });
  t.deepEqual(
    (await newestNotifications(team.colleague)).map(({ kind }) => kind),
    ['assigned'],
  );
  await lower({ tasks: 'none' });
  t.deepEqual(await newestNotifications(team.colleague), []);
  t.is(await world.db.transaction((tx) => claimMail(tx, assigned!.id)), null);
  await comment(team, team.person, item.id!, 'Unseen');
  await caughtUp(world.db, notificationsFollower);
  await lower({});
  t.is((await newestNotifications(team.colleague)).length, 2, 'changes while it was hidden notified no one');
});

test('a switched-off kind leaves no row, and the next reason applies; only subscribers get immediate mails', async (t) => {
  const team = await world.team();
  const choose = (kind: string, choice: string) =>
    world.rows('insert into notification_choices (account_id, user_id, kind, choice) values ($1, $2, $3, $4)', [
      team.accountId,
      team.colleagueId,
      kind,
      choice,
    ]);
  await choose('assigned', 'off');
  await choose('status_changed', 'digest');
  await choose('commented', 'mail');
  const made = await save(team, team.person, { title: 'Report', fields: { assigneeId: team.colleagueId } });
  await save(team, team.person, { ...made, status: 'in_progress', fields: {} });
  await comment(team, team.person, made.id!);
  t.deepEqual(
    (await newestNotifications(team.colleague)).map(({ kind }) => kind),
    ['commented', 'status_changed'],
  );
  const rows = await world.rows(
    `select n.kind, n.digest, exists (select from graphile_worker._private_jobs j where j.payload->>'notificationId' = n.id::text) as mailed
     from notifications n where user_id = $1 order by kind`,
    [team.colleagueId],
  );
  t.deepEqual(rows, [
    { kind: 'commented', digest: false, mailed: true },
    { kind: 'status_changed', digest: true, mailed: false },
  ]);
});

test('inbox-only members get no mails about the workspace, and muted members get no row', async (t) => {
  const team = await world.team();
  const [quiet, deaf] = [await third(team), await third(team)];
  const choose = (id: number, notices: string | null) =>
    world.rows('update memberships set notices = $2 where user_id = $1', [id, notices]);
  await choose(quiet.id, 'page');
  await choose(deaf.id, 'off');
  for (const { id } of [quiet, deaf]) await save(team, team.colleague, { title: 'Report', fields: { assigneeId: id } });
  t.deepEqual(await texts(quiet.caller), ['Bo assigned “Report” to you.']);
  t.deepEqual(await texts(deaf.caller), []);
  const [{ id }] = (await newestNotifications(quiet.caller)) as [NotificationWithText];
  t.is(await world.db.transaction((tx) => claimMail(tx, id)), null);
  await choose(quiet.id, null);
  t.truthy(await world.db.transaction((tx) => claimMail(tx, id)), 'as it is chosen when the mail would go');
});

test('no notification is lost or doubled when workers die before the commit or run concurrently', async (t) => {
  const team = await world.team();
  await caughtUp(world.db, notificationsFollower);
  const item = await save(team, team.person, { title: 'Report', fields: { assigneeId: team.colleagueId } });
  for (let n = 0; n < 30; n++) await comment(team, team.person, item.id!, `Note ${n}`);
  const dying = {
    ...notificationsFollower,
    async see(...given: Parameters<typeof notificationsFollower.see>) {
      await notificationsFollower.see(...given);
      throw new Error('killed');
    },
  };
  await follow(world.db, dying).catch(() => {});
  await Promise.all(Array.from({ length: 6 }, () => follow(world.db, notificationsFollower)));
  t.is((await newestNotifications(team.colleague)).length, 31);
  const doubled = await world.rows('select change_id from notifications where user_id = $1 group by 1 having count(*) > 1', [
    team.colleagueId,
  ]);
  t.deepEqual(doubled, []);
});
