/** People of an account: how they get in, are told of it, and are sent away. Over plain HTTP, with a real worker and a mail server. */
import test from 'ava';
import { fileDatabase } from '../support/database.ts';
import { PASSWORD } from '../support/password.ts';
import { mailServer } from '../support/smtp.ts';
import { type Shown, signedIn, Visitor } from '../support/visitor.ts';
import { queueOf, runningWorker } from '../support/workers.ts';
import { oneWorkspace, startWeb, type Web, type WorldRefs, world } from '../support/world.ts';

const database = fileDatabase();
let web: Web;
let refs: WorldRefs;
test.serial.before('an account', async () => {
  const person = (ref: string, accountRole: 'admin' | 'member' = 'member') =>
    ({ ref, email: `${ref}@acme.example`, name: ref, accountRole, password: PASSWORD }) as const;
  const members = ['gone', 'reset', 'late', 'eve', 'brief'];
  const file = oneWorkspace(
    { members: members.map((user) => ({ user, role: 'member' as const })) },
    {
      users: [
        person('bo', 'admin'),
        person('adam', 'admin'),
        ...members.map((ref) => person(ref)),
        { ...person('robot'), kind: 'service' },
        { ref: 'fresh', email: 'fresh@acme.example', name: 'Fresh' },
      ],
      restKeys: [{ ref: 'k-gone', user: 'gone', name: 'CI', grants: ['workspaces:read'] }],
      connections: [{ ref: 'c-gone', user: 'gone', name: 'Laptop', workspaces: ['apollo'] }],
    },
  );
  Object.assign(file.accounts[0]!.users![0]!, { email: 'ana@acme.example', password: PASSWORD });
  refs = await world(database.url, file);
  web = await startWeb(database.url);
});
test.after.always('it ends', () => web?.stop());

const of = (ref: string) => (fields: URLSearchParams) => fields.get('userId') === String(refs.id(ref));
const linkIn = (text: string) => /http\S+\/invitation\?i=\d+&t=[\w-]+/.exec(text)![0];
const pathOf = (link: string) => link.slice(link.indexOf('/invitation'));
async function people(who: 'ana' | 'bo' | 'adam', at = web): Promise<Visitor> {
  const visitor = await signedIn(at.baseUrl, `${who}@acme.example`);
  await visitor.go('/settings/people');
  return visitor;
}
async function join(link: string, password: string): Promise<Shown> {
  const visitor = new Visitor(web.baseUrl);
  await visitor.go(pathOf(link));
  return visitor.send('/invitation', { password });
}

test('with mail set up an invitation arrives, and its link is the one that was shown; so do the words about a password link', async (t) => {
  const server = await mailServer(t);
  const queue = await queueOf(t, database.url);
  const mailing = await startWeb(database.url, { SMTP_URL: server.url });
  t.teardown(mailing.stop);
  await runningWorker(t, database.url, { env: { SMTP_URL: server.url, BASE_URL: mailing.baseUrl } });
  const mailTo = async (address: string, subject: string) => {
    const mail = () => server.taken.find((text) => text.includes(`To: ${address}`) && text.includes(`Subject: ${subject}`));
    for (let looks = 0; looks < 200 && !mail(); looks++) await new Promise((resolve) => setTimeout(resolve, 100));
    // Long lines are folded with a sign of equality.
    return mail()!.replaceAll('=\n', '').replaceAll('=3D', '=');
  };
  const ana = await people('ana', mailing);
  const shown = await ana.send('/add', { name: 'Post', email: 'post@acme.example', weeklyHours: '30' });
  t.regex(shown.text, /It has been mailed to them as well/);
  const mail = await mailTo('post@acme.example', 'Join Acme on Stint');
  t.is(linkIn(mail), linkIn(shown.text));
  const jobs = await queue.rows('select payload from graphile_worker._private_jobs');
  t.false(JSON.stringify(jobs).includes(/t=([\w-]+)/.exec(shown.text)![1]!), 'no job holds the token');
  t.regex((await join(linkIn(mail), PASSWORD)).text, /PostYour account/);

  await ana.go('/settings/people');
  const reset = await ana.sendSurely('/invite', {}, of('late'));
  t.regex(reset.text, /The link has been mailed to them/);
  t.notRegex(reset.text, /invitation\?i=/, 'a link that opens the account of somebody who has a password is mailed only');
  t.truthy(linkIn(await mailTo('late@acme.example', 'Your new password for Stint')));
  t.regex(await mailTo('late@acme.example', 'A link sets a new password for you'), /Ana made a link that sets a new password for you/);
});

