/** The agents page over HTTP: cards in words, activity with links to visible items, in one statement. */
import { capture } from '../bench/capture.ts';
import { fileDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { call } from '../support/mcpWorld.ts';
import { Fixtures } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';
import { signedIn } from '../support/visitor.ts';
import { emailOf, type WorkWorld, workWorld } from '../support/workWorld.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let work: WorkWorld;
let fixtures: Fixtures;
/** Less than full access for an agent, in a workspace and in one with MCP disabled. */
const narrow = { tasks: 'write', requirements: 'delete', releases: 'delete', milestones: 'none', time: 'write', plans: 'write' } as const;
test.before('agents', async () => {
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
      workspaces: [
        {
          ref: 'narrow',
          name: 'Narrow',
          members: ['vic', 'max'].map((user) => ({ user, role: 'member' })),
          mcp: { enabled: true, limits: narrow },
        },
        { ref: 'off', name: 'Off', members: [{ user: 'vic', role: 'member' }] },
      ],
      connections: [
        {
          ref: 'edited',
          user: 'vic',
          name: 'Desk',
          workspaces: ['narrow', 'off'],
          permissions: { tasks: 'write', releases: 'read' },
          timezone: 'Asia/Kathmandu',
          notes: ['read'],
        },
        { ref: 'laptop', user: 'ana', name: 'Laptop', workspaces: ['apollo'], permissions, notes: ['read'] },
        { ref: 'quiet', user: 'ana', name: 'Quiet', workspaces: [] },
        { ref: 'sent', user: 'max', name: 'Server', workspaces: ['apollo', 'narrow'], permissions },
        { ref: 'gone', user: 'mia', name: 'Of Mia', workspaces: ['apollo'], permissions },
      ],
    },
  );
  fixtures = new Fixtures(database.url);
});
test.after('stop', async () => {
  await work?.stop();
  await fixtures?.close();
});

const visit = async (who: Parameters<typeof emailOf>[0]) =>
  (await signedIn(work.web.baseUrl, emailOf(who))) as Awaited<ReturnType<typeof signedIn>>;
const tool = (name: string, given: object, ref = 'laptop') =>
  call({ url: `${work.web.baseUrl}/mcp`, key: work.refs.key(ref) }, name, given);
const once = (given: object) => ({ requestId: crypto.randomUUID(), ...given });

test("a card shows the agent's access, lower limits, and that it has made no calls", async (t) => {
  const { text } = await (await visit('ana')).go('/mcp-access');
  t.regex(text, /2 active/);
  t.regex(text, /Laptop\s*Apollo.*Write and delete tasks\s*Record time as you\s*Read your notes/s);
  t.regex(text, /Only reads requirements\s*No access to releases, milestones and plans/);
  t.regex(text, /Apollo, tasks: no delete \(workspace limit\)/);
  t.regex(text, /No calls yet\s*Created just now\s*Does not expire/);
  t.regex(text, /Quiet\s*no workspace/);
  t.false(text.includes('Of Mia'));
});

