/** The history on an item's page: user, agent, earlier texts, and edit conflicts (behaviour §15.11, §15.12). */
import type { Caller } from '../../src/access/caller.ts';
import { hashSecret } from '../../src/access/secrets.ts';
import { connectDb, type Db } from '../../src/database/db.ts';
import { approve, requestApproval } from '../../src/items/approval.ts';
import { outputOf } from '../../src/operations/json.ts';
import { perform } from '../../src/operations/perform.ts';
import { fileDatabase } from '../support/database.ts';
import { ask, type McpWorld, mcpWorld, once } from '../support/mcpWorld.ts';
import { draftOf } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let world: McpWorld;
let db: Db;
let secret: string;
let at: string;
test.before('a signed-in owner', async () => {
  [world, db] = await Promise.all([mcpWorld(database.url), connectDb(database.url)]);
  secret = await world.fixtures.session(world.ownerId);
  at = `${world.api.base.replace(/\/api\/v1$/, '')}/workspaces/${world.workspaceId}/items`;
});
test.after('stop', async () => {
  await world?.end();
  await db?.close();
});

const headers = (cookie = secret) => ({ Cookie: `JSESSIONID=${cookie}`, 'X-Forwarded-Proto': 'https', Origin: new URL(at).origin });
async function page(path: string, cookie?: string): Promise<{ status: number; html: string }> {
  const answer = await fetch(`${at}/${path}`, { headers: headers(cookie) });
  return { status: answer.status, html: await answer.text() };
}
/** The visible text, without tags. */
const textOf = (html: string) =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .replaceAll('&#39;', "'");
const streamOf = (html: string) => html.split('id="stream"')[1]!.split('<aside')[0]!;
const stream = async (path: string, cookie?: string) => textOf(streamOf((await page(path, cookie)).html));

test('the history has comments, decisions and changes together, oldest first, with user and agent', async (t) => {
  const { owner, agent, ownerId, workspaceId } = world;
  const made = await owner.save(draftOf('release', {}, { title: 'Winter', description: 'First' }));
  await ask(
    agent,
    'svc_update_item',
    once({ id: made.id, version: 1, description: 'Second', ownerId, fields: { targetDate: '2026-12-01' } }),
  );
  await ask(agent, 'svc_add_note', once({ id: made.id, body: 'Noted **by** the agent, see #7.' }));
  const caller: Caller = { kind: 'session', hash: hashSecret(secret) };
  let item = { id: made.id as number, version: 2 };
  for (const [step, comment] of [
    [requestApproval, 'Ready, <b>I think</b>'],
    [approve, ''],
  ] as const) {
    item = outputOf(await perform(db, caller, step, { workspaceId, id: item.id, version: item.version, comment }));
  }
  const html = streamOf((await page(`${made.id}`)).html);
  t.regex(
    textOf(html),
    /Ana \(API key “Key”\) created this release with status Planned .*Ana’s agent “Agent” changed the description \( ?compare ?\) ?, set the owner to Ana and set the target date to .*Note by Ana’s agent “Agent” .*Noted by the agent, see #7 ?\..*Ana requested approval .*Ready, &lt;b&gt;I think&lt;\/b&gt;.*Ana approved/,
  );
  t.regex(html, /set the target date to\s*<b><time datetime="2026-12-01"/);
  t.regex(html, /<strong>by<\/strong> the agent, see <a class="ref" href="[^"]*\/items\/7">#7<\/a>/);
  // The versions that they made, in order.
  t.deepEqual(
    [...html.matchAll(/<li class="[^"]*" id="(v\d+)"/g)].map(([, id]) => id),
    ['v1', 'v2', 'v3', 'v4'],
  );
  const fourth = await owner.save({ ...(await owner.get('/item', { id: made.id })).body, fields: { targetDate: '2026-12-03' } });
  t.regex(
    streamOf((await page(`${fourth.id}`)).html),
    /changed the target date from\s*<del><time datetime="2026-12-01".*?<\/del> to\s*<b><time datetime="2026-12-03"/s,
  );
  t.notRegex(await stream(`${made.id}?show=comments`), /approved|changed/);
  t.notRegex(await stream(`${made.id}?show=changes`), /Noted by|requested/);
  t.regex(await stream(`${made.id}?show=decisions`), /Ana requested.*Ana approved/);
  t.notRegex(await stream(`${made.id}?show=decisions`), /Noted by|created this/);
});

test('older history is linked, without gaps', async (t) => {
  const { owner, fixtures } = world;
  const made = await owner.save(draftOf('task', {}, { title: 'Long story' }));
  await fixtures.sql(
    `insert into comments (account_id, workspace_id, item_id, author_id, body, created_at)
     select i.account_id, i.workspace_id, i.id, $2, 'Comment ' || n || '.', now() + n * interval '1 second' from items i, generate_series(1, 150) n where i.id = $1`,
    [made.id, world.ownerId],
  );
  const seen = new Set<string>();
  let path = `${made.id}`;
  for (let pages = 1; ; pages++) {
    const html = streamOf((await page(path)).html);
    for (const [, n] of html.matchAll(/Comment (\d+)\./g)) seen.add(n!);
    t.is(html.includes('id="comment"'), pages === 1, 'the box is at the end of the latest');
    t.is(html.includes('created this task'), pages === 2, 'changes end where comments do');
    const older = /href="[^"]*\/items\/([^"]*until=[^"]*)#stream"/.exec(html)?.[1];
    if (!older) break;
    t.true(pages < 3);
    path = older.replaceAll('&amp;', '&');
  }
  t.is(seen.size, 150);
  t.regex(await stream(path), /Show latest/);
  t.is((await page(`${made.id}?until=yesterday`)).status, 200);
});