test('an invitation that is seven days old, replaced or tampered with opens nothing, and says no more than that', async (t) => {
  const queue = await queueOf(t, database.url);
  const ana = await people('ana');
  const first = linkIn((await ana.send('/invite', {}, of('fresh'))).text);
  const [row] = await queue.rows(`select expires_at - created_at = interval '7 days' as seven from invitations order by id desc limit 1`);
  t.true(row.seven);
  await ana.go('/settings/people');
  const second = linkIn((await ana.send('/invite', {}, of('fresh'))).text);
  await queue.rows(`update invitations set expires_at = now() where user_id = $1`, [refs.id('fresh')]);
  const pages = [];
  for (const path of [first, second, second.replace(/t=.*/, 't='), second.replace(/i=\d+/, 'i=999999'), second.replace(/i=\d+/, 'i=-1')]) {
    const shown = await new Visitor(web.baseUrl).go(pathOf(path));
    t.is(shown.status, 403, path);
    pages.push(shown.text);
    const [, i, token] = /i=(-?\d+)&t=([\w-]*)/.exec(path)!;
    const fields = new URLSearchParams({ i: i!, t: token!, password: PASSWORD });
    t.is((await new Visitor(web.baseUrl).post('/invitation', fields)).status, 403, path);
  }
  t.is(new Set(pages).size, 1);
  t.regex(pages[0]!, /works once and for seven days/);
  const [fresh] = await queue.rows('select password_hash from users where id = $1', [refs.id('fresh')]);
  t.is(fresh.password_hash, null);
});

test('a link to a new password asks first, is told to its person, ends with a password of their own, and ends their sessions when used', async (t) => {
  const person = await signedIn(web.baseUrl, 'reset@acme.example');
  const bo = await people('bo');
  const link = linkIn((await bo.sendSurely('/invite', {}, of('reset'))).text);
  t.regex(
    (await person.go('/notifications')).text,
    /bo made a link that sets a new password for you, at .* If you did not ask for it, change your password/,
  );
  await person.go('/settings/password');
  await person.send('/settings/password', { current: PASSWORD, password: 'my own new one' });
  t.is((await new Visitor(web.baseUrl).go(pathOf(link))).status, 403, 'the link has ended');

  await bo.go('/settings/people');
  const second = linkIn((await bo.sendSurely('/invite', {}, of('reset'))).text);
  t.regex((await join(second, 'given by a link')).text, /resetYour account/);
  t.is((await person.go('/')).path, '/sign-in', 'their sessions have ended');
  const again = await signedIn(web.baseUrl, 'reset@acme.example', 'given by a link');
  t.regex((await again.go('/notifications')).text, /Your password was set at .* with a link that bo made, and your sessions ended/);
});