test('the activity names changed items with links, counts calls and failures, and is private', async (t) => {
  const id = work.refs.id('task');
  t.false((await tool('svc_add_note', once({ id, body: 'Half done' }))).isError);
  t.false((await tool('svc_update_item', once({ id, version: 1, title: 'Write <i>' }))).isError);
  t.false((await tool('svc_time', once({ action: 'log', itemId: id, minutes: 5, date: new Date().toISOString().slice(0, 10) }))).isError);
  const four = ['A', 'B', 'C', 'D'].map((title) => ({ type: 'task', title }));
  t.false((await tool('svc_create_items', once({ workspaceId: work.refs.id('apollo'), items: four }))).isError);
  t.true((await tool('svc_update_item', once({ id, version: 1, title: 'Again' }))).isError);
  await tool('svc_context', {});
  await tool('svc_find_work', { workspaceId: work.refs.id('apollo') });
  t.false((await tool('svc_add_note', once({ id, body: 'By Mia' }), 'gone')).isError);
  const ana = await visit('ana');
  const link = (words: string) =>
    new RegExp(`${words} <a href="[^"]*/workspaces/${work.refs.id('apollo')}/items/${id}">${id} Write &lt;i&gt;</a>`);
  const { html } = await eventually(
    () => ana.go('/mcp-access/activity'),
    (page) => /Searched items/.test(page.html) && /Tried to/.test(page.html),
  );
  for (const words of ['Added a note to', 'Changed', 'Recorded time on']) t.regex(html, link(words));
  t.regex(html, /Created <a [^>]*>\d+ A<\/a>, <a [^>]*>\d+ B<\/a>, <a [^>]*>\d+ C<\/a> and 1 more/);
  t.regex(html, /Tried to change an item.*?Conflict/s);
  t.regex(html, /Searched items in Apollo/);
  t.regex(html, /Looked up its permissions/);
  t.false(html.includes('By Mia') || html.includes('Of Mia'));
  // The time of the last use is stored in batches.
  const { text } = await eventually(
    () => ana.go('/mcp-access'),
    (page) => /Last used/.test(page.text),
  );
  t.regex(text, /7 calls in 7 days, 1 failed\s*Last used just now/);
  t.regex(text, /Recent activity.*Searched items in Apollo/s);
});

test('items that the person may no longer see are not named', async (t) => {
  await fixtures.sql('update items set archived_at = now() where id = $1', [work.refs.id('task')]);
  const { text, html } = await (await visit('ana')).go('/mcp-access/activity');
  t.false(html.includes('Write &lt;i&gt;'));
  t.regex(text, /Added a note to an item in Apollo/);
});

test('a revoked connection keeps its card, without actions', async (t) => {
  const mia = await visit('mia');
  await mia.go('/mcp-access');
  const page = await mia.send('/revoke', { connectionId: String(work.refs.id('gone')), _ask: null });
  const after = page.path.startsWith('/mcp-access') ? page : await mia.go('/mcp-access');
  t.regex(after.text, /1 revoked/);
  t.regex(after.text, /Of Mia\s*Apollo.*Revoked today/s);
  t.is((await mia.go(`/mcp-access/${work.refs.id('gone')}`)).status, 403);
});

test('each page takes the session and one statement', async (t) => {
  const ana = await visit('ana');
  for (const path of ['/mcp-access', '/mcp-access/activity']) {
    await ana.go(path);
    const seen = await capture(() => ana.go(path));
    t.true(seen.length <= 2, `${path}: ${seen.map(({ text }) => text.slice(0, 60)).join(' | ')}`);
  }
});

const elementsOf = (html: string, tag: string) => [...html.matchAll(new RegExp(`<${tag}\\b[^>]*>`, 'g'))].map(([found]) => found);
const boxOf = (html: string, words: RegExp) =>
  [...html.matchAll(/<label[^>]*><input type="checkbox"([^>]*)>(.*?)<\/label>/gs)].find(([, , said]) =>
    words.test(said!.replace(/<[^>]*>/g, '').trim()),
  )![1]!;
const workspacesOf = async (ref: string) => (await tool('svc_context', {}, ref)).value.workspaces.map(({ name }: { name: string }) => name);
/** A user who is a member only of Narrow and Off, so that nothing else adds access. */
async function member() {
  await fixtures.sql('delete from memberships where user_id = $1 and workspace_id = $2', [work.refs.id('vic'), work.refs.id('apollo')]);
  const vic = await visit('vic');
  await vic.go('/mcp-access');
  return vic;
}

test('workspaces out of reach are listed by the names that are shown, so their order tells nothing', async (t) => {
  const vic = await visit('vic');
  const listed = async () =>
    /<article\b.*?<\/article>/s
      .exec((await vic.go('/mcp-access')).html)![0]
      .match(/Narrow|workspace \d+ \(out of reach\)/g)!
      .slice(0, 2);
  const off = work.refs.id('off');
  await fixtures.sql(`update workspaces set archived_at = now() where id = $1`, [off]);
  t.teardown(() => fixtures.sql(`update workspaces set archived_at = null, name = 'Off' where id = $1`, [off]));
  for (const name of ['Aaa', 'Zzz']) {
    await fixtures.sql('update workspaces set name = $2 where id = $1', [off, name]);
    t.deepEqual(await listed(), ['Narrow', `workspace ${off} (out of reach)`], name);
  }
});

