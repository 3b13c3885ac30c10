/** Imports from pages, with real PostgreSQL and the worker's tasks (behaviour §36.20–§36.27). */
import { importNow } from '../../../src/import/runs/importNow.ts';
import { cancelImport, chooseImport, getImport, importProblems, resumeImport, undoImport } from '../../../src/import/runs/imports.ts';
import { runImport } from '../../../src/import/runs/run.ts';
import { ImportMap } from '../../../src/import/sources/map.ts';
import { moveItems, previewMove } from '../../../src/moves/moveItems.ts';
import { outputOf } from '../../../src/operations/json.ts';
import { perform } from '../../../src/operations/perform.ts';
import { suite } from '../../support/suite.ts';
import { runDueJobs } from '../../support/tasks.ts';
import { type Team, timeWorld } from '../../support/timeWorld.ts';
import { fileOf, imported, itemOf, owner, pieces, start, stateOf, upload } from './importWorld.ts';

const test = suite(import.meta.url);

const world = timeWorld();

async function ownWorkspace({ workspace, userId }: Team): Promise<number> {
  const id = await workspace();
  await world.value(`update memberships set role = 'owner' where workspace_id = $1 and user_id = $2`, [id, userId]);
  return id;
}

test('issues become items with parents, dependencies, labels, releases and comments', async (t) => {
  const team = await owner(world);
  const id = await imported(world, team, [
    { key: 'A-3', title: 'Child', parent: 'A-1', blockedBy: ['A-2'], labels: ['Shop', 'Late'], assignee: 'Bo', milestone: 'Spring' },
    {
      key: 'A-2',
      title: 'Blocker',
      status: 'done',
      comments: [
        { author: 'Bo', at: '03/Feb/26 10:00 AM', body: 'Ready.' },
        { author: 'Zoe', at: '03/Feb/26 11:00 AM', body: 'Fine.' },
      ],
    },
    { key: 'A-1', title: 'Epic', type: 'Epic' },
    'bad',
  ]);
  const run = await stateOf(world, id);
  t.like(run, { state: 'done', problem: null, created: 4, updated: 0, refused: 1, comments: 2, staged: null, blob_id: null });
  const [child, epic, blocker] = [await itemOf(world, 'A-3'), await itemOf(world, 'A-1'), await itemOf(world, 'A-2')];
  t.like(child, { requirement_id: epic.id, assignee_id: team.colleagueId, version: 1 });
  t.is(await world.value('select title from items where id = $1', [child.release_id]), 'Spring');
  t.is(await world.value('select blocker_id from item_dependencies where item_id = $1', [child.id]), blocker.id);
  t.deepEqual(
    (
      await world.rows('select l.name from item_labels o join labels l on l.id = o.label_id where o.item_id = $1 order by 1', [child.id])
    ).map(({ name }) => name),
    ['Late', 'Shop'],
  );
  const comments = await world.rows('select author_id, body, created_at from comments where item_id = $1 order by created_at', [
    blocker.id,
  ]);
  t.deepEqual(
    comments.map(({ author_id, body }) => [author_id, body]),
    [
      [team.colleagueId, 'Ready.'],
      [team.userId, '**Zoe** wrote:\n\nFine.'],
    ],
  );
  t.is(comments[0].created_at.toISOString(), '2026-02-03T10:00:00.000Z');
  const changes = await world.rows('select kind, via, actor_id, fields from changes where item_id = $1', [child.id]);
  t.like(changes[0], { kind: 'item.created', via: 'import', actor_id: team.userId });
  t.deepEqual(changes[0].fields.labels, [[], ['Late', 'Shop']]);
  t.is(changes.length, 1);
  t.true((await world.value('select words from item_texts where item_id = $1', [child.id])).endsWith('\na-3'));
  const problems = await perform(world.db, team.person, importProblems, { workspaceId: team.workspaceId, importId: id });
  t.like(problems, { 0: { problem: 'it has no key', refused: true } });
});

