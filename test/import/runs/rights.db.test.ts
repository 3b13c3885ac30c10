/** What an import may write and tell, by the rights of its person and of its readers (behaviour §36.20–§36.27). */
import { chooseImport, getImport, importProblems, resumeImport, undoImport } from '../../../src/import/runs/imports.ts';
import { ImportMap } from '../../../src/import/sources/map.ts';
import { moveItems, previewMove } from '../../../src/moves/moveItems.ts';
import { outputOf } from '../../../src/operations/json.ts';
import { perform } from '../../../src/operations/perform.ts';
import { suite } from '../../support/suite.ts';
import { runDueJobs } from '../../support/tasks.ts';
import { type Team, timeWorld } from '../../support/timeWorld.ts';
import { fileOf, imported, itemOf, owner, start, stateOf, upload } from './importWorld.ts';

const test = suite(import.meta.url);

const world = timeWorld();

const manager = (userId: number, overrides: object = {}) =>
  world.rows(`update memberships set role = 'manager', overrides = $2 where user_id = $1`, [userId, overrides]);

/** What the colleague, a manager with these overrides, reads of the rows to check. */
async function problemsFor(team: Team, importId: number, overrides: object) {
  await manager(team.colleagueId, overrides);
  const found = await perform(world.db, team.colleague, importProblems, { workspaceId: team.workspaceId, importId });
  return outputOf(found).map(({ key, title, problem }) => ({ key, title, problem }));
}

const HIDDEN = 'You may not see the item of this row, so the reason is not shown.';

test('an undo names what it keeps only to those who may read it, and gives one reason for all of it', async (t) => {
  const team = await owner(world);
  const id = await imported(world, team, [
    { key: 'RU-1', milestone: 'Quiet harbour' },
    { key: 'RU-2', type: 'Epic' },
  ]);
  const release = await world.value(`select id from items where title = 'Quiet harbour' and workspace_id = $1`, [team.workspaceId]);
  const epic = await itemOf(world, 'RU-2');
  await world.rows('update items set requirement_id = $1 where id = $2', [epic.id, team.itemId]);
  await world.rows(`update items set title = 'Silent harbour', version = version + 1 where id = $1`, [release]);
  await perform(world.db, team.person, undoImport, { workspaceId: team.workspaceId, importId: id });
  await runDueJobs(world);
  t.is((await stateOf(world, id)).state, 'undone');
  t.notRegex(JSON.stringify(await world.rows('select * from import_rows where import_id = $1', [id])), /harbour/);
  const reason = 'since the import it was changed, or got comments, time or items below it.';
  const all = await problemsFor(team, id, {});
  t.deepEqual(
    all.sort((a, b) => (a.title! < b.title! ? -1 : 1)),
    [
      { key: 'RU-2', title: 'RU-2', problem: `Kept item ${epic.id}: ${reason}` },
      { key: null, title: 'Silent harbour', problem: `Kept item ${release}: ${reason}` },
    ],
  );
  t.deepEqual(await problemsFor(team, id, { releases: 'none', requirements: 'none' }), [
    { key: null, title: null, problem: HIDDEN },
    { key: 'RU-2', title: null, problem: HIDDEN },
  ]);
});

test('only users who may read an item or its move see why its row was not wholly written', async (t) => {
  const team = await owner(world);
  const elsewhere = await team.workspace();
  await world.rows(`update memberships set role = 'owner' where user_id = $1`, [team.userId]);
  const keys = ['RP-1', 'RP-2', 'RP-3'];
  await imported(world, team, [...keys.map((key) => ({ key, type: 'Epic' }))]);
  const [changed, moved] = [await itemOf(world, 'RP-1'), await itemOf(world, 'RP-2')];
  await world.rows(`update items set title = 'Ours', version = version + 1 where id = $1`, [changed.id]);
  const input = { workspaceId: team.workspaceId, targetId: elsewhere, ids: [moved.id], below: true };
  const { seen } = outputOf(await perform(world.db, team.person, previewMove, input));
  await perform(world.db, team.person, moveItems, { ...input, seen });
  const labels = [...Array.from({ length: 3 }, (_, n) => `l${n}`)];
  await world.rows(
    `insert into labels (account_id, workspace_id, name, color, archived_at) select $1, $2, unnest($3::text[]), 'grey', now()`,
    [team.accountId, team.workspaceId, labels],
  );
  const id = await imported(world, team, [
    { key: 'RP-1', type: 'Epic', title: 'New', labels },
    { key: 'RP-2', type: 'Epic', title: 'New' },
    { key: 'RP-3', title: 'New' },
    { key: 'RP-4', title: 'New', labels },
  ]);
  const left = `Left out labels that are archived or above the workspace's limit: ${labels.join(', ')}.`;
  const told = [
    `Kept what was changed here: Title. ${left}`,
    'This item was moved to another workspace. Change it there.',
    'It is a requirement here: only comments were added.',
    left,
  ];
  const problems = async (overrides: object) => (await problemsFor(team, id, overrides)).map(({ problem }) => problem);
  t.deepEqual(await problems({}), told);
  t.deepEqual(await problems({ requirements: 'none' }), [HIDDEN, HIDDEN, HIDDEN, left]);
});

