/** The time report over HTTP: the user's own, everyone's with oversight, and as a file. */
import test from 'ava';
import { timeReport } from '../../src/time/report.ts';
import { Forbidden, InvalidRequest } from '../../src/values/errors.ts';
import { type Any, act, place, world } from '../capacity/snapshots/place.ts';

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