test('a newer export updates items, keeps what was changed here and adds only new comments', async (t) => {
  const team = await owner(world);
  const first = { author: 'Zoe', at: '03/Feb/26 10:00 AM', body: 'One.' };
  await imported(world, team, [
    { key: 'B-1', title: 'Old', description: 'Old text', labels: ['x', 'y'], comments: [first] },
    { key: 'B-2', title: 'Two' },
  ]);
  const before = await itemOf(world, 'B-1');
  await world.rows(`update items set title = 'Ours', version = version + 1 where id = $1`, [before.id]);
  const id = await imported(world, team, [
    {
      key: 'B-1',
      title: 'New',
      description: 'New text',
      labels: ['y', 'z'],
      blockedBy: ['B-2'],
      comments: [first, { author: 'Zoe', at: '04/Feb/26 10:00 AM', body: 'Two.' }],
    },
    { key: 'B-2', title: 'Two' },
    { key: 'B-3' },
  ]);
  t.like(await stateOf(world, id), { state: 'done', created: 1, updated: 1, unchanged: 1, refused: 0, comments: 1 });
  const after = await itemOf(world, 'B-1');
  t.like(after, { id: before.id, title: 'Ours', description: 'New text', version: 3 });
  t.is(await world.value('select count(*) from comments where item_id = $1', [after.id]), 2);
  t.deepEqual(
    (
      await world.rows('select l.name from item_labels o join labels l on l.id = o.label_id where o.item_id = $1 order by 1', [after.id])
    ).map(({ name }) => name),
    ['y', 'z'],
  );
  t.is(await world.value('select count(*) from item_dependencies where item_id = $1', [after.id]), 1);
  t.is(await world.value('select problem from import_rows where import_id = $1', [id]), 'Kept what was changed here: Title.');
  const again = await imported(world, team, [
    { key: 'B-1', title: 'New', description: 'New text', labels: ['y', 'z'], blockedBy: ['B-2'], comments: [first] },
  ]);
  t.like(await stateOf(world, again), { created: 0, updated: 0, unchanged: 1, comments: 0 });
  t.is((await itemOf(world, 'B-1')).version, 3);
  // As after a move of the account, which leaves this table out.
  await world.rows('delete from imported_comments where workspace_id = $1', [team.workspaceId]);
  const moved = await imported(world, team, [{ key: 'B-1', title: 'New', comments: [first] }]);
  t.is((await stateOf(world, moved)).comments, 0);
});

async function move({ person }: Team, workspaceId: number, targetId: number, id: number): Promise<void> {
  const input = { workspaceId, targetId, ids: [id], below: true };
  const { seen } = outputOf(await perform(world.db, person, previewMove, input));
  await perform(world.db, person, moveItems, { ...input, seen });
}

test('a newer export leaves an item that was moved to another workspace there, and updates it after it came back', async (t) => {
  const team = await owner(world);
  const other = await ownWorkspace(team);
  await imported(world, team, [{ key: 'M-1', title: 'Old' }, { key: 'M-2' }]);
  const { id } = await itemOf(world, 'M-1');
  await move(team, team.workspaceId, other, id);
  const newer = [{ key: 'M-1', title: 'New' }, { key: 'M-2' }, { key: 'M-3', parent: 'M-1', blockedBy: ['M-1'] }];
  const run = await imported(world, team, newer);
  t.like(await stateOf(world, run), { state: 'done', created: 1, unchanged: 1, refused: 1 });
  t.is(
    await world.value('select problem from import_rows where import_id = $1 and refused', [run]),
    'This item was moved to another workspace. Change it there.',
  );
  t.like(await itemOf(world, 'M-1'), { id, title: 'Old', workspace_id: other });
  t.is(await world.value(`select count(*) from imported_items where key = 'M-1'`), 1);
  await move(team, other, team.workspaceId, id);
  t.like(await stateOf(world, await imported(world, team, newer)), { created: 0, updated: 2, unchanged: 1, refused: 0 });
  t.like(await itemOf(world, 'M-1'), { id, title: 'New', workspace_id: team.workspaceId });
});

test('a newer export does not tell whether a hidden item has moved', async (t) => {
  const team = await owner(world);
  const file = ['H-1', 'H-2'].map((key) => ({ key, type: 'Epic' }));
  await imported(world, team, file);
  await move(team, team.workspaceId, await ownWorkspace(team), (await itemOf(world, 'H-2')).id);
  await world.rows(`update memberships set overrides = '{"requirements": "none"}' where workspace_id = $1`, [team.workspaceId]);
  const run = await imported(world, team, file);
  t.like(await stateOf(world, run), { state: 'done', refused: 2 });
  const problem = 'This item is archived here, or you may not see it. Restore it, then import the file again.';
  t.deepEqual(await world.rows('select key, problem from import_rows where import_id = $1 and refused order by key', [run]), [
    { key: 'H-1', problem },
    { key: 'H-2', problem },
  ]);
});

