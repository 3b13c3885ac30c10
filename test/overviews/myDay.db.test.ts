/** My day: the person's work, pending decisions, and times in the person's zone (behaviour §20.1–§20.3). */
import type { Caller } from '../../src/access/caller.ts';
import { outputOf } from '../../src/operations/json.ts';
import { perform } from '../../src/operations/perform.ts';
import { MOST_WORK, myDay } from '../../src/overviews/myDay.ts';
import { suite } from '../support/suite.ts';
import { type Team, timeWorld } from '../support/timeWorld.ts';

const test = suite(import.meta.url);

const world = timeWorld();
const DAY = '2026-11-25';

const read = async (caller: Caller, day = DAY, zone = 'UTC') => outputOf(await perform(world.db, caller, myDay, { day, zone }));
const titles = async (caller: Caller) => (await read(caller)).items.map(({ title }) => title);

interface Values {
  [column: string]: unknown;
}

/** An item of the team's workspace with these columns. */
async function item({ accountId, workspaceId }: Team, title: string, values: Values = {}, type = 'task'): Promise<number> {
  const all = { account_id: accountId, workspace_id: workspaceId, type, title, status: 'planned', status_key: 'planned', ...values };
  const names = Object.keys(all);
  return world.value(
    `insert into items (${names.join(', ')}) values (${names.map((_, n) => `$${n + 1}`).join(', ')}) returning id`,
    Object.values(all),
  );
}

test('My day has only the open work that the user is assigned or owns, of all workspaces, by day', async (t) => {
  const team = await world.team();
  const other = await team.workspace();
  const me = { assignee_id: team.userId };
  await item(team, 'later', { ...me, due_date: '2026-12-24' });
  await item(team, 'undated', me);
  await item(team, 'elsewhere', { ...me, due_date: '2026-11-26', workspace_id: other });
  await item(team, 'urgent', { ...me, due_date: '2026-11-26', priority_key: 'urgent' });
  await item(team, 'late', { ...me, due_date: '2026-11-20' });
  await item(team, 'owned', { owner_id: team.userId, target_date: '2026-11-27' }, 'requirement');
  await item(team, 'owned, and somebody works on it', { owner_id: team.userId, assignee_id: team.colleagueId, due_date: '2026-11-28' });
  await item(team, 'both', { ...me, owner_id: team.userId, due_date: '2026-11-29' });
  await item(team, 'done', { ...me, status: 'done', status_key: 'done' });
  await item(team, 'archived', { ...me, archived_at: '2026-11-01' });
  await item(team, 'theirs', { assignee_id: team.colleagueId });
  await item(team, 'nobody’s');
  t.deepEqual(await titles(team.person), [
    ...['late', 'urgent', 'elsewhere', 'owned', 'owned, and somebody works on it', 'both', 'later', 'undated'],
  ]);
  t.deepEqual(await titles(team.colleague), ['owned, and somebody works on it', 'theirs']);
});

test('a row has parents, assignee and next step', async (t) => {
  const team = await world.team();
  const up = await item(team, 'Change a booking', {}, 'requirement');
  await item(team, 'Words', {
    assignee_id: team.userId,
    requirement_id: up,
    estimated_hours: 8,
    progress_percent: 25,
    priority_key: 'high',
  });
  const [row] = (await read(team.person)).items;
  t.like(row, {
    above: 'Change a booking',
    workspace: 'Apollo',
    statusLabel: 'Planned',
    doneKey: 'done',
    priorityLabel: 'High',
    estimatedHours: 8,
    progressPercent: 25,
    version: 1,
    owned: false,
    asked: false,
  });
  await world.rows(`update statuses set types = array['goal'] where workspace_id = $1 and status = 'done'`, [team.workspaceId]);
  t.is((await read(team.person)).items[0]!.doneKey, null);
});

test('items that are no longer visible disappear, also in workspaces that the user left or that are archived', async (t) => {
  const team = await world.team();
  const other = await team.workspace();
  const secret = await item(team, 'Secret', {}, 'requirement');
  await item(team, 'below it', { assignee_id: team.userId, requirement_id: secret });
  await item(team, 'in the other', { assignee_id: team.userId, workspace_id: other });
  t.is((await titles(team.person)).length, 2);
  await world.rows(`update memberships set overrides = '{"requirements": "none"}' where user_id = $1`, [team.userId]);
  t.deepEqual(await titles(team.person), ['in the other']);
  await world.rows('update workspaces set archived_at = now() where id = $1', [other]);
  t.deepEqual(await titles(team.person), []);
});

test('only possible approvers see a decision, and the requester only if there is no other approver', async (t) => {
  const team = await world.team();
  const role = (userId: number, to: string) => world.rows('update memberships set role = $2 where user_id = $1', [userId, to]);
  const id = await item(team, 'Take a car along', { status: 'pending_approval', status_key: 'pending_approval' }, 'requirement');
  await world.rows(
    `insert into approvals (account_id, workspace_id, item_id, user_id, action, item_version, status_before, status_key_before)
     values ($1, $2, $3, $4, 'requested', 2, 'planned', 'planned')`,
    [team.accountId, team.workspaceId, id, team.colleagueId],
  );
  t.deepEqual(await titles(team.person), [], 'a member decides nothing');
  await role(team.userId, 'manager');
  t.like((await read(team.person)).items[0], { title: 'Take a car along', asked: true, askedBy: 'Bo', owned: false });
  await role(team.colleagueId, 'owner');
  t.deepEqual(await titles(team.colleague), []);
  await role(team.userId, 'member');
  t.deepEqual(await titles(team.colleague), ['Take a car along'], 'the only approver decides their own');
  await world.rows(`update memberships set overrides = '{"requirements": "read"}' where user_id = $1`, [team.colleagueId]);
  t.deepEqual(await titles(team.colleague), [], 'to decide one must be able to write');
});

