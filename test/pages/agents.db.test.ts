/** The page of a person's agents over HTTP: cards in words, what they did with links to what the person may see, in one statement. */
import test from 'ava';
import { capture } from '../bench/capture.ts';
import { fileDatabase } from '../support/database.ts';
import { call } from '../support/mcpWorld.ts';
import { Fixtures } from '../support/restWorld.ts';
import { signedIn } from '../support/visitor.ts';
import { emailOf, type WorkWorld, workWorld } from '../support/workWorld.ts';

const database = fileDatabase();
let work: WorkWorld;
let fixtures: Fixtures;
test.serial.before('agents', async () => {
  const limits = { tasks: 'write', requirements: 'write', releases: 'read', milestones: 'none', time: 'write', plans: 'write' } as const;
  const permissions = {
    tasks: 'delete',
    requirements: 'read',
    releases: 'none',
    milestones: 'none',
    time: 'write',
    plans: 'none',
  } as const;
  work = await workWorld(
    database.url,
    { mcp: { enabled: true, limits }, items: [{ ref: 'task', type: 'task', title: 'Write <b>', fields: { assigneeId: { ref: 'ana' } } }] },
    {
      connections: [
        { ref: 'laptop', user: 'ana', name: 'Laptop', workspaces: ['apollo'], permissions, notes: ['read'] },
        { ref: 'quiet', user: 'ana', name: 'Quiet', workspaces: [] },
        { ref: 'gone', user: 'mia', name: 'Of Mia', workspaces: ['apollo'], permissions },
      ],
    },
  );
  fixtures = new Fixtures(database.url);
});
test.after.always('it ends', async () => {
  await work?.stop();
  await fixtures?.close();
});

const visit = async (who: Parameters<typeof emailOf>[0]) =>
  (await signedIn(work.web.baseUrl, emailOf(who))) as Awaited<ReturnType<typeof signedIn>>;
const tool = (name: string, given: object, ref = 'laptop') =>
  call({ url: `${work.web.baseUrl}/mcp`, key: work.refs.key(ref) }, name, given);
const once = (given: object) => ({ requestId: crypto.randomUUID(), ...given });

test.serial('a card says what its agent may do, where less is left, and that it has not called', async (t) => {
  const { text } = await (await visit('ana')).go('/mcp-access');
  t.regex(text, /2 active/);
  t.regex(text, /Laptop\s*Apollo.*Write and delete tasks\s*Record time as you\s*Read your notes/s);
  t.regex(text, /Only reads requirements\s*No access to releases, milestones and plans/);
  t.regex(text, /Apollo: tasks at most write, by the limit of the workspace/);
  t.regex(text, /No call yet\s*Made just now\s*Does not expire/);
  t.regex(text, /Quiet\s*no workspace/);
  t.false(text.includes('Of Mia'));
});

test.serial('what agents did names what they changed with links, counts calls and failures, and is nobody else’s', async (t) => {
  const id = work.refs.id('task');
  t.false((await tool('svc_add_note', once({ id, body: 'Half done' }))).isError);
  t.false((await tool('svc_update_item', once({ id, version: 1, title: 'Write <i>' }))).isError);
  t.false((await tool('svc_time', once({ action: 'log', itemId: id, minutes: 5, date: new Date().toISOString().slice(0, 10) }))).isError);
  const four = ['A', 'B', 'C', 'D'].map((title) => ({ type: 'task', title }));
  t.false((await tool('svc_create_items', once({ workspaceId: work.refs.id('apollo'), items: four }))).isError);
  t.true((await tool('svc_update_item', once({ id, version: 1, title: 'Again' }))).isError);
  await tool('svc_find_work', { workspaceId: work.refs.id('apollo') });
  t.false((await tool('svc_add_note', once({ id, body: 'By Mia' }), 'gone')).isError);
  const ana = await visit('ana');
  const link = (words: string) =>
    new RegExp(`${words} <a href="[^"]*/workspaces/${work.refs.id('apollo')}/items/${id}">${id} Write &lt;i&gt;</a>`);
  let html = '';
  for (let n = 0; n < 40 && !/Looked for work/.test(html); n++) html = (await ana.go('/mcp-access/activity')).html;
  for (const words of ['Noted on', 'Changed', 'Recorded time on']) t.regex(html, link(words));
  t.regex(html, /Created <a [^>]*>\d+ A<\/a>, <a [^>]*>\d+ B<\/a>, <a [^>]*>\d+ C<\/a> and 1 more/);
  t.regex(html, /Tried to change an item.*?Conflict/s);
  t.regex(html, /Looked for work in Apollo/);
  t.false(html.includes('By Mia') || html.includes('Of Mia'));
  const { text } = await ana.go('/mcp-access');
  t.regex(text, /6 calls in 7 days, 1 failed\s*Last used just now/);
  t.regex(text, /What they did.*Looked for work in Apollo/s);
});

test.serial('what the person may not see any more is not named', async (t) => {
  await fixtures.sql('update items set archived_at = now() where id = $1', [work.refs.id('task')]);
  const { text, html } = await (await visit('ana')).go('/mcp-access/activity');
  t.false(html.includes('Write &lt;i&gt;'));
  t.regex(text, /Noted on an item in Apollo/);
});

test.serial('a revoked connection keeps its card, without anything to do', async (t) => {
  const mia = await visit('mia');
  await mia.go('/mcp-access');
  const page = await mia.send('/revoke', { connectionId: String(work.refs.id('gone')), _ask: null });
  const after = page.path.startsWith('/mcp-access') ? page : await mia.go('/mcp-access');
  t.regex(after.text, /1 revoked/);
  t.regex(after.text, /Of Mia\s*Apollo.*Revoked Today/s);
  t.is((await mia.go(`/mcp-access/${work.refs.id('gone')}`)).status, 403);
});

test.serial('each page takes the session and one statement', async (t) => {
  const ana = await visit('ana');
  for (const path of ['/mcp-access', '/mcp-access/activity']) {
    await ana.go(path);
    // Uses are written together, about once a second.
    const seen = (await capture(() => ana.go(path))).filter(({ text }) => !/set last_used_at/.test(text));
    t.true(seen.length <= 2, `${path}: ${seen.map(({ text }) => text.slice(0, 60)).join(' | ')}`);
  }
});