test('a key that only another workspace has makes a new item', async (t) => {
  const team = await owner(world);
  const other = { ...team, workspaceId: await ownWorkspace(team) };
  await imported(world, other, [{ key: 'O-1' }]);
  t.like(await stateOf(world, await imported(world, team, [{ key: 'O-1' }])), { created: 1, refused: 0 });
});

test('a refused row does not take the others of its batch with it', async (t) => {
  const team = await owner(world);
  await world.rows(`update memberships set overrides = '{"requirements": "read"}' where user_id = $1`, [team.userId]);
  const id = await imported(world, team, [{ key: 'C-1' }, { key: 'C-2', type: 'Epic' }, { key: 'C-3' }]);
  t.like(await stateOf(world, id), { state: 'done', created: 2, refused: 1 });
  t.truthy(await itemOf(world, 'C-3'));
  t.is(await world.value('select key from import_rows where import_id = $1 and refused', [id]), 'C-2');
});

test('a parent that waits for its child is imported, and the dependency is set last', async (t) => {
  const team = await owner(world);
  const id = await imported(world, team, [
    { key: 'D-1', parent: 'D-2' },
    { key: 'D-2', blockedBy: ['D-1'] },
  ]);
  t.like(await stateOf(world, id), { state: 'done', created: 2, updated: 0, refused: 0 });
  const [child, parent] = [await itemOf(world, 'D-1'), await itemOf(world, 'D-2')];
  t.is(child.parent_item_id, parent.id);
  t.is(await world.value('select item_id from item_dependencies where blocker_id = $1', [child.id]), parent.id);
});

test('two workers that run the same import at once write each row once', async (t) => {
  const team = await owner(world);
  const issues = Array.from({ length: 450 }, (_, n) => ({
    key: `T-${n}`,
    comments: [{ author: 'Bo', at: '03/Feb/26 10:00 AM', body: `${n}` }],
  }));
  const id = await upload(world, team, fileOf(issues));
  await runDueJobs(world);
  await start(world, team, id);
  const { signal } = new AbortController();
  await Promise.all([1, 2, 3].map(() => runImport(world.db, id, signal)));
  t.like(await stateOf(world, id), { state: 'done', created: 450, updated: 0, refused: 0, comments: 450 });
  const places = [`items where title like 'T-%' and workspace_id`, 'comments where workspace_id'];
  for (const place of places) t.is(await world.value(`select count(*)::int from ${place} = $1`, [team.workspaceId]), 450);
});

test('two imports at once: the second is refused with a clear sentence', async (t) => {
  const team = await owner(world);
  const [one, two] = [await upload(world, team, fileOf([{ key: 'E-1' }])), await upload(world, team, fileOf([{ key: 'E-2' }]))];
  await runDueJobs(world);
  await start(world, team, one);
  await t.throwsAsync(start(world, team, two), { message: /^Another import is running in this workspace/ });
  await runDueJobs(world);
  await start(world, team, two);
  await runDueJobs(world);
  t.truthy(await itemOf(world, 'E-2'));
});

test('an import cancelled between batches keeps the written rows, and resuming it writes each of the others once', async (t) => {
  const team = await owner(world);
  const issues = Array.from({ length: 450 }, (_, n) => ({ key: `F-${n}`, labels: ['f'] }));
  const id = await upload(world, team, fileOf(issues));
  await runDueJobs(world);
  await start(world, team, id);
  // The trigger cancels it after the second batch, as a user would.
  await world.rows(`create function cancel_second() returns trigger language plpgsql as $$ begin
    if new.id = ${id} and new.done = 400 then new.state = 'stopped'; end if; return new; end $$`);
  await world.rows('create trigger cancel_second before update of done on imports for each row execute function cancel_second()');
  await runDueJobs(world);
  await world.rows('drop trigger cancel_second on imports');
  t.like(await stateOf(world, id), { state: 'stopped', created: 400 });
  await perform(world.db, team.person, resumeImport, { workspaceId: team.workspaceId, importId: id });
  await runDueJobs(world);
  t.like(await stateOf(world, id), { state: 'done', created: 450, done: 450 });
  t.is(await world.value('select count(*) from items where workspace_id = $1', [team.workspaceId]), 451);
  await t.throwsAsync(perform(world.db, team.person, cancelImport, { workspaceId: team.workspaceId, importId: id }), {
    message: /has ended already/,
  });
});