test('a level without effect is disabled, with the reason next to it', async (t) => {
  const { html } = (await member()).at;
  const found: Record<string, [string, string]> = {};
  for (const [, row] of html.matchAll(/<tr>(<th scope="row">.*?)<\/tr>/gs)) {
    const said = row!
      .split('</th>')[0]!
      .replace(/<br>/g, ' ')
      .replace(/<[^>]*>/g, '')
      .replace(/\s+/g, ' ')
      .trim();
    const states = elementsOf(row!, 'input').map((radio) => !radio.includes(' disabled'));
    found[said.split(' ')[0]!] = [states.map((on, level) => (on ? 'nrwd'[level] : '')).join(''), said];
    t.true(elementsOf(row!, 'input')[1]!.includes(' checked'), `${said}: read`);
  }
  t.deepEqual(found, {
    tasks: ['nrw', 'tasks no delete (workspace limit)'],
    requirements: ['nrw', 'requirements no delete (your role)'],
    releases: ['nr', 'releases read only (your role)'],
    // The current choice stays enabled: a new connection starts with read.
    milestones: ['nr', 'milestones no access (workspace limit)'],
    time: ['nrw', 'time nothing to delete'],
    plans: ['nrw', 'plans nothing to delete'],
  });
  t.true(boxOf(html, /^Off MCP is turned off here/).includes(' disabled'));
});

test("a connection's name, levels, zone and notes can be changed; it keeps a workspace with MCP disabled", async (t) => {
  const vic = await member();
  const make = () =>
    tool('svc_create_items', once({ workspaceId: work.refs.id('narrow'), items: [{ type: 'task', title: 'Made' }] }), 'edited');
  t.false((await make()).isError);
  const { path: form } = await vic.go(`/mcp-access/${work.refs.id('edited')}`);
  const { fields } = vic.form(form);
  t.deepEqual(
    ['timezone', 'expires', 'level-tasks', 'notes'].map((name) => fields.get(name)),
    ['Asia/Kathmandu', 'keep', 'write', 'read'],
  );
  t.true(boxOf(vic.at.html, /^Off MCP is turned off here\. The agent has no access/).includes(' checked'));
  const refused = await vic.send(form, { name: ' ', 'level-tasks': 'read' });
  t.regex(refused.text, /Name: /);
  t.is(vic.form(form).fields.get('level-tasks'), 'read', 'the choice stays');
  const chosen = { timezone: 'Europe/Berlin', expires: '30', notes: ['read', 'add'], plainLanguage: 'on' };
  t.regex((await vic.send(form, { name: 'Desk <b>2</b>', ...chosen })).text, /Saved\./);
  const { connection, personalNotesEnabled } = (await tool('svc_context', {}, 'edited')).value;
  t.like(connection, { name: 'Desk <b>2</b>', timezone: 'Europe/Berlin', plainLanguage: true });
  t.true(personalNotesEnabled);
  await fixtures.sql(
    'update workspaces set mcp_enabled = true, mcp_rights = (select mcp_rights from workspaces where name = $1) where name = $2',
    ['Narrow', 'Off'],
  );
  t.deepEqual(await workspacesOf('edited'), ['Narrow', 'Off']);
  t.is((await make()).value.error.code, 'forbidden');
  await vic.go(form);
  await vic.send(form, { workspaces: String(work.refs.id('narrow')) });
  t.deepEqual(await workspacesOf('edited'), ['Narrow']);
  t.is((await vic.go(`/mcp-access/${work.refs.id('quiet')}`)).status, 403, 'another person’s is not there');
});