test('users without access to comments see only the changes, and users without access to goals see no goal', async (t) => {
  const { owner, join, fixtures } = world;
  const goal = await owner.save(draftOf('goal', {}, { title: 'Secret aim' }));
  const task = await owner.save(draftOf('task'));
  await owner.save({ ...task, title: 'Renamed', fields: { goalId: goal.id } });
  await owner.post('/comments', { id: task.id, body: 'Not for all.' });
  const { userId } = await join('member', { comments: 'none', goals: 'none' });
  const told = await stream(`${task.id}`, await fixtures.session(userId));
  t.regex(told, /changed the title from T to Renamed/);
  t.notRegex(told, /goal|Goal|Not for all|Comments/);
  t.regex(await stream(`${task.id}`), /changed the title from T to Renamed and set the goal to Secret aim/);
});

test('an earlier text is shown next to the current one, and saving the form restores it', async (t) => {
  const { owner, fixtures, join } = world;
  let item = await owner.save(draftOf('task', { acceptance: 'A <b>' }, { description: 'One\r\nline' }));
  item = await owner.save({ ...item, description: 'Two' });
  item = await owner.save({ ...item, description: 'Three', fields: { acceptance: null } });
  const rows = await fixtures.sql('select id::int from changes where item_id = $1 and version > 1 order by version', [item.id]);
  const second = await page(`${item.id}/changes/${rows[0].id}`);
  t.regex(textOf(second.html), /Description Before One line After Two/);
  const third = await page(`${item.id}/changes/${rows[1].id}`);
  t.regex(textOf(third.html), /Description Before Two After Three .*Acceptance criteria Before A &lt;b&gt; After \(nothing\)/);
  const form = await page(`${item.id}/edit?bring=description&from=${rows[0].id}`);
  t.regex(form.html, /<textarea name="description"[^>]*>\nOne\nline<\/textarea>/);
  t.regex(textOf(form.html), /previous text of this field: Description/);
  t.true(form.html.includes('name="version" value="3"'), 'based on the stored version');
  t.is((await page(`${item.id}/edit?bring=acceptance&from=${rows[0].id}`)).status, 403);
  const other = await owner.save(draftOf('task'));
  t.is((await page(`${other.id}/changes/${rows[0].id}`)).status, 403);
  const { userId } = await join('viewer');
  const seen = await page(`${item.id}/changes/${rows[0].id}`, await fixtures.session(userId));
  t.is(seen.status, 200);
  t.false(seen.html.includes('Restore previous text'));
});

test('an edit conflict names the other user, with their agent', async (t) => {
  const { owner, agent } = world;
  const item = await owner.save(draftOf('task', {}, { title: 'Mine' }));
  const opened = (await page(`${item.id}/edit`)).html;
  const value = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(opened)![1]!.replaceAll('&quot;', '"');
  await ask(agent, 'svc_update_item', once({ id: item.id, version: 1, title: 'Theirs' }));
  const form = new FormData();
  for (const name of ['_csrf', 'version', 'marks']) form.set(name, value(name));
  form.set('title', 'Also mine');
  form.set('statusKey', 'planned');
  const answer = await fetch(`${at}/${item.id}/edit`, { method: 'POST', headers: headers(), body: form, redirect: 'manual' });
  t.is(answer.status, 409);
  t.regex(textOf(await answer.text()), /Ana’s agent “Agent” changed this task while you edited it/);
});