test('an import stops and says so when its person loses the right, and another person resumes it', async (t) => {
  const team = await owner(world);
  const id = await upload(world, team, fileOf([{ key: 'G-1' }]));
  await runDueJobs(world);
  await start(world, team, id);
  await world.rows(`update memberships set role = case user_id when $2 then 'member' else 'owner' end where workspace_id = $1`, [
    team.workspaceId,
    team.userId,
  ]);
  await runDueJobs(world);
  const stopped = await stateOf(world, id);
  t.is(stopped.state, 'stopped');
  t.regex(stopped.problem, /may no longer import into this workspace/);
  t.is(await itemOf(world, 'G-1'), undefined);
  await t.throwsAsync(perform(world.db, team.person, resumeImport, { workspaceId: team.workspaceId, importId: id }), {
    message: /no access/,
  });
  await perform(world.db, team.colleague, resumeImport, { workspaceId: team.workspaceId, importId: id });
  await runDueJobs(world);
  t.is((await stateOf(world, id)).state, 'done');
});

test('undo archives what no one has changed, once, and lists the rest', async (t) => {
  const team = await owner(world);
  const issues = [
    { key: 'H-0', type: 'Epic' },
    ...Array.from({ length: 120 }, (_, n) => ({ key: `H-${n + 1}`, parent: n < 3 ? 'H-0' : undefined })),
  ].map(({ parent, ...one }: { key: string; type?: string; parent?: string | undefined }) => ({ ...one, ...(parent && { parent }) }));
  const id = await imported(world, team, issues);
  const [epic, child, noted, timed] = [
    await itemOf(world, 'H-0'),
    await itemOf(world, 'H-1'),
    await itemOf(world, 'H-50'),
    await itemOf(world, 'H-51'),
  ];
  await world.rows(`update items set title = 'Ours', version = version + 1 where id = $1`, [child.id]);
  await world.rows(
    `insert into changes (account_id, workspace_id, item_id, actor_id, via, kind, version) select account_id, workspace_id, id, $2, 'page', 'comment.created', 1 from items where id = $1`,
    [noted.id, team.colleagueId],
  );
  await world.rows(
    `insert into time_entries (account_id, workspace_id, user_id, item_id, kind, day, minutes, note) values ($1, $2, $3, $4, 'manual', '2026-03-02', 5, '')`,
    [team.accountId, team.workspaceId, team.userId, timed.id],
  );
  await perform(world.db, team.person, undoImport, { workspaceId: team.workspaceId, importId: id });
  await runDueJobs(world);
  t.like(await stateOf(world, id), { state: 'undone', problem: null, done: 121, total: 121 });
  const shown = await world.rows('select id from items where workspace_id = $1 and shown and id <> $2 order by id', [
    team.workspaceId,
    team.itemId,
  ]);
  t.deepEqual(
    shown.map((row) => row.id),
    [epic.id, child.id, noted.id, timed.id].sort((a, b) => a - b),
  );
  const kept = await world.rows('select key, problem from import_rows where import_id = $1 order by key', [id]);
  t.deepEqual(kept.map(({ key }) => key).sort(), ['H-0', 'H-1', 'H-50', 'H-51']);
  t.is(
    await world.value(`select count(*) from changes where workspace_id = $1 and kind = 'item.archived' and via = 'import'`, [
      team.workspaceId,
    ]),
    117,
  );
  await t.throwsAsync(perform(world.db, team.person, undoImport, { workspaceId: team.workspaceId, importId: id }), {
    message: /can no longer be undone/,
  });
  // Their keys are free again.
  await imported(world, team, [{ key: 'H-2', title: 'Again' }]);
  t.is((await itemOf(world, 'H-2')).title, 'Again');
});

