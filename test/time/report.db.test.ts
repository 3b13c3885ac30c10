/** The time report over HTTP: the user's own, everyone's with oversight, and as a file. */
import { timeLines, timeReport } from '../../src/time/report.ts';
import { Forbidden, InvalidRequest } from '../../src/values/errors.ts';
import { type Any, act, ownWorld, place, world } from '../capacity/snapshots/place.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);
ownWorld();

async function log(userId: number, workspaceId: number, itemId: number, day: string, minutes: number) {
  await world.rows(
    `insert into time_entries (account_id, workspace_id, user_id, item_id, kind, day, minutes, note) select account_id, $2, $1, $3, 'manual', $4, $5, 'my own words' from workspaces where id = $2`,
    [userId, workspaceId, itemId, day, minutes],
  );
}

const add = async (workspaceId: number, type: string, title: string, links: Record<string, number> = {}) => {
  const names = Object.keys(links);
  return world.value(
    `insert into items (account_id, workspace_id, type, title, status, status_key${names.map((name) => `, ${name}`).join('')}) select account_id, id, $2, $3, 'planned', 'planned'${names.map((_, n) => `, $${n + 4}`).join('')} from workspaces where id = $1 returning id`,
    [workspaceId, type, title, ...Object.values(links)],
  );
};

const span = { from: '2026-01-01', to: '2026-02-28' };
const shown = ({ groups }: Any) => groups.map(({ label, minutes }: Any) => [label, minutes]);

test('sums by requirement and goal, over all workspaces that the reader oversees', async (t) => {
  const { owner, person, colleague, userId, colleagueId, workspaceId, otherId } = await place();
  const goal = await add(workspaceId, 'goal', 'Aim');
  const top = await add(workspaceId, 'requirement', 'Top', { goal_id: goal });
  const below = await add(workspaceId, 'requirement', 'Below', { parent_id: top });
  const task = await add(workspaceId, 'task', 'Task', { requirement_id: below });
  const sub = await add(workspaceId, 'task', 'Subtask', { parent_item_id: task });
  const loose = await add(otherId, 'task', 'Loose');
  await log(userId, workspaceId, sub, '2026-01-05', 60);
  await log(colleagueId, workspaceId, top, '2026-01-05', 20);
  await log(userId, workspaceId, goal, '2026-01-06', 5);
  await log(userId, otherId, loose, '2026-01-06', 30);
  const report = (by: string, at: number | string) => act(owner, timeReport, { workspaceId: at, ...span, by });
  t.deepEqual(shown(await report('requirement', workspaceId)), [
    ['Below', 60],
    ['Top', 20],
    [null, 5],
  ]);
  t.deepEqual(shown(await report('goal', 'all')), [
    ['Aim', 85],
    [null, 30],
  ]);
  const lines = await act(owner, timeLines, { workspaceId: 'all', ...span });
  t.deepEqual(
    lines.map(({ title, requirement, goal: aim }: Any) => [title, requirement, aim]),
    [
      ['Subtask', 'Below', 'Aim'],
      ['Top', 'Top', 'Aim'],
      ['Aim', null, 'Aim'],
      ['Loose', null, null],
    ],
  );
  t.false(JSON.stringify(lines).includes('my own words'));
  await t.throwsAsync(act(colleague, timeReport, { workspaceId: 'all', ...span, by: 'goal' }), { instanceOf: Forbidden });
  await world.rows(`update memberships set overrides = '{"goals":"none"}' where workspace_id = $1 and user_id = $2`, [workspaceId, userId]);
  t.deepEqual(shown(await act(person, timeReport, { workspaceId: 0, ...span, by: 'goal' })), [[null, 95]]);
});

test('sums by item, person, release, type, day, week and month agree, for everyone and for one user', async (t) => {
  const here = await place();
  const { owner, person, userId, colleagueId, workspaceId, otherId } = here;
  const release = await add(workspaceId, 'release', 'One');
  const top = await add(workspaceId, 'requirement', 'Top', { release_id: release });
  const below = await add(workspaceId, 'requirement', 'Below', { parent_id: top });
  const deep = await add(workspaceId, 'task', 'Deep', { requirement_id: below });
  const loose = await add(workspaceId, 'task', 'Loose');
  const elsewhere = await add(otherId, 'task', 'Elsewhere');
  await log(userId, workspaceId, deep, '2026-01-05', 60);
  await log(userId, workspaceId, loose, '2026-01-06', 30);
  await log(colleagueId, workspaceId, deep, '2026-02-02', 90);
  await log(userId, otherId, elsewhere, '2026-02-03', 15);
  await log(userId, workspaceId, deep, '2026-03-01', 600);

  const all = (by: string) => act(owner, timeReport, { workspaceId, ...span, by });
  t.is((await all('item')).total, 180);
  t.deepEqual(shown(await all('item')), [
    ['Deep', 150],
    ['Loose', 30],
  ]);
  t.deepEqual(shown(await all('person')), [
    ['Ana', 90],
    ['Bo', 90],
  ]);
  t.deepEqual(shown(await all('release')), [
    ['One', 150],
    [null, 30],
  ]);
  t.deepEqual(shown(await all('type')), [['task', 180]]);
  t.deepEqual(shown(await all('day')), [
    ['2026-01-05', 60],
    ['2026-01-06', 30],
    ['2026-02-02', 90],
  ]);
  t.deepEqual(shown(await all('week')), [
    ['2026-01-05', 90],
    ['2026-02-02', 90],
  ]);
  t.deepEqual(shown(await all('month')), [
    ['2026-01', 90],
    ['2026-02', 90],
  ]);
  t.deepEqual(shown(await act(person, timeReport, { workspaceId: 0, ...span, by: 'item' })), [
    ['Deep', 60],
    ['Loose', 30],
    ['Elsewhere', 15],
  ]);
});

test("without oversight there is only the user's own time, and hidden items have no name", async (t) => {
  const here = await place();
  const { owner, person, colleague, userId, workspaceId } = here;
  const goal = await add(workspaceId, 'goal', 'Secret goal');
  await log(userId, workspaceId, goal, '2026-01-05', 60);
  await t.throwsAsync(act(colleague, timeReport, { workspaceId, ...span, by: 'item' }), { instanceOf: Forbidden });
  t.deepEqual(shown(await act(colleague, timeReport, { workspaceId: 0, ...span, by: 'item' })), []);
  await world.rows(`update items set archived_at = now() where id = $1`, [goal]);
  t.deepEqual(shown(await act(owner, timeReport, { workspaceId, ...span, by: 'item' })), [[null, 60]]);
  t.deepEqual(shown(await act(person, timeReport, { workspaceId: 0, ...span, by: 'type' })), [[null, 60]]);
});

test('invalid days are refused, each with what to do', async (t) => {
  const { person } = await place();
  const refused = (given: object) =>
    t.throwsAsync(act(person, timeReport, { workspaceId: 0, by: 'item', ...given }), { instanceOf: InvalidRequest });
  t.regex((await refused({ from: '2026-02-01', to: '2026-01-01' }))!.message, /not before the first/);
  t.regex((await refused({ from: '2020-01-01', to: '2026-01-01' }))!.message, /at most 366 days/);
  await refused({ from: '2026-02-30', to: '2026-03-01' });
  await refused({ ...span, by: 'mood' });
});
