import type { Caller } from '../../src/access/caller.ts';
import { markNotificationsRead } from '../../src/notifications/choose.ts';
import { mailNotification } from '../../src/notifications/mail.ts';
import { parseInput } from '../../src/operations/input.ts';
import { perform } from '../../src/operations/perform.ts';
import { remindOfBlock } from '../../src/plans/schedule.ts';
import { remindLongTimer } from '../../src/time/timer.ts';
import { trackTime } from '../../src/time/trackTime.ts';
import { insertBlock } from '../plans/plans.ts';
import { notificationsOf } from '../support/inbox.ts';
import { mailServer } from '../support/smtp.ts';
import { suite } from '../support/suite.ts';
import { type Team, timeWorld } from '../support/timeWorld.ts';
import { TEST_SECRET } from '../support/world.ts';

const test = suite(import.meta.url);

const world = timeWorld();
const list = (caller: Caller, unreadOnly = false) => notificationsOf(world.db, caller, unreadOnly);
const reminded = async (team: Team) => {
  const blockId = await insertBlock(world, team, { starts: '8 minutes', ends: '1 hour' });
  await remindOfBlock(world.db, { blockId, edge: 'start' });
  return world.value('select id from notifications where block_id = $1', [blockId]) as Promise<number>;
};
const running = (team: Team, since: string) =>
  world.value(
    `insert into time_entries (account_id, workspace_id, user_id, item_id, kind, started_at, day)
     select $1, $2, $3, $4, 'timer', s, (s at time zone 'UTC')::date from (select now() - $5::interval as s) t returning id`,
    [team.accountId, team.workspaceId, team.userId, team.itemId, since],
  );
const settings = (smtpUrl: string | undefined) => ({
  mail: { smtpUrl, from: 'Stint <stint@localhost>' },
  baseUrl: 'http://localhost:3000',
  secretKey: TEST_SECRET,
});

test('a timer that runs for over 8 hours causes one reminder and continues', async (t) => {
  const team = await world.team();
  const entryId = await running(team, '8 hours 1 minute');
  await Promise.all([1, 2, 3].map(() => remindLongTimer(world.db, { entryId })));
  const told = await list(team.person);
  t.is(told.length, 1);
  t.like(told[0], { kind: 'timer_long', entry_id: entryId, block_id: null, item_id: team.itemId });
  t.regex(told[0]!.text, /^Your timer on “Write the report” has been running since /);
  t.is(await world.value('select count(*)::int from time_entries where id = $1 and minutes is null', [entryId]), 1);
});

test('the reminder of a timer stays readable after its time was corrected', async (t) => {
  const team = await world.team();
  const entryId = await running(team, '8 hours 1 minute');
  await remindLongTimer(world.db, { entryId });
  const change = (args: object) => perform(world.db, team.person, trackTime, parseInput(trackTime.input, args));
  await change({ action: 'stop', entryId, revision: 1 });
  await change({ action: 'correct', entryId, revision: 2, minutes: 30, reason: 'Forgot to stop it.' });
  t.deepEqual(
    (await list(team.person)).map(({ text }) => text),
    ['Your timer on “Write the report” was running for a long time. Its time was corrected.'],
  );
});

test('a newer timer is checked again when it reaches 8 hours; a stopped one is not', async (t) => {
  const team = await world.team();
  const entryId = await running(team, '7 hours');
  await remindLongTimer(world.db, { entryId });
  t.deepEqual(await list(team.person), []);
  const runAt = await world.value('select run_at from graphile_worker._private_jobs where key = $1', [`long_timer:${entryId}`]);
  t.is(runAt.getTime(), (await world.value('select started_at from time_entries where id = $1', [entryId])).getTime() + 8 * 3_600_000);
  await world.rows(
    'update time_entries set ended_at = now(), minutes = whole_minutes(started_at, now()), started_at = started_at where id = $1',
    [entryId],
  );
  await remindLongTimer(world.db, { entryId });
  t.deepEqual(await list(team.person), []);
});

test('only their owner can read notifications, newest first, and mark them as read', async (t) => {
  const team = await world.team();
  const first = await reminded(team);
  const second = await reminded(team);
  t.deepEqual(
    (await list(team.person)).map(({ id }) => id),
    [second, first],
  );
  t.deepEqual(await list(team.colleague), []);
  await perform(world.db, team.colleague, markNotificationsRead, { upToId: second });
  await perform(world.db, team.person, markNotificationsRead, { upToId: first });
  t.deepEqual(
    (await list(team.person, true)).map(({ id }) => id),
    [second],
  );
  t.regex((await list(team.person))[0]!.text, /^“Write the report” is planned to start at \d{4}-\d\d-\d\d \d\d:\d\d \(UTC\)\.$/);
});

test('a notification reveals nothing about an item that its reader can no longer see', async (t) => {
  const team = await world.team();
  await reminded(team);
  await world.rows('update items set archived_at = now() where id = $1', [team.itemId]);
  const [told] = await list(team.person);
  t.is(told!.item_id, null);
  t.regex(told!.text, /^An item is planned to start/);
});

test('without SMTP_URL nothing is mailed', async (t) => {
  const team = await world.team();
  const id = await reminded(team);
  await mailNotification(world.db, settings(undefined), id);
  t.is(await world.value('select mail_claimed_at from notifications where id = $1', [id]), null);
});

test('a notification is mailed once, however often its job runs', async (t) => {
  const team = await world.team();
  const id = await reminded(team);
  const server = await mailServer(t);
  await Promise.all([1, 2, 3].map(() => mailNotification(world.db, settings(server.url), id)));
  await mailNotification(world.db, settings(server.url), id);
  t.is(server.taken.length, 1);
  const email = await world.value('select email from users where id = $1', [team.userId]);
  t.true(server.taken[0]!.includes(`To: ${email}`));
  t.regex(server.taken[0]!, /Subject: Planned time is about to start/);
  t.regex(server.taken[0]!, /http:\/\/localhost:3000\/workspaces\/\d+\/items\/\d+\n/);
});

test('a mail that the server refused is retried, one with an unknown result is not', async (t) => {
  const team = await world.team();
  const server = await mailServer(t);
  const id = await reminded(team);
  server.mood = 'refuses';
  await t.throwsAsync(mailNotification(world.db, settings(server.url), id));
  server.mood = 'hangs up after the text';
  await t.throwsAsync(mailNotification(world.db, settings(server.url), id));
  server.mood = 'takes';
  await mailNotification(world.db, settings(server.url), id);
  t.is(server.texts, 1);
});

test('an unreachable server is retried later', async (t) => {
  const team = await world.team();
  const server = await mailServer(t);
  const id = await reminded(team);
  await t.throwsAsync(mailNotification(world.db, settings('smtp://127.0.0.1:1'), id));
  await mailNotification(world.db, settings(server.url), id);
  t.is(server.taken.length, 1);
});

test('a notification that was read, or whose user left, is not mailed', async (t) => {
  const team = await world.team();
  const server = await mailServer(t);
  const read = await reminded(team);
  await perform(world.db, team.person, markNotificationsRead, { upToId: read });
  await mailNotification(world.db, settings(server.url), read);
  const orphan = await reminded(team);
  await world.rows('update users set active = false where id = $1', [team.userId]);
  await mailNotification(world.db, settings(server.url), orphan);
  t.is(server.texts, 0);
});