test('an undo that stopped can start again, and names no item that the person can not see', async (t) => {
  const team = await owner(world);
  const id = await imported(world, team, [{ key: 'U-1', milestone: 'Hidden harbour' }, { key: 'U-2' }]);
  const item = await itemOf(world, 'U-2');
  await world.rows(`update items set title = 'Ours', version = version + 1 where id = $1 or title = 'Hidden harbour'`, [item.id]);
  const undo = async () => {
    await perform(world.db, team.person, undoImport, { workspaceId: team.workspaceId, importId: id });
    await runDueJobs(world);
  };
  await undo();
  // As an undo leaves it that stopped before these items.
  await world.rows(`update imports set state = 'done' where id = $1`, [id]);
  await world.rows(`update imported_items set import_id = $1 where import_id is null and workspace_id = $2`, [id, team.workspaceId]);
  await world.rows(`update memberships set role = 'manager', overrides = '{"releases": "none", "milestones": "none"}' where user_id = $1`, [
    team.userId,
  ]);
  await undo();
  t.is((await stateOf(world, id)).state, 'undone');
  const kept = await world.rows('select key, problem from import_rows where import_id = $1 order by n desc', [id]);
  t.is(kept.length, 2);
  t.true(kept.some(({ key, problem }) => key === null && /the person who started the undo may not see it/.test(problem)));
});

test('items without ref in our own format become new items each time', async (t) => {
  const team = await owner(world);
  const fileWith = (...items: object[]) =>
    JSON.stringify({ accounts: [{ workspaces: [{ items: items.map((item) => ({ type: 'task', ...item })) }] }] });
  const bring = async (file: string) => {
    const id = await upload(world, team, file);
    await runDueJobs(world);
    await start(world, team, id);
    await runDueJobs(world);
    return stateOf(world, id);
  };
  t.like(await bring(fileWith({ title: 'Deck' }, { ref: 'hull', title: 'Hull' })), { state: 'done', created: 2 });
  t.like(await bring(fileWith({ title: 'Mast' }, { ref: 'hull', title: 'Hull 2' })), { state: 'done', created: 1, updated: 1 });
  const titles = await world.rows(
    'select i.title, k.key from items i join imported_items k on k.item_id = i.id where i.workspace_id = $1 order by 1',
    [team.workspaceId],
  );
  t.deepEqual(titles, [
    { title: 'Deck', key: null },
    { title: 'Hull 2', key: 'hull' },
    { title: 'Mast', key: null },
  ]);
});

test('members, keys and strangers can not import; a file that cannot be read is refused with the reason', async (t) => {
  const team = await owner(world);
  const other = await owner(world);
  await t.throwsAsync(upload(world, team, 'x', { by: team.colleague }), { message: /no access/ });
  await t.throwsAsync(upload(world, team, 'x', { by: other.person }), { message: /no access/ });
  await t.throwsAsync(upload(world, team, 'PK\x03\x04'), { message: /zip or Excel/ });
  t.is(await world.value('select count(*) from blobs where account_id = $1', [team.accountId]), 0);
  const half = await upload(world, team, '[{"number": 1, "title": "Half');
  await runDueJobs(world);
  const { state, problem } = await stateOf(world, half);
  t.is(state, 'unreadable');
  t.regex(problem, /JSON|line/i);
  await t.throwsAsync(start(world, team, half), { message: /has changed/ });
  t.deepEqual(await perform(world.db, team.person, cancelImport, { workspaceId: team.workspaceId, importId: half }), { kept: false });
  t.is(await world.value('select count(*) from blobs where account_id = $1', [team.accountId]), 0);
});

test('a file without keys makes new items each time, with the links of its rows', async (t) => {
  const team = await owner(world);
  const text = 'Title,Parent\nTop,\nBelow,Top\n';
  for (const round of [1, 2]) {
    const id = await upload(world, team, text);
    await runDueJobs(world);
    await start(world, team, id);
    await runDueJobs(world);
    t.like(await stateOf(world, id), { state: 'done', source: 'csv', created: 2, updated: 0 }, `round ${round}`);
  }
  const rows = await world.rows(
    'select i.title, up.title as above from items i left join items up on up.id = i.parent_item_id where i.workspace_id = $1 and i.id <> $2 order by i.id',
    [team.workspaceId, team.itemId],
  );
  t.deepEqual(
    rows.map(({ title, above }) => [title, above]),
    [
      ['Top', null],
      ['Below', 'Top'],
      ['Top', null],
      ['Below', 'Top'],
    ],
  );
  t.is(await world.value('select count(key) from imported_items where workspace_id = $1', [team.workspaceId]), 0);
});

