/** Confirmations before a person is deactivated or removed, and other users' timers on an item's page (behaviour §30.10, §9.16). */
import { fileDatabase } from '../support/database.ts';
import { suite } from '../support/suite.ts';
import { signedIn, type Visitor } from '../support/visitor.ts';
import { emailOf, type WorkWorld, workWorld } from '../support/workWorld.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let work: WorkWorld;
let ana: Visitor;
let mia: Visitor;

const task = (ref: string, more: object = {}) => ({
  ...{ ref, type: 'task' as const, title: `Task ${ref}` },
  fields: { assigneeId: { ref: 'mia' } },
  ...more,
});
const block = (item: string, day: string) => ({
  user: 'mia',
  item,
  startLocal: `2090-03-0${day}T09:00`,
  endLocal: `2090-03-0${day}T10:00`,
});

test.before('Mia has work in Apollo, which Ana owns, and in Borealis, which only Max owns', async () => {
  work = await workWorld(
    database.url,
    {
      items: [task('one'), task('two'), task('done', { status: 'done' }), { ref: 'free', type: 'task', title: 'Nobody’s' }],
      planBlocks: [block('one', '1'), block('two', '2')],
    },
    {
      workspaces: [
        {
          ref: 'borealis',
          name: 'Borealis',
          mcp: { enabled: true },
          members: [
            { user: 'max', role: 'owner' },
            { user: 'mia', role: 'member' },
          ],
          items: [task('away')],
          planBlocks: [block('away', '3')],
        },
      ],
      restKeys: [{ ref: 'key', user: 'mia', name: 'CI', grants: ['tasks:read'] }],
      connections: [
        { ref: 'a1', user: 'mia', name: 'A1', workspaces: ['apollo', 'borealis'] },
        { ref: 'a2', user: 'mia', name: 'A2', workspaces: ['borealis'] },
      ],
    },
  );
  [ana, mia] = await Promise.all([signedIn(work.web.baseUrl, emailOf('ana')), signedIn(work.web.baseUrl, emailOf('mia'))]);
});
test.after('stop', () => work?.stop());

const item = (ref: string) => `/workspaces/${work.refs.id('apollo')}/items/${work.refs.id(ref)}`;
const members = (place = 'apollo') => `/workspaces/${work.refs.id(place)}/settings/members`;
const linkTo = (visitor: Visitor, words: string) =>
  new RegExp(`href="${new URL(work.web.baseUrl).pathname}([^"]+)"[^>]*>(?:<[^>]*>)*${words}`)
    .exec(visitor.at.html)?.[1]
    ?.replaceAll('&amp;', '&');

async function startTimer(): Promise<void> {
  await mia.go(item('one'));
  await mia.send('/my/timer/start');
}

test('removing a member first shows a confirmation with their work in that workspace', async (t) => {
  await startTimer();
  await ana.go(members());
  await ana.send('/members/remove', {}, (fields) => fields.get('userId') === String(work.refs.id('mia')));
  t.regex(
    ana.at.text,
    /Are you sure\? Remove Mia\? Mia has 2 open tasks, 1 running timer, 2 plan blocks, and 1 agent\. They and their keys lose/,
  );
  t.regex(
    ana.at.text,
    /Their timer stops now, and its time is kept\. Their planned time is cancelled\. Open tasks remain assigned to Mia until you reassign them\./,
  );
  t.notRegex(ana.at.text, /key\b.*agent/, 'only owners of the account see its keys');
});

test('"Reassign tasks" opens the list of these open tasks, where all can be changed at once', async (t) => {
  const link = linkTo(ana, 'Reassign tasks');
  t.is(link, `/workspaces/${work.refs.id('apollo')}?assignee=${work.refs.id('mia')}`);
  await ana.go(link!);
  for (const [ref, shown] of Object.entries({ one: true, two: true, done: false, free: false })) {
    t.is(ana.at.html.includes(`name="ids" value="${work.refs.id(ref)}.`), shown, ref);
  }
  t.regex(ana.at.html, /<form id="bulk"/);
});

test('deactivating a user first shows counts of the whole account, including workspaces that the owner is not in', async (t) => {
  await ana.go(`/settings/people/${work.refs.id('mia')}`);
  await ana.send('/active');
  t.regex(
    ana.at.text,
    /Deactivate Mia\? Mia has 3 open tasks, 1 running timer, 3 plan blocks, 1 key, and 2 agents\. Their keys, agents and sessions/,
  );
  t.regex(ana.at.text, /Reassign tasks in Apollo \(2\) ?To reassign 1 task in Borealis, become a member of it\./);
  t.regex((await mia.go('/')).text, /Sign out/, 'nothing has changed yet');
});

test('only account owners see the confirmation of a deactivation, and only workspace managers that of a removal', async (t) => {
  const max = await signedIn(work.web.baseUrl, emailOf('max'));
  const csrf = max.at.html.match(/name="_csrf" value="([^"]+)"/)![1]!;
  const post = (path: string) =>
    max.post(path, new URLSearchParams({ _csrf: csrf, userId: String(work.refs.id('mia')), active: 'no' })).then(({ status }) => status);
  t.is(await post('/settings/people/active'), 403);
  t.is(await post(`${members()}/remove`), 403);
  t.is(await post(`${members('borealis')}/remove`), 200);
  t.regex(max.at.text, /Remove Mia\? Mia has 1 open task, 1 plan block, and 2 agents\./);
});

test("archiving names the person whose timer runs; an owner can stop it on the item's page and then archive", async (t) => {
  const max = await signedIn(work.web.baseUrl, emailOf('max'));
  await max.go(item('one'));
  t.notRegex(max.at.text, /Mia’s timer/, 'a manager can not stop it');
  await ana.go(item('one'));
  await ana.sendSurely('/archive');
  t.regex(
    ana.at.text,
    new RegExp(
      `A timer of Mia \\(user ${work.refs.id('mia')}\\) is running on item \\d+; ask them or an owner of the workspace to stop it`,
    ),
  );
  await ana.sendSurely('/timer/stop');
  t.regex(ana.at.text, /Timer stopped\./);
  t.notRegex(ana.at.text, /Mia’s timer/);
  t.notRegex((await mia.go('/')).text, /Stop timer/);
  await ana.sendSurely('/archive');
  t.regex(ana.at.text, /Task one archived/);
});

test('after "Continue" the member is removed, and their blocks there are cancelled', async (t) => {
  await ana.go(members());
  await ana.sendSurely('/members/remove', {}, (fields) => fields.get('userId') === String(work.refs.id('mia')));
  t.regex(ana.at.text, /Removed\./);
  t.is((await mia.go(item('two'))).status, 403);
  await ana.go(`/settings/people/${work.refs.id('mia')}`);
  await ana.send('/active');
  t.regex(ana.at.text, /Mia has 2 open tasks, 1 plan block, 1 key, and 2 agents\./);
  await ana.send('/active');
  t.regex(ana.at.text, /Deactivated\./);
  t.is((await mia.go('/')).path, '/sign-in');
});

test('a person without work is deactivated after a confirmation without counts', async (t) => {
  await ana.go(`/settings/people/${work.refs.id('eve')}`);
  await ana.send('/active');
  t.regex(ana.at.text, /Deactivate Eve\? Their keys, agents and sessions stop working immediately and permanently\. Continue Cancel/);
});
