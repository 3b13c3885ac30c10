/** Mails with real changes, the real follower, and a test mail server: content, recipients and number (behaviour §10.23, §10.26,
 *  §10.27). */
import type { Caller } from '../../src/access/caller.ts';
import { newSecret } from '../../src/access/secrets.ts';
import { addComment } from '../../src/comments/addComment.ts';
import { reject, requestApproval } from '../../src/items/approval.ts';
import { saveItem } from '../../src/items/saveItem.ts';
import type { Work } from '../../src/items/schema.ts';
import { updateItems } from '../../src/items/updateItems.ts';
import { notificationsFollower } from '../../src/notifications/follower.ts';
import { mailNotification } from '../../src/notifications/mail.ts';
import { mailDigest } from '../../src/notifications/mailDigest.ts';
import { outputOf } from '../../src/operations/json.ts';
import { perform } from '../../src/operations/perform.ts';
import { caughtUp } from '../support/following.ts';
import { notificationsOf } from '../support/inbox.ts';
import { type MailServer, mailServer } from '../support/smtp.ts';
import { suite } from '../support/suite.ts';
import { type Team, timeWorld } from '../support/timeWorld.ts';
import { TEST_SECRET } from '../support/world.ts';

const test = suite(import.meta.url);

const world = timeWorld();
const settings = ({ url }: MailServer) => ({
  mail: { smtpUrl: url, from: 'Stint <stint@localhost>' },
  baseUrl: 'http://localhost:3000',
  secretKey: TEST_SECRET,
});

async function save(team: Team, record: object): Promise<Work> {
  const input = { workspaceId: team.workspaceId, record: { type: 'task', description: '', status: 'planned', ...record } };
  return outputOf(await perform(world.db, team.person, saveItem, input as never));
}

/** Runs the mail jobs of a person, as a worker does. A job that throws stays for a retry. */
async function runJobs(server: MailServer, userId: number): Promise<number> {
  await caughtUp(world.db, notificationsFollower);
  const jobs: { id: number; notification: number }[] = await world.rows(
    `select j.id, (j.payload->>'notificationId')::bigint as notification from graphile_worker._private_jobs j
     join notifications n on n.id = (j.payload->>'notificationId')::bigint where n.user_id = $1 order by j.id`,
    [userId],
  );
  for (const { id, notification } of jobs) {
    await mailNotification(world.db, settings(server), notification);
    await world.rows('select graphile_worker.complete_jobs(array[$1::bigint])', [id]);
  }
  return jobs.length;
}

/** Long headers are folded. */
const subjectOf = (mail: string): string => /^Subject: (.*(?:\n[ \t].*)*)/m.exec(mail)![1]!.replace(/\n[ \t]/g, ' ');