test('imported items send no notifications', async (t) => {
  const team = await owner(world);
  await world.rows(`update users set kind = 'person' where id = $1`, [team.colleagueId]);
  await imported(world, team, [{ key: 'I-1', assignee: 'Bo', comments: [{ author: 'Zoe', at: '03/Feb/26 10:00 AM', body: 'Hi @Bo' }] }]);
  const { notificationsFollower } = await import('../../../src/notifications/follower.ts');
  const { follow } = await import('../../../src/changes/follow.ts');
  while (await follow(world.db, notificationsFollower));
  t.is(await world.value('select count(*) from notifications where user_id = $1', [team.colleagueId]), 0);
});

test('without pages, a dry run leaves nothing, and an import is written at once', async (t) => {
  const team = await owner(world);
  const caller = { kind: 'user', userId: team.userId } as const;
  const given = () => ({ workspaceId: team.workspaceId, fileName: 'shop.csv', source: pieces(fileOf([{ key: 'J-1' }])), quotaBytes: 1e9 });
  const how = { signal: new AbortController().signal };
  t.is((await importNow(world.db, caller, given(), { ...how, dryRun: true })).report?.issues, 1);
  t.is(await world.value('select count(*) from imports where workspace_id = $1', [team.workspaceId]), 0);
  t.is(await itemOf(world, 'J-1'), undefined);
  t.like(await importNow(world.db, caller, given(), { ...how, dryRun: false }), { state: 'done', created: 1 });
  await runDueJobs(world);
  t.like(await itemOf(world, 'J-1'), { title: 'J-1' });
});

test('a map that the workspace does not fit is refused with its place before a row is staged', async (t) => {
  const team = await owner(world);
  const bad = { statuses: { QA: 'qa' } };
  const id = await upload(world, team, fileOf([{ key: 'K-1', status: 'QA' }]), { map: bad });
  await runDueJobs(world);
  const run = await stateOf(world, id);
  t.is(run.state, 'unreadable');
  t.regex(run.problem, /^statuses\.QA: 'qa' is not a status that an import can set; give one of planned, /);
  t.is(await world.value('select count(*) from import_rows where import_id = $1', [id]), 0);
  await t.throwsAsync(start(world, team, id), { message: /has changed/ });
  const choose = (map: object) =>
    perform(world.db, team.person, chooseImport, {
      workspaceId: team.workspaceId,
      importId: id,
      format: 'jira',
      map: ImportMap.parse(map),
    });
  await t.throwsAsync(choose({ priorities: { P1: 'top' } }), { message: /^priorities\.P1: 'top' is not a priority of the workspace/ });
  await t.throwsAsync(choose({ people: { Zoe: 'zoe@elsewhere.example' } }), { message: /^people\.Zoe: .* is not a member/ });
  await choose({ statuses: { QA: 'in_review' } });
  await runDueJobs(world);
  t.is((await stateOf(world, id)).state, 'ready');
});

test('remembered choices lose those that the workspace no longer has', async (t) => {
  const team = await owner(world);
  const map = { statuses: { QA: 'in_review', Doing: 'in_progress' }, priorities: { P1: 'urgent' } };
  await imported(world, team, [{ key: 'L-1' }], { map });
  await world.rows(`update statuses set key = 'checking' where workspace_id = $1 and key = 'in_review'`, [team.workspaceId]);
  const id = await imported(world, team, [{ key: 'L-2', status: 'Doing' }]);
  t.like(await stateOf(world, id), { state: 'done', map: { statuses: { Doing: 'in_progress' }, priorities: { P1: 'urgent' } } });
  t.false('QA' in (await stateOf(world, id)).map.statuses);
});

