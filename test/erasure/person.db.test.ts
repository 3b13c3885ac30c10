/** Erasing a user (behaviour §14.6) at the command line and on the pages, in a database with their traces in every table. */
import { randomUUID } from 'node:crypto';
import { stintHere } from '../support/cli.ts';
import { PASSWORD } from '../support/password.ts';
import { suite } from '../support/suite.ts';
import { signedIn } from '../support/visitor.ts';
import { startWeb } from '../support/world.ts';
import { ADDRESS, NAME, placesOf, planting, tablesWith } from './planted.ts';

const test = suite(import.meta.url);
const plant = planting();

test('an erased user’s name and address are in no column of any table, and their id stays on their work', async (t) => {
  const planted = await plant(t);
  const { url, sql, refs, eraseNow } = planted;
  const paul = refs.id('paul');
  const before = await placesOf(sql, NAME);
  for (const place of [
    'users.name',
    'comments.body',
    'receipts.result',
    'rest_receipts.result',
    'audit.actor_name',
    'time_entry_versions.reason',
  ])
    t.true(before.includes(`public.${place}`), place);
  for (const place of ['items.description', 'change_texts.before', 'changes.fields', 'approvals.approved', 'webhook_deliveries.answer'])
    t.true((await placesOf(sql, ADDRESS)).includes(`public.${place}`), place);
  const feed = await sql('select id, item_id, actor_id, kind, version, era, xact::text from changes order by id');

  const erased = await stintHere(url, ['user', 'erase', '--user', String(paul), '--json']);
  t.like(erased.json, { id: paul, erased: true }, erased.stderr);
  t.deepEqual((await sql('select name, active, password_hash from users where id = $1', [paul]))[0], {
    ...{ name: `Deleted user ${paul}`, active: false, password_hash: null },
  });
  await eraseNow();

  t.deepEqual(await placesOf(sql, NAME), []);
  t.deepEqual(await placesOf(sql, ADDRESS), []);
  t.deepEqual(await placesOf(sql, '203.0.113.9'), []);
  t.deepEqual(await sql('select from erasures'), []);
  t.deepEqual(await tablesWith(sql, 'user_id', paul), [
    'audit',
    'imports',
    'plan_blocks',
    'recurrences',
    'time_entries',
    'time_parts',
    'webhooks',
  ]);
  t.is((await sql('select count(*)::int as n from items where assignee_id = $1', [paul]))[0].n, 2);
  const [comment] = await sql(`select body from comments where body like 'Hello%'`);
  t.is(comment.body, `Hello @Deleted user ${paul}, Quokka; mail [deleted].`);
  const [approved] = await sql('select changed_since_approval as changed from items where id = $1', [refs.id('r')]);
  t.false(approved.changed, 'the approved content is changed, too');
  t.deepEqual(await sql('select id, item_id, actor_id, kind, version, era, xact::text from changes order by id'), feed);
  const [line] = await sql(`select subject_name, changes from audit where kind = 'user.erased'`);
  t.deepEqual(line, { subject_name: `Deleted user ${paul}`, changes: {} });

  const again = await stintHere(url, ['user', 'erase', '--user', String(paul)]);
  t.regex(again.stderr, /user \d+ is already erased/);
  t.regex((await stintHere(url, ['user', 'reactivate', '--user', String(paul)])).stderr, /was erased and cannot be activated/);
});

test("after a user's erasure, a receipt answers another user's retry without the name", async (t) => {
  const planted = await plant(t);
  const { url, sql, refs, eraseNow } = planted;
  const web = await startWeb(url);
  t.teardown(web.stop);
  const created = await stintHere(url, [
    'key',
    'create',
    '--user',
    String(refs.id('ana')),
    '--grants',
    'tasks:write,workspaces:read',
    '--json',
  ]);
  t.is(created.code, 0, created.stderr);
  const { key } = created.json;
  const headers = { 'X-API-Key': key, 'Idempotency-Key': randomUUID(), 'Content-Type': 'application/json' };
  const record = { type: 'task', title: 'New', description: '', status: 'planned', fields: { assigneeId: refs.id('paul') } };
  const body = JSON.stringify({ workspaceId: refs.id('keeper'), record });
  const save = async () =>
    (await fetch(`${web.baseUrl}/api/v1/items/save`, { method: 'POST', headers, body })).json() as Promise<{ id: number }>;
  const name = 'Paul "Q\\" Márker';
  await sql('update users set name = $1 where id = $2', [name, refs.id('paul')]);
  const saved = await save();
  const text = JSON.stringify(saved);
  t.true(text.includes(JSON.stringify(name)), text);

  t.is((await stintHere(url, ['user', 'erase', '--user', String(refs.id('paul'))])).code, 0);
  await eraseNow();

  const retried = await save();
  t.is(retried.id, saved.id);
  t.deepEqual(JSON.stringify(retried), text.replaceAll(JSON.stringify(name), `"Deleted user ${refs.id('paul')}"`));
  t.is((await sql(`select count(*)::int as n from items where title = 'New'`))[0].n, 1);
});

test("an erased user's name stays where another user has the same one", async (t) => {
  const planted = await plant(t);
  const { url, sql, refs, eraseNow } = planted;
  await sql('update users set name = $1 where id = $2', [NAME, refs.id('olga')]);
  await sql(`update comments set body = body || $1 where body like 'Hello%'`, [` @${NAME}#${refs.id('paul')} @${NAME}#${refs.id('olga')}`]);
  t.is((await stintHere(url, ['user', 'erase', '--user', String(refs.id('paul'))])).code, 0);
  await eraseNow();
  const [comment] = await sql(`select body from comments where body like 'Hello%'`);
  t.is(comment.body, `Hello @${NAME}, Quokka; mail [deleted]. @Deleted user ${refs.id('paul')} @${NAME}#${refs.id('olga')}`);
});

test('an owner erases a user on their page with the password, unless the user is the only owner of the account or a workspace', async (t) => {
  const planted = await plant(t);
  const { url, sql, refs, eraseNow } = planted;
  const web = await startWeb(url);
  t.teardown(web.stop);
  const olga = await signedIn(web.baseUrl, 'olga@acme.example');
  const paul = await signedIn(web.baseUrl, ADDRESS);

  await olga.go(`/settings/people/${refs.id('ana')}`);
  t.regex((await olga.sendSurely('/erase')).text, /only owner of Keeper, Quokka\. Make another member an owner there/);
  t.is((await sql('select active from users where id = $1', [refs.id('ana')]))[0].active, true);

  await sql(`update sessions set created_at = now() - interval '1 hour', confirmed_at = null where user_id = $1`, [refs.id('olga')]);
  await olga.go(`/settings/people/${refs.id('paul')}`);
  await olga.sendSurely('/erase');
  t.regex(olga.at.text, /Confirm your password/);
  t.is((await sql('select active from users where id = $1', [refs.id('paul')]))[0].active, true);
  await olga.send('/erase', { _password: PASSWORD });
  t.regex(olga.at.text, /Erased\./);
  t.regex(olga.at.text, new RegExp(`Deleted user ${refs.id('paul')}`));
  t.regex(olga.at.text, /This user was erased/);
  t.throws(() => olga.form('/erase'));
  t.regex((await paul.go('/my')).path, /^\/sign-in/);
  await eraseNow();
  t.deepEqual(await placesOf(sql, NAME), []);

  await sql(`update users set account_role = 'member' where id = $1`, [refs.id('ana')]);
  await olga.go(`/settings/people/${refs.id('olga')}`);
  t.regex((await olga.sendSurely('/erase')).text, /An account needs an active owner/);
});
