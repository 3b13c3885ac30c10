/** Due dates and digests: once, by each person's own day (behaviour §10.22, §10.24). */
import type { Caller } from '../../src/access/caller.ts';
import { connectDb } from '../../src/database/db.ts';
import { makeLogger } from '../../src/log.ts';
import { stopMails } from '../../src/notifications/choose.ts';
import { beginDays, mailDigest } from '../../src/notifications/mailDigest.ts';
import { perform } from '../../src/operations/perform.ts';
import { explainAll, watchSteps } from '../support/autoExplain.ts';
import { notificationsOf } from '../support/inbox.ts';
import { mailServer } from '../support/smtp.ts';
import { suite } from '../support/suite.ts';
import { type Team, timeWorld } from '../support/timeWorld.ts';
import { TEST_SECRET } from '../support/world.ts';

const test = suite(import.meta.url);
const steps = watchSteps();
const world = timeWorld();

/** A zone in which it is that hour now. */
function zoneAt(hour: number): string {
  const ahead = ((hour - new Date().getUTCHours() + 36) % 24) - 12;
  return ahead === 0 ? 'UTC' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
}

const begin = (db = world.db) => beginDays(db, makeLogger('silent', 'worker'), new AbortController().signal);
const texts = async (caller: Caller) => (await notificationsOf(world.db, caller)).map(({ text }) => text);
const today = (team: Team): Promise<string> =>
  world.value('select (now() at time zone timezone)::date::text from users where id = $1', [team.userId]);

/** An item of the person, due so many days after their today. */
async function dueIn(team: Team, days: number, title: string, assignee: number | null = team.userId): Promise<number> {
  const id = await team.item(title);
  await world.rows('update items set due_date = $2::date + $3::integer, assignee_id = $4 where id = $1', [
    id,
    await today(team),
    days,
    assignee,
  ]);
  return id;
}
/** Many items of the person, due so many days after their today. */
async function manyDueIn(team: Team, days: number, count: number): Promise<void> {
  await world.rows(
    `insert into items (account_id, workspace_id, type, title, status, status_key, assignee_id, due_date)
     select $1, $2, 'task', 'One of many', 'planned', 'planned', $3, $4::date + $5::integer from generate_series(1, $6::int)`,
    [team.accountId, team.workspaceId, team.userId, await today(team), days, count],
  );
}
/** Moves the person's day start to yesterday. */
const nextDay = (team: Team) => world.rows('update notification_days set day = day - 1 where user_id = $1', [team.userId]);

test("due tomorrow and overdue notifications are sent at the start of the person's day, once for each item and date", async (t) => {
  const [awake, asleep] = [await world.team(zoneAt(12)), await world.team(zoneAt(3))];
  for (const team of [awake, asleep]) {
    await dueIn(team, 1, 'Tomorrow');
    await dueIn(team, -1, 'Yesterday');
    await dueIn(team, 0, 'Today');
    await dueIn(team, 2, 'Later');
    await dueIn(team, -9, 'Long ago');
    await dueIn(team, 1, "A colleague's", team.colleagueId);
    const [done, hidden] = [await dueIn(team, 1, 'Done'), await dueIn(team, 1, 'Archived')];
    await world.rows(`update items set status = 'done', status_key = 'done' where id = $1`, [done]);
    await world.rows('update items set archived_at = now() where id = $1', [hidden]);
  }
  await Promise.all([begin(), begin()]);
  const told = (await texts(awake.person)).sort();
  t.is(told.length, 2);
  t.regex(told[0]!, /^“Tomorrow” is due tomorrow, on \d{4}-\d\d-\d\d\.$/);
  t.regex(told[1]!, /^“Yesterday” was due on/);
  t.deepEqual(await texts(asleep.person), []);
  await nextDay(awake);
  await begin();
  t.is((await texts(awake.person)).length, 2);
  await world.rows(`update items set due_date = $2::date - 2 where title = 'Yesterday' and workspace_id = $1`, [
    awake.workspaceId,
    await today(awake),
  ]);
  await nextDay(awake);
  await begin();
  t.is((await texts(awake.person)).length, 3);
});

test('no digest is mailed on a day away; the next one has what came meanwhile', async (t) => {
  const team = await world.team(zoneAt(10));
  await world.rows(
    `insert into absences (account_id, user_id, first_day, last_day, half, reason, shared) values ($1, $2, $3, $3, false, '', false)`,
    [team.accountId, team.userId, await today(team)],
  );
  const digests = () =>
    world.value(
      `select count(*)::int from graphile_worker.jobs j join graphile_worker._private_jobs p on p.id = j.id
       where j.task_identifier = 'mail_digest' and (p.payload->>'userId')::bigint = $1`,
      [team.userId],
    );
  await dueIn(team, 1, 'Tomorrow');
  await begin();
  t.deepEqual([(await texts(team.person)).length, await digests()], [1, 0]);
  await world.rows('delete from absences where user_id = $1', [team.userId]);
  await nextDay(team);
  await begin();
  t.is(await digests(), 1);
});

