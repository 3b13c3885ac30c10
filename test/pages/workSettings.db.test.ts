/** The settings of a workspace: members, statuses and priorities, agents, archive, and confirmations. */
import { fileDatabase } from '../support/database.ts';
import { suite } from '../support/suite.ts';
import { signedIn, type Visitor } from '../support/visitor.ts';
import { emailOf, type WorkWorld, workWorld } from '../support/workWorld.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let work: WorkWorld;
test.before('workspaces', async () => {
  work = await workWorld(
    database.url,
    { items: [{ ref: 'task', type: 'task', title: 'Write', fields: { priorityKey: 'high' } }] },
    {
      workspaces: [
        { ref: 'hers', name: 'Hers', members: [{ user: 'mia', role: 'owner' }], mcp: { enabled: true, limits: { tasks: 'write' } } },
        { ref: 'attic', name: 'Attic', members: [{ user: 'max', role: 'owner' }] },
      ],
      connections: [
        { ref: 'agent', user: 'mia', name: 'Laptop', workspaces: ['hers'], permissions: { tasks: 'delete', releases: 'write' } },
      ],
    },
  );
});
test.after('stop', () => work?.stop());

async function settings(who: 'ana' | 'mia' | 'max', part: string, ref = 'apollo'): Promise<{ visitor: Visitor; at: string }> {
  const visitor = await signedIn(work.web.baseUrl, emailOf(who));
  const at = `/workspaces/${work.refs.id(ref)}/settings`;
  await visitor.go(`${at}/${part}`);
  return { visitor, at };
}
const of = (id: number) => (fields: URLSearchParams) => fields.get('userId') === String(id);
const word = (key: string) => (fields: URLSearchParams) => fields.get('key') === key;

test('the old address redirects to the first part, and each part links to the others', async (t) => {
  const { visitor, at } = await settings('ana', '');
  t.is((await visitor.go(at)).path, `${at}/general`);
  for (const part of ['general', 'members', 'statuses', 'agents', 'webhooks', 'notices']) {
    t.true(visitor.at.html.includes(`${at}/${part}"`), part);
    t.is((await visitor.go(`${at}/${part}`)).status, 200, part);
  }
  t.is((await visitor.go(at.replace('/settings', '/webhooks'))).path, `${at}/webhooks`);
  const { visitor: max } = await settings('max', 'webhooks');
  t.is(max.at.status, 200);
  t.false(max.at.html.includes(`${at}/members"`), 'a manager sees webhooks and notices');
  t.true(max.at.html.includes(`${at}/notices"`));
});

test('users who run a workspace choose who sees its forecasts', async (t) => {
  const { visitor, at } = await settings('ana', 'general');
  t.regex(visitor.at.html, /value="oversight" checked/, 'the default of import files');
  await visitor.send('/forecasts', { forecasts: 'members' });
  t.is(visitor.at.path, `${at}/general?notice=saved#forecasts`);
  t.regex(visitor.at.html, /value="members" checked/);
  await visitor.send('/forecasts', { forecasts: 'oversight' });
  t.regex(visitor.at.html, /value="oversight" checked/);
});

test("members are added, changed and removed; the page returns to the card, and the last owner can't be removed", async (t) => {
  const { visitor, at } = await settings('ana', 'members');
  const eve = work.refs.id('eve');
  await visitor.send('/members', { userId: String(eve), role: 'member' });
  t.is(visitor.at.path, `${at}/members?notice=saved#members`);
  t.regex(visitor.at.text, /Eve\s*eve@acme\.example\s*member/);
  await visitor.go(`${at}/members/${eve}`);
  await visitor.send('/members', { role: 'manager', 'access-releases': 'read', timeOversight: 'off' });
  t.regex(visitor.at.text, /Eve\s*eve@acme\.example\s*manager\s*releases: read\s*off/);
  await visitor.sendSurely('/members/remove', {}, of(eve));
  t.regex(visitor.at.text, /Removed\./);
  t.notRegex(visitor.at.text, /eve@acme\.example\s*manager/);
  await visitor.sendSurely('/members/remove', {}, of(work.refs.id('ana')));
  t.is(visitor.at.status, 409);
  t.regex(visitor.at.html, /<section class="card" id="members">.*?role="alert">A workspace needs an active owner/s);
});