test("an agent that an owner disconnects loses only that workspace at once, and its person can't undo it", async (t) => {
  t.deepEqual(await workspacesOf('sent'), ['Apollo', 'Narrow']);
  const [ana, max] = [await visit('ana'), await visit('max')];
  const [apollo, sent] = [String(work.refs.id('apollo')), String(work.refs.id('sent'))];
  await ana.go(`/workspaces/${apollo}/settings/agents`);
  await ana.sendSurely('/agents/disconnect', {}, (fields) => fields.get('connectionId') === sent);
  t.deepEqual(await workspacesOf('sent'), ['Narrow']);
  t.regex((await max.go('/mcp-access')).text, /Apollo \(disconnected by its owner\) and Narrow/);
  const form = `/mcp-access/${sent}`;
  const { html, text } = await max.go(form);
  t.regex(text, /Apollo An owner of the workspace disconnected/);
  t.regex(html, /<input type="checkbox"[^>]* disabled[^>]*>(?:(?!<input).)*Apollo/s);
  t.regex((await max.send(form)).text, /Saved\./);
  t.deepEqual(await workspacesOf('sent'), ['Narrow']);
});

test("the activity has filters, and shows only the user's own agents", async (t) => {
  const [ana, mia] = [await visit('ana'), await visit('mia')];
  await ana.go('/mcp-access/activity');
  const { fields } = ana.form('/mcp-access/activity');
  fields.set('tool', 'svc_find_work');
  const { html } = await ana.go(`/mcp-access/activity?${fields}`);
  const rowsOf = html.split('id="activity"')[1]!.split('</tbody>')[0]!.match(/<tr\b/g)!;
  // The first row is the header.
  t.is(rowsOf.length, 1 + 1);
  t.is(ana.form('/mcp-access/activity').fields.get('tool'), 'svc_find_work');
  t.regex((await mia.go(`/mcp-access/activity?connection=${work.refs.id('laptop')}`)).text, /No activity yet/);
});

test('the activity is paged to its end', async (t) => {
  await fixtures.sql(
    `insert into activity (account_id, user_id, connection_id, workspace_id, tool, outcome, elapsed_ms)
     select account_id, user_id, id, $2, 'svc_find_work', 'ok', n from connections, generate_series(1, 120) n where id = $1 order by n`,
    [work.refs.id('sent'), work.refs.id('apollo')],
  );
  const max = await visit('max');
  await max.go('/mcp-access/activity');
  for (const older of [true, true, false]) {
    const rows = max.at.html.split('id="activity"')[1]!.split('</tbody>')[0]!.match(/<tr\b/g)!.length - 1;
    t.true(older ? rows === 50 : rows >= 20 && rows < 50);
    const link = /href="\/stint([^"]*)"[^>]*>(?:(?!<\/a>).)*Older/s.exec(max.at.html);
    t.is(link !== null, older);
    if (link) await max.go(link[1]!.replaceAll('&amp;', '&'));
  }
});

test('a connection can be made without script, its key is shown once and works, and the page shows its first call', async (t) => {
  const eve = await visit('eve');
  await eve.go('/mcp-access');
  const { path, fields } = eve.form('/create');
  fields.set('name', 'By hand');
  const { html } = await eve.post(path, fields);
  const key = /id="new-key"[^>]*>\s*([^<\s]+)/.exec(html)![1]!;
  t.is((await call({ url: `${work.web.baseUrl}/mcp`, key }, 'svc_context', {})).value.connection.name, 'By hand');
  t.regex(html, /<button[^>]* data-copy="new-key" hidden>/, 'without script there is nothing to copy with');
  t.regex(html, /claude mcp add/);
  // The call above appears within the second in which uses are gathered.
  const look = [...html.matchAll(/<a [^>]*?href="\/stint([^"]*)"[^>]*>(.*?)<\/a>/gs)].find(([all]) => all.includes('Refresh'))![1]!;
  const called = /Connected: By hand made its first call/;
  for (let tries = 0; tries < 200 && !called.test(eve.at.text); tries++) await eve.go(look.replaceAll('&amp;', '&'));
  t.regex(eve.at.text, called);
  t.false((await eve.post(path, fields)).html.includes('id="new-key"'), 'sent again it shows no key');
  const cards = (await eve.go('/mcp-access')).html.match(/<article\b/g)!;
  t.is(cards.length, 1);
});