test('of very many items the first hundred by day are shown, and the rest is counted', async (t) => {
  const team = await world.team();
  await world.rows(
    `insert into items (account_id, workspace_id, type, title, status, status_key, assignee_id, due_date)
     select $1, $2, 'task', 'Task ' || n, 'planned', 'planned', $3, '2026-12-01'::date + n from generate_series(1, ${MOST_WORK + 20}) n`,
    [team.accountId, team.workspaceId, team.userId],
  );
  const { items, more } = await read(team.person);
  t.deepEqual([items.length, items[0]!.title, items.at(-1)!.title, more], [MOST_WORK, 'Task 1', `Task ${MOST_WORK}`, true]);
});

test("the day is in the person's zone: it has entries and blocks that touch it, however late in UTC", async (t) => {
  const team = await world.team('America/New_York');
  const timer = (from: string, to: string) =>
    world.rows(
      `insert into time_entries (account_id, workspace_id, user_id, item_id, kind, started_at, ended_at, day, minutes)
       values ($1, $2, $3, $4, 'timer', $5::timestamptz, $6::timestamptz, ($5::timestamptz at time zone 'UTC')::date, whole_minutes($5, $6))`,
      [team.accountId, team.workspaceId, team.userId, team.itemId, from, to],
    );
  // 22:00 to 23:30 on Wednesday in New York; 23:30 on Wednesday to 00:30 on Thursday; Friday.
  await timer('2026-11-26T03:00Z', '2026-11-26T04:30Z');
  await timer('2026-11-26T04:30Z', '2026-11-26T05:30Z');
  await timer('2026-11-27T15:00Z', '2026-11-27T16:00Z');
  await world.rows(
    `insert into time_entries (account_id, workspace_id, user_id, item_id, kind, day, minutes) values ($1, $2, $3, $4, 'manual', $5, 20)`,
    [team.accountId, team.workspaceId, team.userId, team.itemId, DAY],
  );
  const block = (startLocal: string, endLocal: string, starts: string, ends: string, state = 'scheduled') =>
    world.rows(
      `insert into plan_blocks (account_id, workspace_id, user_id, item_id, start_local, end_local, timezone, starts_at, ends_at, state)
       values ($1, $2, $3, $4, $5, $6, 'America/New_York', $7, $8, $9)`,
      [team.accountId, team.workspaceId, team.userId, team.itemId, startLocal, endLocal, starts, ends, state],
    );
  await block('2026-11-29T23:00', '2026-11-30T01:00', '2026-11-30T04:00Z', '2026-11-30T06:00Z');
  await block('2026-11-30T09:00', '2026-11-30T10:00', '2026-11-30T14:00Z', '2026-11-30T15:00Z');
  await block('2026-11-25T09:00', '2026-11-25T10:00', '2026-11-25T14:00Z', '2026-11-25T15:00Z', 'cancelled');
  const day = await read(team.person, DAY, 'America/New_York');
  t.deepEqual([day.starts, day.ends], ['2026-11-25T05:00:00.000Z', '2026-11-26T05:00:00.000Z']);
  t.deepEqual(
    day.entries.map(({ startedAt, minutes }) => [startedAt, minutes]),
    [
      ['2026-11-26T03:00:00.000Z', 90],
      ['2026-11-26T04:30:00.000Z', 60],
      [null, 20],
    ],
  );
  t.deepEqual(
    [...day.days],
    [
      ['2026-11-25', 20],
      ['2026-11-26', 150],
      ['2026-11-27', 60],
    ],
  );
  t.deepEqual(
    day.blocks.map(({ startLocal }) => startLocal),
    ['2026-11-29T23:00'],
    'of the week from Monday to Sunday in New York, without what was cancelled',
  );
  t.is((await read(team.person, '2026-11-26', 'America/New_York')).entries.length, 1, 'what goes over midnight is on both days');
  t.deepEqual((await read(team.colleague)).entries, []);
});

test('items planned in the next days appear with their next time, also behind very many others', async (t) => {
  const team = await world.team();
  await world.rows(
    `insert into items (account_id, workspace_id, type, title, status, status_key, assignee_id, due_date)
     select $1, $2, 'task', 'Late ' || n, 'planned', 'planned', $3, '2026-01-01' from generate_series(1, ${MOST_WORK}) n`,
    [team.accountId, team.workspaceId, team.userId],
  );
  const mine = await item(team, 'planned', { assignee_id: team.userId });
  const theirs = await item(team, 'of somebody else', { assignee_id: team.colleagueId });
  await world.rows(
    `insert into plan_blocks (account_id, workspace_id, user_id, item_id, start_local, end_local, timezone, starts_at, ends_at)
     select $1, $2, $3, i, '2026-11-25T09:00', '2026-11-25T10:00', 'UTC', now() + h * interval '1 hour', now() + (h + 1) * interval '1 hour'
     from unnest($4::bigint[]) i, unnest(array[30, 3]) h`,
    [team.accountId, team.workspaceId, team.userId, [mine, theirs]],
  );
  const { items, planned } = await read(team.person);
  t.is(items.length, MOST_WORK + 1);
  t.is(items.at(-1)!.title, 'planned');
  const [{ next }] = await world.rows('select starts_at as next from plan_blocks where item_id = $1 order by starts_at limit 1', [mine]);
  t.is(planned.get(mine), next.toISOString());
});
