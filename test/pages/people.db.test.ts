/** People of an account: joining, notifications and leaving. Over HTTP, with a real worker and a mail server. */
import { fileDatabase } from '../support/database.ts';
import { PASSWORD } from '../support/password.ts';
import { mailServer } from '../support/smtp.ts';
import { suite } from '../support/suite.ts';
import { type Shown, signedIn, Visitor } from '../support/visitor.ts';
import { queueOf, runningWorker } from '../support/workers.ts';
import { oneWorkspace, startWeb, type Web, type WorldRefs, world } from '../support/world.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let web: Web;
let refs: WorldRefs;
test.before('an account', async () => {
  const person = (ref: string, accountRole: 'admin' | 'member' = 'member') =>
    ({ ref, email: `${ref}@acme.example`, name: ref, accountRole, password: PASSWORD }) as const;
  const members = ['gone', 'reset', 'late', 'eve', 'brief', 'seen'];
  const file = oneWorkspace(
    { members: members.map((user) => ({ user, role: 'member' as const })) },
    {
      users: [
        person('bo', 'admin'),
        person('adam', 'admin'),
        person('cleo', 'admin'),
        ...members.map((ref) => person(ref)),
        { ...person('robot'), kind: 'service' },
        { ref: 'fresh', email: 'fresh@acme.example', name: 'Fresh' },
      ],
      restKeys: ['gone', 'seen'].map((user) => ({ ref: `k-${user}`, user, name: 'CI', grants: ['workspaces:read'] as const })),
      connections: ['gone', 'seen'].map((user) => ({ ref: `c-${user}`, user, name: 'Laptop', workspaces: ['apollo'] })),
      workspaces: [
        { ref: 'attic', name: 'Attic', members: [{ user: 'ana', role: 'owner' }] },
        { ref: 'old', name: 'Old', members: [{ user: 'ana', role: 'owner' }] },
      ],
    },
  );
  Object.assign(file.accounts[0]!.users![0]!, { email: 'ana@acme.example', password: PASSWORD });
  refs = await world(database.url, file);
  web = await startWeb(database.url);
});
test.after('stop', () => web?.stop());

/** The page of one of the account's people. */
const at = (ref: string) => `/settings/people/${refs.id(ref)}`;
/** Sends a form of that page, and confirms if asked. */
async function act(visitor: Visitor, ref: string, action: string, values: Record<string, string> = {}): Promise<Shown> {
  await visitor.go(at(ref));
  await visitor.send(action, values);
  return visitor.at.text.includes('Are you sure?') ? visitor.send(action) : visitor.at;
}
async function actSurely(visitor: Visitor, ref: string, action: string): Promise<Shown> {
  await visitor.go(at(ref));
  return visitor.sendSurely(action);
}
const linkIn = (text: string) => /http\S+\/invitation\?i=\d+&t=[\w-]+/.exec(text)![0];
const pathOf = (link: string) => link.slice(link.indexOf('/invitation'));
async function people(who: 'ana' | 'bo' | 'adam' | 'cleo', at = web): Promise<Visitor> {
  const visitor = await signedIn(at.baseUrl, `${who}@acme.example`);
  await visitor.go('/settings/people');
  return visitor;
}
async function join(link: string, password: string): Promise<Shown> {
  const visitor = new Visitor(web.baseUrl);
  await visitor.go(pathOf(link));
  return visitor.send('/invitation', { password });
}