test('an import changes neither link nor stored values of items that its person may only read', async (t) => {
  const team = await owner(world);
  const [type, title] = ['Epic', 'Same'];
  await imported(world, team, [{ key: 'RW-1', type, title }, { key: 'RW-2' }]);
  await world.rows(`update imported_items set url = 'https://right.example' where key = 'RW-1'`);
  const before = await itemOf(world, 'RW-1');
  await manager(team.userId, { requirements: 'read' });
  const id = await imported(
    world,
    team,
    [
      {
        key: 'RW-1',
        type,
        title,
        description: 'https://wrong.example',
        comments: [{ author: 'Zoe', at: '03/Feb/26 10:00 AM', body: 'One.' }],
      },
      { key: 'RW-2', title: 'New' },
    ],
    { map: { columns: { Description: 'url' } } },
  );
  t.like(await stateOf(world, id), { state: 'done', updated: 1, unchanged: 0, refused: 1, comments: 0 });
  t.deepEqual(await itemOf(world, 'RW-1'), before);
  t.is(
    await world.value('select problem from import_rows where import_id = $1 and refused', [id]),
    'You may not write items of this type, or it links to one that you may not see.',
  );
});

test('only those who run the workspace create statuses by an import, and the audit tells of it', async (t) => {
  const team = await owner(world);
  await manager(team.colleagueId);
  const cy = { ...team, person: team.colleague };
  const map = { unknownStatuses: 'create' };
  const file = fileOf([{ key: 'RS-1', status: 'Waiting for QA' }]);
  const needed = /^Only an owner of the workspace or an administrator of the account can create statuses\./;
  const own = await upload(world, cy, file, { map });
  await runDueJobs(world);
  const refused = await stateOf(world, own);
  t.is(refused.state, 'unreadable');
  t.regex(refused.problem, needed);
  const choice = { workspaceId: team.workspaceId, importId: own, format: 'jira' as const, map: ImportMap.parse(map) };
  await t.throwsAsync(perform(world.db, cy.person, chooseImport, choice), { message: needed });

  const id = await upload(world, team, file, { map });
  await runDueJobs(world);
  await start(world, cy, id);
  await runDueJobs(world);
  const stopped = await stateOf(world, id);
  t.like(stopped, { state: 'stopped', created: 0 });
  t.regex(stopped.problem, needed);
  const statuses = () =>
    world.value(`select count(*) from statuses where workspace_id = $1 and label = 'Waiting for QA'`, [team.workspaceId]);
  const lines = () =>
    world.rows(`select via, actor_id from audit where workspace_id = $1 and kind = 'workspace.words'`, [team.workspaceId]);
  t.is(await statuses(), 0);
  t.deepEqual(await lines(), []);
  await perform(world.db, team.person, resumeImport, { workspaceId: team.workspaceId, importId: id });
  await runDueJobs(world);
  t.like(await stateOf(world, id), { state: 'done', created: 1 });
  t.is(await statuses(), 1);
  t.deepEqual(await lines(), [{ via: 'import', actor_id: team.userId }]);

  const mapOf = async (by: Team) => (await stateOf(world, await upload(world, by, file))).map.unknownStatuses;
  t.is(await mapOf(team), 'create');
  t.is(await mapOf(cy), 'nearest');
});

test('an import shows no addresses of members: they are chosen by name', async (t) => {
  const team = await owner(world);
  const mails = await world.rows('select id, email from users where account_id = $1', [team.accountId]);
  const mail = mails.find(({ id }) => id === team.colleagueId).email;
  const file = fileOf([
    { key: 'RM-1', assignee: 'Zoe' },
    { key: 'RM-2', assignee: 'Ana' },
  ]);
  const id = await upload(world, team, file, { map: { people: { Zoe: mail } } });
  await runDueJobs(world);
  await manager(team.userId);
  const input = { workspaceId: team.workspaceId, importId: id };
  const found = outputOf(await perform(world.db, team.person, getImport, input));
  for (const { email } of mails) t.false(JSON.stringify(found).includes(email), email);
  t.deepEqual(found.map.people, { Zoe: { member: team.colleagueId } });
  t.deepEqual(found.report?.people.entries.map(({ name, member }) => [name, member]).sort(), [
    ['Ana', 'Ana'],
    ['Zoe', 'Bo'],
  ]);
  const choose = (people: ImportMap['people']) =>
    perform(world.db, team.person, chooseImport, { ...input, format: 'jira' as const, map: { ...found.map, people } });
  await t.throwsAsync(choose({ Zoe: { member: 0x7fff_ffff } }), { message: /^people\.Zoe: that person is not a member/ });
  await choose({ Zoe: { member: team.colleagueId } });
  await runDueJobs(world);
  await start(world, team, id);
  await runDueJobs(world);
  t.is((await itemOf(world, 'RM-1')).assignee_id, team.colleagueId);
});
