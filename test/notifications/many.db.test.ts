/** Many notifications at once: of comments that mention many people, and on items with many comments (behaviour §10.21, §10.29). */
import type { Caller } from '../../src/access/caller.ts';
import { addComment } from '../../src/comments/addComment.ts';
import { connectDb } from '../../src/database/db.ts';
import { claimDigest } from '../../src/notifications/dayQueries.ts';
import { notificationsFollower } from '../../src/notifications/follower.ts';
import { checkMentions } from '../../src/notifications/mentions.ts';
import { perform } from '../../src/operations/perform.ts';
import { explainAll, type Step, watchSteps } from '../support/autoExplain.ts';
import { caughtUp } from '../support/following.ts';
import { suite } from '../support/suite.ts';
import { type Team, timeWorld } from '../support/timeWorld.ts';

const test = suite(import.meta.url);
const steps = watchSteps();
const world = timeWorld();

async function colleagues(team: Team, count: number): Promise<number[]> {
  const rows = await world.rows(
    `with people as (
       insert into users (account_id, email, name, password_hash)
       select $1, gen_random_uuid() || '@acme.example', 'Person ' || n, 'set' from generate_series(1, $3::int) n returning id)
     insert into memberships (account_id, workspace_id, user_id, role) select $1, $2, id, 'member' from people returning user_id`,
    [team.accountId, team.workspaceId, count],
  );
  return rows.map(({ user_id: id }) => id);
}

const comment = (team: Team, body: string, caller: Caller = team.person) =>
  perform(world.db, caller, addComment, { workspaceId: team.workspaceId, id: team.itemId, body });

const mentioning = (count: number) => Array.from({ length: count }, (_, n) => `@Person ${n + 1}`).join(' ');

const countOf = (condition: string, team: Team) =>
  world.value(`select count(*)::int from notifications where workspace_id = $1 and ${condition}`, [team.workspaceId]);

const mailsOf = (team: Team) =>
  world.value(
    `select count(*)::int from graphile_worker._private_jobs j join graphile_worker._private_tasks k on k.id = j.task_id
     where k.identifier = 'mail_notification' and (j.payload #>> '{about,workspace}')::bigint = $1`,
    [team.workspaceId],
  );

test('a text notifies the first 50 people whom it mentions, and pages refuse more', async (t) => {
  const team = await world.team();
  await colleagues(team, 60);
  const sent = (count: number) =>
    perform(world.db, team.person, checkMentions, { workspaceId: team.workspaceId, id: team.itemId, body: mentioning(count) });
  await t.notThrowsAsync(sent(50));
  await t.throwsAsync(sent(51), { message: 'body: mentions 51 people. Mention at most 50.' });
  await comment(team, mentioning(60));
  await caughtUp(world.db, notificationsFollower);
  t.is(await countOf(`kind = 'mentioned'`, team), 50);
});

test('mentions count by what people need to see the item, in all workspaces of a page', async (t) => {
  const teams = [await world.team(), await world.team()];
  const ids = [await colleagues(teams[0]!, 2), await colleagues(teams[1]!, 2)];
  await world.rows(`update memberships set overrides = '{"tasks": "none"}' where user_id = $1`, [ids[0]![1]]);
  for (const team of teams) for (let n = 0; n < 25; n++) await comment(team, `@Person 1 @Person 2 ${n}`);
  await caughtUp(world.db, notificationsFollower);
  t.deepEqual(await Promise.all(teams.map((team) => countOf(`kind = 'mentioned'`, team))), [25, 50]);
});

test('a person causes at most 200 immediate mails an hour; the others wait for the digest', async (t) => {
  const team = await world.team();
  const [first] = await colleagues(team, 50);
  for (let n = 0; n < 5; n++) await comment(team, `${mentioning(50)} ${n}`);
  await comment(team, '@Person 1', team.colleague);
  await caughtUp(world.db, notificationsFollower);
  t.deepEqual([await countOf(`kind = 'mentioned'`, team), await countOf(`kind = 'mentioned' and digest`, team)], [251, 50]);
  t.is(await mailsOf(team), 201, 'another person’s mail is sent');
  const day = await world.value(
    `insert into notification_days (account_id, user_id, day) values ($1, $2, current_date) returning day::text`,
    [team.accountId, first],
  );
  const digest = await world.db.transaction((tx) => claimDigest(tx, first!, day));
  t.is(digest?.lines.length, 1);
  await world.rows(`update rate_windows set window_start = window_start - interval '1 hour' where key like 'mails:%'`);
  await comment(team, '@Person 1 in the next hour');
  await caughtUp(world.db, notificationsFollower);
  t.is(await mailsOf(team), 202);
});

test('mails about changes wait for mails with links', async (t) => {
  const team = await world.team();
  await colleagues(team, 1);
  await comment(team, '@Person 1');
  await caughtUp(world.db, notificationsFollower);
  await world.rows(`select graphile_worker.add_job('mail_invitation', '{"invitationId": 1}')`);
  const [next] = await world.rows(
    `select task_identifier as task from graphile_worker.jobs where task_identifier like 'mail%' order by priority, run_at, id limit 1`,
  );
  t.is(next.task, 'mail_invitation');
});

const EARLIER = 5_000;
/** Rows that a step of the plan may read for each mention, as the 20 usual choices. Earlier code read 1,000. */
const MOST_EACH = 25;

test('the work for a page of comments does not grow with the earlier comments, nor with the square of its mentions', async (t) => {
  const team = await world.team();
  await colleagues(team, 50);
  await world.rows(
    `insert into comments (account_id, workspace_id, item_id, author_id, body)
     select $1, $2, $3, $4, 'Earlier' from generate_series(1, ${EARLIER}::int)`,
    [team.accountId, team.workspaceId, team.itemId, team.userId],
  );
  for (let n = 0; n < 20; n++) await comment(team, `${mentioning(50)} ${n}`, team.colleague);
  await explainAll(world.url);
  // Only a new connection logs its plans.
  const db = await connectDb(world.url, 2);
  steps();
  await caughtUp(db, notificationsFollower);
  const most = steps().reduce<Step>((one, other) => (other.rows > one.rows ? other : one), { statement: '', node: '', rows: 0, blocks: 0 });
  await db.close();
  t.is(await countOf(`kind = 'mentioned'`, team), 1_000);
  t.true(most.rows > 0 && most.rows < MOST_EACH * 1_000, `${most.node} read ${most.rows} rows`);
});