test('with mail an invitation is sent with the displayed link, and so are password links', async (t) => {
  const server = await mailServer(t);
  const queue = await queueOf(t, database.url);
  const mailing = await startWeb(database.url, { SMTP_URL: server.url });
  t.teardown(mailing.stop);
  await runningWorker(t, database.url, { env: { SMTP_URL: server.url, BASE_URL: mailing.baseUrl } });
  const mailTo = (address: string, subject: string) =>
    server.mail((text) => text.includes(`To: ${address}`) && text.includes(`Subject: ${subject}`));
  const ana = await people('ana', mailing);
  const shown = await ana.send('/add', { name: 'Post', email: 'post@acme.example', weeklyHours: '30' });
  t.regex(shown.text, /Sending…/);
  const mail = await mailTo('post@acme.example', 'Join Acme on Stint');
  t.is(linkIn(mail), linkIn(shown.text));
  const jobs = await queue.rows('select payload from graphile_worker._private_jobs');
  t.false(JSON.stringify(jobs).includes(/t=([\w-]+)/.exec(shown.text)![1]!), 'no job holds the token');
  t.regex((await join(linkIn(mail), PASSWORD)).text, /PostYour account/);

  await ana.go('/settings/people');
  const reset = await actSurely(ana, 'late', '/invite');
  t.regex(reset.text, /Sending…/);
  t.notRegex(reset.text, /invitation\?i=/, 'a link for a user with a password is only mailed');
  t.truthy(linkIn(await mailTo('late@acme.example', 'Set a new password for Stint')));
  await queue.until(`select bool_and(mail_state = 'sent') from invitations where user_id = ${refs.id('late')}`);
  t.regex((await ana.go(at('late'))).text, /The email was sent\./);
  t.regex(await mailTo('late@acme.example', 'A password link was created for you'), /Ana created a password link for you/);
});

test("several people are invited into workspaces at once: each gets an own result, and joins with the inviter's rights", async (t) => {
  const queue = await queueOf(t, database.url);
  const [apollo, attic] = ['apollo', 'attic'].map((ref) => refs.id(ref));
  const cleo = await people('cleo');
  const invite = async (addresses: string) => {
    await cleo.go('/settings/people');
    return cleo.send('/invitations', { addresses, [`workspace-${apollo}`]: 'manager', [`workspace-${attic}`]: 'viewer' });
  };
  const answer = await invite('Una Berg <una@acme.example>, dos@acme.example\nEVE@acme.example fresh@acme.example, Tres <tres>');
  t.regex(answer.text, /2 invited, 2 already here, 1 invalid\./);
  t.regex(answer.text, /Una Berg\s*una@acme\.example\s*invited/);
  t.regex(answer.text, /eve@acme\.example\s*already here\s*This user was not changed\./);
  t.regex(answer.text, /fresh@acme\.example\s*already here.*invited, not joined yet/);
  t.regex(answer.text, /Tres <tres>\s*invalid/);
  const links = [...answer.text.matchAll(/http\S+\/invitation\?i=\d+&t=[\w-]{43}/g)].map(([link]) => link);
  t.is(links.length, 2);
  const rolesOf = async (email: string) =>
    (
      await queue.rows(
        `select m.workspace_id::int as id, m.role from memberships m join users u on u.id = m.user_id where u.email = $1 order by 1`,
        [email],
      )
    ).map(({ id, role }: { id: number; role: string }) => `${id} ${role}`);

  // They get nothing before they join, and no workspace that is archived by then.
  t.deepEqual(await rolesOf('una@acme.example'), []);
  const guest = new Visitor(web.baseUrl);
  t.regex((await guest.go(pathOf(links[0]!))).text, /cleo invites you, to work in Apollo and Attic\./);
  await queue.rows('update workspaces set archived_at = now() where id = $1', [attic]);
  t.regex((await guest.go(pathOf(links[0]!))).text, /to work in Apollo\./);
  await guest.send('/invitation', { password: PASSWORD });
  t.deepEqual(await rolesOf('una@acme.example'), [`${apollo} manager`]);
  const [line] = await queue.rows(`select changes from audit where kind = 'member.put' order by id desc limit 1`);
  t.deepEqual(line.changes.role, [null, 'manager']);
  const [added] = await queue.rows(`select changes from audit where kind = 'user.added' and subject_name = 'Una Berg'`);
  t.deepEqual(added.changes.invitedTo, [null, { [apollo!]: 'manager', [attic!]: 'viewer' }]);
  await queue.rows('update workspaces set archived_at = null where id = $1', [attic]);
  t.deepEqual(await rolesOf('una@acme.example'), [`${apollo} manager`], 'the missed invitation is not repeated');

  // The inviter lost the right: the link is invalid, and another administrator's grants what that one may see.
  const [dos] = await queue.rows(`select id::int from users where email = 'dos@acme.example'`);
  await queue.rows(`update users set account_role = 'member' where id = $1`, [refs.id('cleo')]);
  t.is((await new Visitor(web.baseUrl).go(pathOf(links[1]!))).status, 403);
  await queue.rows(`update users set account_role = 'admin' where id = $1`, [refs.id('cleo')]);
  const ana = await people('ana');
  t.regex((await ana.go(`/settings/people/${dos.id}`)).text, /Apollo joins when the invitation is accepted\s*manager/);
  const link = linkIn((await ana.send('/invite')).text);
  // Another user added them meanwhile: that membership stays as it is.
  await queue.rows(
    `insert into memberships (account_id, workspace_id, user_id, role) select account_id, id, $2, 'viewer' from workspaces where id = $1`,
    [apollo, dos.id],
  );
  await join(link, PASSWORD);
  t.deepEqual(await rolesOf('dos@acme.example'), [`${apollo} viewer`, `${attic} viewer`]);
  t.deepEqual(await queue.rows('select from invited_memberships where user_id = $1', [dos.id]), []);
});