test('invited people become members at once and get their items and comments; each is invited once', async (t) => {
  const team = await owner(world);
  await world.rows(`update users set account_role = 'admin' where id = $1`, [team.userId]);
  const [outsider] = await world.rows(
    `insert into users (account_id, email, name, password_hash) values ($1, 'olaf@acme.example', 'Olaf', 'set') returning id`,
    [team.accountId],
  );
  const people = {
    Zoe: { invite: 'zoe@new.example' },
    'Zoë M.': { invite: 'ZOE@new.example' },
    Olaf: { invite: 'olaf@acme.example' },
    Max: null,
  };
  const comments = [{ author: 'Zoe', at: '03/Feb/26 10:00 AM', body: 'Soon.' }];
  const issues = ['Zoe', 'Zoë M.', 'Olaf', 'Max'].map((assignee, n) => ({ key: `M-${n}`, assignee, ...(n === 3 && { comments }) }));
  const id = await upload(world, team, fileOf(issues), { map: { people } });
  await runDueJobs(world);
  const report = await world.value('select report from import_reports where import_id = $1', [id]);
  t.deepEqual(report.people.entries.map(({ name, as }: { name: string; as: string }) => [name, as]).sort(), [
    ['Max', 'unassigned'],
    ['Olaf', 'invited'],
    ['Zoe', 'invited'],
    ['Zoë M.', 'invited'],
  ]);
  t.is(await world.value('select count(*) from users where account_id = $1', [team.accountId]), 3);
  await start(world, team, id, true);
  await runDueJobs(world);
  t.like(await stateOf(world, id), { state: 'done', created: 4, refused: 0 });
  const [zoe] = await world.rows(`select * from users where account_id = $1 and email = 'zoe@new.example' or email = 'ZOE@new.example'`, [
    team.accountId,
  ]);
  t.like(zoe, { account_role: 'member', kind: 'person', password_hash: null });
  const assignees = await Promise.all(issues.map(async ({ key }) => (await itemOf(world, key)).assignee_id));
  t.deepEqual(assignees, [zoe.id, zoe.id, outsider.id, null]);
  t.is(await world.value('select author_id from comments where item_id = $1', [(await itemOf(world, 'M-3')).id]), zoe.id);
  t.deepEqual(await world.rows('select user_id, mail_state from invitations where account_id = $1', [team.accountId]), [
    { user_id: zoe.id, mail_state: 'waiting' },
  ]);
  t.deepEqual(
    (await world.rows(`select kind from audit where account_id = $1 and kind <> 'workspace.imported' order by kind`, [team.accountId])).map(
      ({ kind }) => kind,
    ),
    ['link.made', 'member.put', 'member.put', 'user.added'],
  );
  const again = await imported(world, team, [{ key: 'M-0', assignee: 'Zoe' }]);
  t.like(await stateOf(world, again), { state: 'done', unchanged: 1 });
  t.is(await world.value('select count(*) from users where account_id = $1', [team.accountId]), 4);
});

test('only owners and admins of the account invite: the import of others does not start, and adds no one', async (t) => {
  const team = await owner(world);
  const prepared = async (people: object) => {
    const id = await upload(world, team, fileOf([{ key: 'N-1', assignee: 'Zoe' }]), { map: { people } });
    await runDueJobs(world);
    return id;
  };
  const id = await prepared({ Zoe: { invite: 'zoe@new.example' } });
  await t.throwsAsync(start(world, team, id), { message: /^people: only owners and admins of the account can invite/ });
  t.is((await stateOf(world, id)).state, 'ready');
  await world.rows(`update users set account_role = 'admin' where id = $1`, [team.userId]);
  await world.rows(`insert into users (account_id, email, name, active) values ($1, 'gone@new.example', 'Gone', false)`, [team.accountId]);
  const gone = await prepared({ Zoe: { invite: 'gone@new.example' } });
  await t.throwsAsync(start(world, team, gone), { message: /gone@new\.example is deactivated/ });
  t.is(await world.value('select count(*) from users where account_id = $1', [team.accountId]), 3);
  // A member who may not be assigned keeps the role.
  await world.rows(`update memberships set role = 'viewer' where user_id = $1`, [team.colleagueId]);
  const mail = await world.value('select email from users where id = $1', [team.colleagueId]);
  const viewer = await prepared({ Zoe: { invite: mail } });
  await start(world, team, viewer);
  await runDueJobs(world);
  t.is((await itemOf(world, 'N-1')).assignee_id, null);
  t.is(await world.value('select role from memberships where user_id = $1', [team.colleagueId]), 'viewer');
});

test('an import that would invite more than 30 people invites none', async (t) => {
  const team = await owner(world);
  await world.rows(`update users set account_role = 'owner' where id = $1`, [team.userId]);
  const issues = Array.from({ length: 31 }, (_, n) => ({ key: `O-${n}`, assignee: `P${n} <p${n}@new.example>` }));
  const id = await upload(world, team, fileOf(issues), { map: { unknownPeople: 'invite' } });
  await runDueJobs(world);
  await t.throwsAsync(start(world, team, id), { message: /can invite 30 people, and this one has 31/ });
  t.is(await world.value('select count(*) from users where account_id = $1', [team.accountId]), 2);
});

