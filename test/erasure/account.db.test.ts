/** Erasing an account (behaviour §14.5): for 30 days owners can only restore it, then no table has rows of it. */
import { stintHere } from '../support/cli.ts';
import { PASSWORD } from '../support/password.ts';
import { suite } from '../support/suite.ts';
import { signedIn, Visitor } from '../support/visitor.ts';
import { startWeb } from '../support/world.ts';
import { ADDRESS, ID_PARTS, MARKER, NAME, placesOf, planting } from './planted.ts';

const test = suite(import.meta.url);
const plant = planting();

test('30 days after its erasure only the audit line of an account is left, and other accounts are unchanged', async (t) => {
  const planted = await plant(t);
  const { url, sql, refs, account, runJobs, eraseNow } = planted;
  const others = async () => [
    await sql('select * from users where account_id <> $1 order by id', [account]),
    await sql('select * from items where account_id <> $1 order by id', [account]),
    await sql('select * from rest_keys where account_id <> $1', [account]),
  ];
  const before = await others();
  t.is((await stintHere(url, ['workspace', 'erase', '--workspace', String(refs.id('keeper'))])).code, 0);
  const erased = await stintHere(url, ['account', 'erase', '--account', String(account), '--json']);
  t.like(erased.json, { id: account, restore: `stint account restore --account ${account}` }, erased.stderr);
  const added = await stintHere(url, ['user', 'create', '--account', String(account), '--email', 'new@acme.example', '--name', 'New']);
  t.regex(added.stderr, /set to be erased\. Restore it first/);
  t.regex((await stintHere(url, ['user', 'reactivate', '--user', String(refs.id('paul'))])).stderr, /set to be erased/);
  t.regex((await stintHere(url, ['workspace', 'restore', '--workspace', String(refs.id('keeper'))])).stderr, /its account is/);
  await runJobs();

  for (const table of ['receipts', 'rest_receipts']) await sql(`update ${table} set created_at = now() - interval '31 days'`);
  await eraseNow();

  for (const text of [MARKER, NAME, ADDRESS, 'Wombat', 'Olga', ID_PARTS.inApollo, ID_PARTS.user])
    t.deepEqual(await placesOf(sql, text), [], text);
  t.deepEqual(await placesOf(sql, ID_PARTS.account), ['public.audit.account_id', 'public.audit.subject_id', 'public.audit.subject_name']);
  const lines = await sql('select kind, subject_name, address from audit where account_id = $1', [account]);
  t.deepEqual(lines, [{ kind: 'account.erased', subject_name: `Deleted account ${account}`, address: null }]);
  t.deepEqual(await others(), before);
  t.regex((await stintHere(url, ['account', 'restore', '--account', String(account)])).stderr, /can't be restored/);
});

test('an owner erases the account on its page: sessions, keys and agents end at once, and signing in can restore it', async (t) => {
  const planted = await plant(t);
  const { url, sql, refs, runJobs } = planted;
  const web = await startWeb(url);
  t.teardown(web.stop);
  await sql("update workspaces set archived_at = now() - interval '1 day' where id = $1", [refs.id('keeper')]);
  await sql('update users set active = false where id = $1', [refs.id('olga')]);
  const read = async () =>
    (
      await fetch(`${web.baseUrl}/api/v1/item?workspaceId=${refs.id('apollo')}&id=${refs.id('t')}`, {
        headers: { 'X-API-Key': refs.key('pk') },
      })
    ).status;
  const agent = async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'svc_get_context', arguments: {} } });
    const headers = {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      Authorization: `Bearer ${refs.key('pc')}`,
    };
    return (await fetch(`${web.baseUrl}/mcp`, { method: 'POST', body, headers })).status;
  };
  t.deepEqual([await read(), await agent()], [200, 200]);
  const paul = await signedIn(web.baseUrl, ADDRESS);
  t.is((await paul.go('/settings/account')).status, 403);
  const ana = await signedIn(web.baseUrl, 'ana@acme.example');
  await ana.go('/settings/people');
  t.regex(ana.at.html, /href="[^"]*\/settings\/account"/);
  await ana.go('/settings/account');
  await ana.sendSurely('/erase');
  t.regex(ana.at.text, /Until then, an owner can sign in to restore it/);

  t.deepEqual([await read(), await agent()], [401, 401]);
  t.regex((await paul.go('/my')).path, /^\/sign-in/);
  await paul.send('/sign-in', { email: ADDRESS, password: PASSWORD });
  t.is(paul.at.status, 401, 'only an owner restores it');
  await runJobs();

  const back = new Visitor(web.baseUrl);
  await back.go('/sign-in');
  await back.send('/sign-in', { email: 'ana@acme.example', password: PASSWORD });
  t.regex(back.at.text, /Wombat Ltd will be erased on/);
  t.notRegex(back.at.text, /Sign out/);
  await back.send('/sign-in/restore');
  t.regex(back.at.text, /Sign out/);
  t.deepEqual([await read(), await agent()], [200, 200]);
  t.deepEqual(
    (await sql('select id from workspaces where archived_at is not null')).map(({ id }) => Number(id)),
    [refs.id('keeper')],
    'what was archived before stays archived',
  );
  t.false((await sql('select active from users where id = $1', [refs.id('olga')]))[0].active, 'who was deactivated before stays so');
  await signedIn(web.baseUrl, ADDRESS);
});