async function eightAssigned(team: Team) {
  const tasks = [];
  for (let n = 1; n <= 8; n++) tasks.push(await save(team, { title: `Task ${n}` }));
  const items = tasks.map(({ id, version }) => ({ id, version, fields: { assigneeId: team.colleagueId } }));
  await perform(world.db, team.person, updateItems, { workspaceId: team.workspaceId, items } as never);
  return tasks;
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

test('eight tasks assigned in one save cause one mail that names all of them, and eight rows in the inbox', async (t) => {
  const team = await world.team();
  const server = await mailServer(t);
  const tasks = await eightAssigned(team);
  server.mood = 'refuses';
  await t.throwsAsync(runJobs(server, team.colleagueId));
  server.mood = 'takes';
  await runJobs(server, team.colleagueId);
  t.is(server.taken.length, 1);
  const [mail] = server.taken;
  t.is(subjectOf(mail!), `Assigned to you: #${tasks[7]!.id} Task 8 and 7 more`);
  for (const { id, title } of tasks) {
    t.true(mail!.includes(`“${title}” to you.`) || mail!.includes(`=E2=80=9C${title}=E2=80=9D to you.`), title);
    t.true(mail!.includes(`/items/${id}\n`), title);
  }
  t.is((await notificationsOf(world.db, team.colleague)).length, 8);
  await save(team, { title: 'Another save', fields: { assigneeId: team.colleagueId } });
  await runJobs(server, team.colleagueId);
  t.is(server.taken.length, 2);
});

test('the mail of a save omits what was read or hidden before it was sent', async (t) => {
  const team = await world.team();
  const server = await mailServer(t);
  const [first, second] = await eightAssigned(team);
  await caughtUp(world.db, notificationsFollower);
  await world.rows('update notifications set read_at = now() where item_id = $1', [first!.id]);
  await world.rows('update items set archived_at = now() where id = $1', [second!.id]);
  await runJobs(server, team.colleagueId);
  t.is(server.taken.length, 1);
  t.regex(subjectOf(server.taken[0]!), / and 5 more$/);
  t.notRegex(server.taken[0]!, /Task [12]\b/);
});

test('an invited person who has not joined gets no mail: notifications wait in the inbox', async (t) => {
  const team = await world.team();
  const server = await mailServer(t);
  await world.rows('update users set password_hash = null where id = $1', [team.colleagueId]);
  const { id } = await save(team, { title: 'Report', fields: { assigneeId: team.colleagueId } });
  await perform(world.db, team.person, addComment, { workspaceId: team.workspaceId, id: id!, body: 'Fine' });
  t.is(await runJobs(server, team.colleagueId), 1);
  const digest = { userId: team.colleagueId, day: await beginDay(team) };
  await mailDigest(world.db, settings(server), digest);
  t.is(server.texts, 0);
  t.is((await notificationsOf(world.db, team.colleague, true)).length, 2);
  await world.rows(`update users set password_hash = 'set' where id = $1`, [team.colleagueId]);
  await save(team, { title: 'After joining', fields: { assigneeId: team.colleagueId } });
  await runJobs(server, team.colleagueId);
  await mailDigest(world.db, settings(server), digest);
  t.deepEqual(
    server.taken.map((mail) => /After joining|commented on/.exec(mail)?.[0]),
    ['After joining', 'commented on'],
  );
});

test('the subject of a mail about an item carries its number and title', async (t) => {
  const team = await world.team();
  const server = await mailServer(t);
  const { id } = await save(team, { title: 'Price of a vehicle', fields: { assigneeId: team.colleagueId } });
  await runJobs(server, team.colleagueId);
  t.deepEqual(server.taken.map(subjectOf), [`Assigned to you: #${id} Price of a vehicle`]);
});

test("the approval request's mail has the requester's message, and the decision's mail the approver's", async (t) => {
  const team = await world.team();
  const server = await mailServer(t);
  await world.rows(`update memberships set role = 'manager' where user_id in ($1, $2)`, [team.userId, team.colleagueId]);
  const item = await save(team, { type: 'requirement', title: 'Offline' });
  const step = { workspaceId: team.workspaceId, id: item.id! };
  const asking = await session(team, team.userId);
  await perform(world.db, asking, requestApproval, { ...step, version: item.version!, comment: 'Please look at the *prices* first.' });
  await runJobs(server, team.colleagueId);
  t.is(subjectOf(server.taken[0]!), `Your approval is requested: #${item.id} Offline`);
  t.regex(server.taken[0]!, /\n> Please look at the \*prices\* first\.\n/);
  const deciding = await session(team, team.colleagueId);
  await perform(world.db, deciding, reject, { ...step, version: item.version! + 1, comment: 'They are too high.' });
  await runJobs(server, team.userId);
  t.is(subjectOf(server.taken[1]!), `Rejected: #${item.id} Offline`);
  t.regex(server.taken[1]!, /\n> They are too high\.\n/);
});

test('a digest has the first line of each comment, and none for readers who may not read comments', async (t) => {
  const team = await world.team();
  const server = await mailServer(t);
  const { id } = await save(team, { title: 'Report', fields: { assigneeId: team.colleagueId } });
  await perform(world.db, team.person, addComment, { workspaceId: team.workspaceId, id: id!, body: '\nThe first line.\nThe second line.' });
  await caughtUp(world.db, notificationsFollower);
  await mailDigest(world.db, settings(server), { userId: team.colleagueId, day: await beginDay(team) });
  t.is(server.taken.length, 1);
  t.regex(server.taken[0]!, /Ana commented on .*\n {2}> The first line\.\n {2}http/);
  t.notRegex(server.taken[0]!, /The second line/);
  await perform(world.db, team.person, addComment, { workspaceId: team.workspaceId, id: id!, body: 'Another one.' });
  await caughtUp(world.db, notificationsFollower);
  await world.rows(`update memberships set overrides = '{"comments": "none"}' where user_id = $1`, [team.colleagueId]);
  await mailDigest(world.db, settings(server), { userId: team.colleagueId, day: await beginDay(team) });
  t.is(server.taken.length, 1);
});

/** Moves the day start of the colleague to just now. */
const beginDay = (team: Team): Promise<string> =>
  world.value(
    `insert into notification_days as d (account_id, user_id, day) values ($1, $2, '2030-01-01')
     on conflict (user_id) do update set day = d.day + 1, mail_claimed_at = null returning day::text`,
    [team.accountId, team.colleagueId],
  );