test('a digest has unread visible notifications, is mailed once a day, and ends with how to unsubscribe', async (t) => {
  const team = await world.team(zoneAt(10));
  const server = await mailServer(t);
  const settings = {
    mail: { smtpUrl: server.url, from: 'Stint <stint@localhost>' },
    baseUrl: 'http://localhost:3000',
    secretKey: TEST_SECRET,
  };
  const [, hidden] = [await dueIn(team, 1, 'Tomorrow'), await dueIn(team, 1, 'Hidden')];
  await begin();
  await world.rows('update items set archived_at = now() where id = $1', [hidden]);
  const day = await today(team);
  const jobs = await world.rows(
    `select p.payload from graphile_worker.jobs j join graphile_worker._private_jobs p on p.id = j.id
     where j.task_identifier = 'mail_digest' and (p.payload->>'userId')::bigint = $1`,
    [team.userId],
  );
  t.deepEqual(
    jobs.map(({ payload }) => payload.day),
    [day],
  );
  const digest = { userId: team.userId, day };
  server.mood = 'refuses';
  await t.throwsAsync(mailDigest(world.db, settings, digest));
  server.mood = 'takes';
  await Promise.all([1, 2, 3].map(() => mailDigest(world.db, settings, digest)));
  t.is(server.taken.length, 1);
  const [mail] = server.taken;
  t.regex(mail!, /List-Unsubscribe:\s+<http:\/\/localhost:3000\/unsubscribe\?t=\d+\.digest\.[\w-]{43}>\n/);
  t.regex(mail!, /List-Unsubscribe-Post:\s+List-Unsubscribe=One-Click\n/);
  t.regex(mail!, /settings\/notifications/);
  t.regex(mail!, /Tomorrow/);
  t.notRegex(mail!, /Hidden/);
  await dueIn(team, -1, 'Overdue');
  await nextDay(team);
  await begin();
  await perform(world.db, team.person, stopMails, { mails: 'digest' });
  await mailDigest(world.db, settings, digest);
  t.is(server.texts, 1, 'who stopped it gets no other');
  t.is((await texts(team.person)).length, 2, 'its content is on the page');
});

test('a person gets at most 200 notifications of due work a day, those due last, and the next ones on the next day', async (t) => {
  const team = await world.team(zoneAt(12));
  const counts = () =>
    world.rows('select kind, count(*)::int from notifications where user_id = $1 group by kind order by kind', [team.userId]);
  await manyDueIn(team, 1, 150);
  await manyDueIn(team, -1, 150);
  await begin();
  const first = { kind: 'due_tomorrow', count: 150 };
  t.deepEqual(await counts(), [first, { kind: 'overdue', count: 50 }]);
  await nextDay(team);
  await begin();
  t.deepEqual(await counts(), [first, { kind: 'overdue', count: 150 }]);
});

const MANY = 500;
/** Rows that a step of the plan may read for each due item. */
const MOST_EACH = 5;

test('the work for due items does not grow with their square', async (t) => {
  const teams = [await world.team(zoneAt(12)), await world.team(zoneAt(12))];
  for (const team of teams) await manyDueIn(team, 1, MANY);
  await explainAll(world.url);
  // Only a new connection logs its plans.
  const db = await connectDb(world.url, 2);
  steps();
  await begin(db);
  const most = Math.max(...steps().map(({ rows }) => rows));
  await db.close();
  t.true(most > 0 && most < MOST_EACH * 2 * MANY, `a step read ${most} rows`);
});

test('a person whose day can’t begin stops no other', async (t) => {
  const teams = [await world.team(zoneAt(12)), await world.team(zoneAt(12)), await world.team(zoneAt(12))];
  for (const team of teams) await dueIn(team, 1, 'Tomorrow');
  await world.rows(`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;
    create trigger refuse before insert on notifications for each row when (new.user_id = ${teams[1]!.userId}) execute function refuse()`);
  await begin();
  await world.rows('drop function refuse cascade');
  const counts = () => Promise.all(teams.map(async ({ person }) => (await texts(person)).length));
  t.deepEqual(await counts(), [1, 0, 1]);
  await begin();
  t.deepEqual(await counts(), [1, 1, 1], 'the next run tries again');
});