test('an invitation without an address, with too many, or with a missing workspace is refused as a whole; making an administrator asks first', async (t) => {
  const queue = await queueOf(t, database.url);
  const users = async () => (await queue.rows(`select from users where email ~ '^(p[0-9]+|nobody|vier)@'`)).length;
  const cleo = await people('cleo');
  t.is((await cleo.send('/invitations', { addresses: 'nobody, ' })).status, 400);
  const many = Array.from({ length: 31 }, (_, n) => `p${n}@acme.example`).join(' ');
  t.regex((await cleo.send('/invitations', { addresses: many })).text, /at most 30 addresses at a time; you gave 31/);
  await queue.rows('update workspaces set archived_at = now() where id = $1', [refs.id('old')]);
  t.is((await cleo.send('/invitations', { addresses: 'vier@acme.example', [`workspace-${refs.id('old')}`]: 'member' })).status, 400);
  t.is((await cleo.send('/invitations', { addresses: 'vier@acme.example', accountRole: 'owner' })).text.includes('Are you sure?'), true);
  t.is((await cleo.send('/invitations')).status, 403, 'an administrator makes no owner');
  t.is(await users(), 0);
  await cleo.go('/settings/people');
  t.regex(
    (await cleo.send('/invitations', { addresses: 'vier@acme.example', accountRole: 'admin' })).text,
    /Make all of them an administrator\?/,
  );
  t.regex((await cleo.send('/invitations')).text, /1 invited\./);
});

test('a user deactivated before joining gets no workspaces when they are activated again', async (t) => {
  const ana = await people('ana');
  await ana.send('/invitations', { addresses: 'spat@acme.example', [`workspace-${refs.id('apollo')}`]: 'member' });
  const page = /\/settings\/people\/\d+/.exec(ana.at.html)![0];
  t.regex((await ana.go(page)).text, /joins when the invitation is accepted/);
  await ana.sendSurely('/active');
  await ana.send('/active');
  t.regex(ana.at.text, /Not a member of any workspace\./);
});

test('people are found by name and address, with role, last seen, keys and agents; each has a page', async (t) => {
  const ana = await people('ana');
  t.regex((await ana.go('/settings/people?q=SEEN')).text, /seen\s*seen@acme\.example\s*member\s*never\s*1\s*1/i);
  t.notRegex(ana.at.text, /reset@acme\.example/);
  t.regex((await ana.go('/settings/people?q=%25')).text, /No person matches “%”/);
  const { text } = await ana.go(at('seen'));
  t.regex(text, /CI\s*never.*Laptop\s*Apollo\s*never/);
  t.is((await ana.go('/settings/people/999999')).status, 403);
});