test('a person has at most three imports read at a time; each one that is ready makes room for another', async (t) => {
  const team = await owner(world);
  const file = (n: number) => fileOf([{ key: `RD-${n}` }]);
  const choose = (importId: number, by = team.person) =>
    perform(world.db, by, chooseImport, { workspaceId: team.workspaceId, importId, format: 'jira' as const, map: ImportMap.parse({}) });
  const ready = await upload(world, team, file(0));
  await runDueJobs(world);
  const reading = await Promise.allSettled([1, 2, 3, 4, 5].map((n) => upload(world, team, file(n))));
  const [first, ...others] = reading.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  t.is(others.length, 2);
  const refused = { code: 'conflict', message: /^Your last 3 files are still being read\. Wait until one is ready, or discard one/ };
  for (const one of reading) if (one.status === 'rejected') t.like(one.reason, { code: 'conflict' });
  await t.throwsAsync(upload(world, team, file(6)), refused);
  await t.throwsAsync(choose(ready), refused);
  t.like(await stateOf(world, ready), { state: 'ready', revision: 1 });
  await choose(first!);
  t.like(await stateOf(world, first!), { state: 'reading', revision: 2 });
  const colleague = { kind: 'user' as const, userId: team.colleagueId };
  await world.rows(`update memberships set role = 'owner' where workspace_id = $1 and user_id = $2`, [team.workspaceId, team.colleagueId]);
  await choose(ready, colleague);
  t.like(await stateOf(world, ready), { state: 'reading', revision: 2, user_id: team.colleagueId });
  await runDueJobs(world);
  t.is((await stateOf(world, await upload(world, team, file(7)))).state, 'reading');
});

test('a person has at most three imports written or undone at a time; each one that ends makes room for another', async (t) => {
  const team = await owner(world);
  const places = [team.workspaceId, await ownWorkspace(team), await ownWorkspace(team), await ownWorkspace(team)];
  const runs: { workspaceId: number; importId: number }[] = [];
  for (const workspaceId of places) {
    runs.push({ workspaceId, importId: await upload(world, { ...team, workspaceId }, fileOf([{ key: `WR-${workspaceId}` }])) });
    await runDueJobs(world);
  }
  const begin = (workspaceId: number, importId: number) => start(world, { ...team, workspaceId }, importId);
  const undo = (workspaceId: number, importId: number) => perform(world.db, team.person, undoImport, { workspaceId, importId });
  const waiting = /^3 of your imports are still being written\. Wait until one ends, then try again\.$/;
  for (const act of [begin, undo]) {
    const begun = await Promise.allSettled(runs.map(({ workspaceId, importId }) => act(workspaceId, importId)));
    const refused = runs.filter((_, n) => begun[n]!.status === 'rejected');
    t.is(refused.length, 1);
    const [{ workspaceId, importId }] = refused as [(typeof runs)[number]];
    await t.throwsAsync(act(workspaceId, importId), { code: 'conflict', message: waiting });
    await runDueJobs(world);
    await act(workspaceId, importId);
    await runDueJobs(world);
  }
  for (const { importId } of runs) t.is((await stateOf(world, importId)).state, 'undone');
});

test('a page does not show a stored report that is too large, and the choices make a new one', async (t) => {
  const team = await owner(world);
  const id = await upload(world, team, fileOf([{ key: 'LR-1' }]));
  await runDueJobs(world);
  const details = async () => outputOf(await perform(world.db, team.person, getImport, { workspaceId: team.workspaceId, importId: id }));
  await world.rows(
    `update import_reports set preview = jsonb_set(preview, '{0,title}', to_jsonb(repeat('x', 6000000))),
       report = jsonb_set(report, '{file}', jsonb_build_array(repeat('x', 6000000))) where import_id = $1`,
    [id],
  );
  t.like(await details(), { state: 'ready', report: null, preview: [] });
  const input = { workspaceId: team.workspaceId, importId: id, format: 'jira' as const, map: ImportMap.parse({}) };
  await perform(world.db, team.person, chooseImport, input);
  await runDueJobs(world);
  t.is((await details()).report?.issues, 1);
});