test('password links end with the rights of whoever made them: a role or activity that changes, of either, ends them for good', async (t) => {
  const queue = await queueOf(t, database.url);
  const ana = await people('ana');
  const opens = async (link: string) => (await new Visitor(web.baseUrl).go(pathOf(link))).status === 200;
  const linkBy = async (who: 'ana' | 'bo' | 'adam') => {
    const visitor = await people(who);
    return linkIn((await visitor.sendSurely('/invite', {}, of('eve'))).text);
  };
  const setRole = (ref: string, accountRole: string) => ana.send('/role', { accountRole }, of(ref));
  const change = async (ref: string) => {
    await ana.go('/settings/people');
    await ana.send('/active', {}, of(ref));
    return ana.at.text.includes('Are you sure?') ? ana.send('/active') : ana.at;
  };

  const promoted = await linkBy('adam');
  t.true(await opens(promoted));
  await setRole('eve', 'owner');
  t.false(await opens(promoted), 'their person became an owner, above its maker');
  await setRole('eve', 'member');
  t.false(await opens(promoted), 'and it does not come back');

  const demoted = await linkBy('adam');
  await setRole('adam', 'member');
  t.false(await opens(demoted), 'its maker is no administrator any more');
  await setRole('adam', 'admin');
  t.false(await opens(demoted));

  const deactivated = await linkBy('adam');
  await change('adam');
  t.false(await opens(deactivated), 'its maker was deactivated');
  await change('adam');
  t.false(await opens(deactivated));

  // However the rights were lost: using a link asks again.
  const overtaken = await linkBy('adam');
  for (const [lose, again] of [
    [`account_role = 'member' where id = ${refs.id('adam')}`, `account_role = 'admin' where id = ${refs.id('adam')}`],
    [`active = false where id = ${refs.id('adam')}`, `active = true where id = ${refs.id('adam')}`],
    [`account_role = 'owner' where id = ${refs.id('eve')}`, `account_role = 'member' where id = ${refs.id('eve')}`],
  ] as const) {
    await queue.rows(`update users set ${lose}`);
    const fields = new URLSearchParams({ i: /i=(\d+)/.exec(overtaken)![1]!, t: /t=([\w-]+)/.exec(overtaken)![1]!, password: PASSWORD });
    t.is((await new Visitor(web.baseUrl).post('/invitation', fields)).status, 403, lose);
    await queue.rows(`update users set ${again}`);
    t.true(await opens(overtaken), again);
  }
});

test('a link for somebody who has a password lives for 24 hours', async (t) => {
  const queue = await queueOf(t, database.url);
  const ana = await people('ana');
  const shown = await ana.sendSurely('/invite', {}, of('brief'));
  t.regex(shown.text, /ends in 24 hours/);
  const [row] = await queue.rows('select expires_at - created_at = $2::interval as day from invitations where user_id = $1', [
    refs.id('brief'),
    '24 hours',
  ]);
  t.true(row.day);
});

test('a service user can not sign in, nor be given a link that would let them', async (t) => {
  const visitor = new Visitor(web.baseUrl);
  await visitor.go('/sign-in');
  t.is((await visitor.send('/sign-in', { email: 'robot@acme.example', password: PASSWORD })).status, 401);
  const ana = await people('ana');
  t.regex(ana.at.text, /service user/);
  t.throws(() => ana.form('/invite', of('robot')));
  const { path, fields } = ana.form('/invite', of('fresh'));
  fields.set('userId', String(refs.id('robot')));
  t.is((await ana.post(path, fields)).status, 400);
});

test('deactivating a person ends sessions, keys and agents; activating brings none of them back', async (t) => {
  const person = await signedIn(web.baseUrl, 'gone@acme.example');
  const rest = async () => (await fetch(`${web.baseUrl}/api/v1/workspaces`, { headers: { 'X-API-Key': refs.key('k-gone') } })).status;
  const agent = async () =>
    (
      await fetch(`${web.baseUrl}/mcp`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          Authorization: `Bearer ${refs.key('c-gone')}`,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'svc_context', arguments: {} } }),
      })
    ).status;
  t.deepEqual([await rest(), await agent()], [200, 200]);
  const ana = await people('ana');
  t.regex((await ana.sendSurely('/active', {}, of('gone'))).text, /Their keys and sessions no longer work/);
  t.deepEqual([await rest(), await agent()], [401, 401]);
  t.is((await person.go('/')).path, '/sign-in');
  t.is((await person.send('/sign-in', { email: 'gone@acme.example', password: PASSWORD })).status, 401);
  await ana.send('/active', {}, of('gone'));
  t.deepEqual([await rest(), await agent()], [401, 401]);
  t.is((await person.go('/')).path, '/sign-in');
});