test("lowering one's own role needs a confirmation, for every form", async (t) => {
  const { visitor, at } = await settings('ana', `members/${work.refs.id('ana')}`);
  await visitor.send('/members', { role: 'viewer' });
  t.regex(visitor.at.text, /Make yourself a viewer\?/);
  await visitor.send('/members');
  t.is(visitor.at.status, 409, 'and not by the last owner at all');
  await visitor.go(`${at}/members/${work.refs.id('mia')}`);
  t.regex((await visitor.send('/members', { role: 'viewer' })).text, /Saved\./);
  await visitor.go(`${at}/members/${work.refs.id('mia')}`);
  t.regex((await visitor.send('/members', { role: 'member' })).text, /Saved\./);
});

test('statuses and priorities are added, renamed, ordered and deleted, each shown with its canonical value', async (t) => {
  const { visitor, at } = await settings('ana', 'statuses');
  await visitor.send('/statuses/add', { label: 'In test', status: 'in_review' });
  t.is(visitor.at.path, `${at}/statuses?notice=saved#statuses`);
  const direction = (way: string) => ({ direction: way });
  await visitor.send('/statuses/move', direction('up'), word('in_test'));
  await visitor.send('/statuses/rename', { label: 'Testing' }, word('in_test'));
  t.regex(
    visitor.at.html,
    /data-word="in_test">.*?value="Testing".*?<svg class="st st-testing"[^>]*>.*?in review.*?tasks.*?data-word="cancelled"/s,
  );
  await visitor.sendSurely('/statuses/delete', {}, word('in_test'));
  t.regex(visitor.at.text, /Deleted\./);
  t.throws(() => visitor.form('/statuses/delete', word('planned')), undefined, 'it is in use');
  await visitor.send('/priorities/change', { rank: 'x' }, word('low'));
  t.regex(visitor.at.text, /Rank: /);
  await visitor.go(`${at}/statuses`);
  await visitor.send('/priorities/move', direction('up'), word('low'));
  t.regex(visitor.at.html, /data-word="low".*data-word="normal"/s);
  await visitor.send('/priorities/default', { key: 'high' });
  await visitor.go(`/workspaces/${work.refs.id('apollo')}/new?type=task`);
  t.is(visitor.form('/items').fields.get('priorityKey'), 'high');
});

test("an owner limits agents, sees each one's remaining access, and disconnects one", async (t) => {
  const { visitor } = await settings('mia', 'agents', 'hers');
  t.is(visitor.form('/mcp').fields.get('enabled'), 'yes');
  t.regex(visitor.at.text, /Laptop\s*Mia\s*Writes tasks\.\s*Reduced by the workspace limit: tasks, requirements, releases/);
  await visitor.send('/mcp', { 'limit-tasks': 'delete', 'limit-time': 'write' });
  const { fields } = visitor.form('/mcp');
  t.deepEqual([fields.get('limit-tasks'), fields.get('limit-releases')], ['delete', 'none']);
  await visitor.sendSurely('/agents/disconnect');
  t.regex(visitor.at.text, /The agent is disconnected from this workspace\./);
  t.regex(visitor.at.text, /Laptop.*disconnected Today/);
});

test('members lose access to an archived workspace, and its settings can restore it', async (t) => {
  const { visitor, at } = await settings('max', 'general', 'attic');
  await visitor.send('/name', { name: 'The attic' });
  t.regex(visitor.at.text, /Saved\./);
  await visitor.sendSurely('/archive');
  t.regex(visitor.at.text, /This workspace is archived/);
  t.is((await visitor.go(at.replace('/settings', ''))).status, 403);
  await visitor.go('/workspaces');
  t.true(visitor.at.html.includes(`${at}">The attic</a>`));
  await visitor.go(at);
  t.is(visitor.at.path, `${at}/general`);
  await visitor.sendSurely('/archive');
  t.is((await visitor.go(at.replace('/settings', ''))).status, 200);
});

test('an administrator manages a workspace without being a member', async (t) => {
  const { visitor } = await settings('ana', 'members', 'hers');
  t.regex(visitor.at.text, /Settings of Hers.*Mia\s*mia@acme\.example\s*owner/);
  t.false(visitor.at.html.includes('/settings/notices"'), 'and gets no notification');
});