test('an invitation that is seven days old, replaced or tampered with is refused without details', async (t) => {
  const queue = await queueOf(t, database.url);
  const ana = await people('ana');
  const first = linkIn((await act(ana, 'fresh', '/invite')).text);
  const [row] = await queue.rows(
    `select expires_at - created_at = interval '7 days' as seven from invitations where user_id = $1 order by id desc limit 1`,
    [refs.id('fresh')],
  );
  t.true(row.seven);
  await ana.go('/settings/people');
  const second = linkIn((await act(ana, 'fresh', '/invite')).text);
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
  t.regex(pages[0]!, /already used or has expired/);
  const [fresh] = await queue.rows('select password_hash from users where id = $1', [refs.id('fresh')]);
  t.is(fresh.password_hash, null);
});

test('a password link asks first, notifies its person, expires when they set a password, and ends their sessions when used', async (t) => {
  const person = await signedIn(web.baseUrl, 'reset@acme.example');
  const bo = await people('bo');
  const link = linkIn((await actSurely(bo, 'reset', '/invite')).text);
  t.regex(
    (await person.go('/notifications')).text,
    /bo created a password link for you at .* If you did not request it, change your password/,
  );
  await person.go('/settings/password');
  await person.send('/settings/password', { current: PASSWORD, password: 'my own new one' });
  t.is((await new Visitor(web.baseUrl).go(pathOf(link))).status, 403, 'the link has ended');

  await bo.go('/settings/people');
  const second = linkIn((await actSurely(bo, 'reset', '/invite')).text);
  t.regex((await join(second, 'given by a link')).text, /resetYour account/);
  t.is((await person.go('/')).path, '/sign-in', 'their sessions have ended');
  const again = await signedIn(web.baseUrl, 'reset@acme.example', 'given by a link');
  t.regex((await again.go('/notifications')).text, /Your password was changed at .* with a link from bo\. All sessions ended/);
});

test('password links expire when the role or activity of their creator or their user changes', async (t) => {
  const queue = await queueOf(t, database.url);
  const ana = await people('ana');
  const opens = async (link: string) => (await new Visitor(web.baseUrl).go(pathOf(link))).status === 200;
  const linkBy = async (who: 'ana' | 'bo' | 'adam') => {
    const visitor = await people(who);
    return linkIn((await actSurely(visitor, 'eve', '/invite')).text);
  };
  const setRole = (ref: string, accountRole: string) => act(ana, ref, '/role', { accountRole });
  const change = async (ref: string) => {
    await ana.go('/settings/people');
    await act(ana, ref, '/active');
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

  // However the rights were lost: using a link checks them again.
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

test('a link for a user with a password is valid for 24 hours', async (t) => {
  const queue = await queueOf(t, database.url);
  const ana = await people('ana');
  const shown = await actSurely(ana, 'brief', '/invite');
  t.regex(shown.text, /expires in 24 hours/);
  const [row] = await queue.rows('select expires_at - created_at = $2::interval as day from invitations where user_id = $1', [
    refs.id('brief'),
    '24 hours',
  ]);
  t.true(row.day);
});

test("a service user can't sign in or get a password link", async (t) => {
  const visitor = new Visitor(web.baseUrl);
  await visitor.go('/sign-in');
  t.is((await visitor.send('/sign-in', { email: 'robot@acme.example', password: PASSWORD })).status, 401);
  const ana = await people('ana');
  t.regex(ana.at.text, /service user/);
  await ana.go(at('robot'));
  t.throws(() => ana.form('/invite'));
  await ana.go(at('fresh'));
  const { path, fields } = ana.form('/invite');
  fields.set('userId', String(refs.id('robot')));
  t.is((await ana.post(path, fields)).status, 400);
});

test('deactivating a person ends sessions, keys and agents; activating restores none of them', async (t) => {
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
  t.regex((await actSurely(ana, 'gone', '/active')).text, /Their keys and sessions no longer work/);
  t.deepEqual([await rest(), await agent()], [401, 401]);
  t.is((await person.go('/')).path, '/sign-in');
  t.is((await person.send('/sign-in', { email: 'gone@acme.example', password: PASSWORD })).status, 401);
  await act(ana, 'gone', '/active');
  t.deepEqual([await rest(), await agent()], [401, 401]);
  t.is((await person.go('/')).path, '/sign-in');
});
