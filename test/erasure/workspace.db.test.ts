/** Erasing a workspace (behaviour §14.5): 30 days in the archive, then removed from every table. */
import { stintHere } from '../support/cli.ts';
import { suite } from '../support/suite.ts';
import { signedIn } from '../support/visitor.ts';
import { startWeb } from '../support/world.ts';
import { ADDRESS, ID_PARTS, MARKER, placesOf, planting, tablesWith } from './planted.ts';

const test = suite(import.meta.url);
const plant = planting();

/** Moves all times back as if the 30 days were over. */
const over = [
  `update erasures set due_at = now(), requested_at = now() - interval '30 days'`,
  ...['receipts', 'rest_receipts'].map((table) => `update ${table} set created_at = now() - interval '31 days'`),
].join(';');

test('30 days after its erasure a workspace is in no column of any table, and other workspaces are unchanged', async (t) => {
  const planted = await plant(t);
  const { url, sql, refs, account, runJobs, eraseNow } = planted;
  const [apollo, keeper] = [refs.id('apollo'), refs.id('keeper')];
  const held = await tablesWith(sql, 'workspace_id', apollo);
  const every = await sql(
    `select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'workspace_id' order by 1`,
  );
  t.deepEqual(
    held,
    every.map(({ name }) => name),
    'the test has a row of the workspace in every table that can hold one',
  );
  await sql(
    `insert into items (account_id, workspace_id, type, title, status, status_key, parent_item_id)
     select account_id, workspace_id, 'task', title || n, status, status_key, id from items, generate_series(1, 2500) n where id = $1`,
    [refs.id('s')],
  );
  const others = async () => [
    await sql('select * from items where workspace_id = $1 order by id', [keeper]),
    await sql('select * from comments where item_id = $1', [refs.id('kept')]),
    await sql('select * from time_entries where workspace_id = $1', [keeper]),
    await sql('select id, name, active from users order by id'),
  ];
  const before = await others();

  const erased = await stintHere(url, ['workspace', 'erase', '--workspace', String(apollo), '--json']);
  t.like(erased.json, {
    id: apollo,
    export: `stint workspace export --workspace ${apollo}`,
    restore: `stint workspace restore --workspace ${apollo}`,
  });
  await runJobs();
  const { workspaces } = (await stintHere(url, ['workspace', 'list', '--json'])).json;
  t.is(workspaces.find(({ id }: { id: number }) => id === apollo).erasedAt, erased.json.erasedAt);
  t.deepEqual(
    (await tablesWith(sql, 'workspace_id', apollo)).filter((name) => name !== 'capacity_marks'),
    held.filter((name) => name !== 'capacity_marks'),
    'nothing is deleted before',
  );

  await sql(over);
  await eraseNow();

  t.deepEqual(await placesOf(sql, MARKER), []);
  const idPlaces = ['public.audit.subject_id', 'public.audit.subject_name', 'public.audit.workspace_id'];
  t.deepEqual(await placesOf(sql, ID_PARTS.inApollo), idPlaces);
  t.deepEqual(await others(), before);
  const lines = await sql('select kind, subject_name, changes from audit where workspace_id = $1', [apollo]);
  t.deepEqual(lines, [{ kind: 'workspace.erased', subject_name: `Deleted workspace ${apollo}`, changes: {} }]);
  t.deepEqual(await sql('select from erasures'), []);
  for (const [task, payload] of Object.entries({
    ...{ snapshot_workspace: { workspaceId: apollo }, trend_workspace: { workspaceId: apollo, day: '2026-01-05' } },
    ...{ start_plan_block: { blockId: 660000001, revision: 1 }, end_plan_block: { blockId: 660000001, revision: 1 } },
    ...{ remind_plan_block: { blockId: 660000001, edge: 'start' }, remind_long_timer: { entryId: 660000001 } },
    ...{ mail_notification: { notificationId: 1 }, deliver_webhook: { webhookId: 660000001 }, snapshot_forecast: { forecastId: 1 } },
    renew_forecasts: { accountId: 1 },
  }))
    await sql('select graphile_worker.add_job($1, $2::json)', [task, JSON.stringify(payload)]);
  // Throws when one fails: each finds nothing, and ends.
  await runJobs();
  const gone = await stintHere(url, ['workspace', 'restore', '--workspace', String(apollo)]);
  t.regex(gone.stderr, /there is no workspace/);
  t.is((await stintHere(url, ['export', '--account', String(account)])).code, 0);
});

test("an interrupted erasure continues, and can't be restored any more", async (t) => {
  const planted = await plant(t);
  const { url, sql, refs, eraseNow } = planted;
  const apollo = String(refs.id('apollo'));
  t.is((await stintHere(url, ['workspace', 'erase', '--workspace', apollo])).code, 0);
  await sql(over);
  // As a process leaves it when it is killed after some steps.
  await sql(`delete from webhook_deliveries; update erasures set begun = true, taken_at = now(), step = 1, next_id = 1`);
  const restored = await stintHere(url, ['workspace', 'restore', '--workspace', apollo]);
  t.is(restored.code, 1);
  t.regex(restored.stderr, /cannot be restored/);
  await eraseNow();
  t.deepEqual(await placesOf(sql, MARKER), []);
});

test('an owner erases a workspace on its page: its keys lose access at once, and the owner can restore it with all content', async (t) => {
  const planted = await plant(t);
  const { url, sql, refs, runJobs } = planted;
  const web = await startWeb(url);
  t.teardown(web.stop);
  const apollo = refs.id('apollo');
  const read = async () =>
    (await fetch(`${web.baseUrl}/api/v1/item?workspaceId=${apollo}&id=${refs.id('t')}`, { headers: { 'X-API-Key': refs.key('pk') } }))
      .status;
  t.is(await read(), 200);
  const rows = async () => (await sql('select count(*)::int as n from items where workspace_id = $1 and shown', [apollo]))[0].n;
  const all = await rows();

  const paul = await signedIn(web.baseUrl, ADDRESS);
  t.is((await paul.go(`/workspaces/${apollo}/settings/general`)).status, 403);
  const ana = await signedIn(web.baseUrl, 'ana@acme.example');
  await ana.go(`/workspaces/${apollo}/settings/general`);
  t.regex(ana.at.html, /workspaces\/\d+\/list\.csv/);
  await ana.sendSurely('/erase');
  t.regex(ana.at.text, /This workspace will be erased on .*Restore it to keep it/);
  t.is(await read(), 403);
  await runJobs();

  await ana.sendSurely('/archive');
  t.is(await read(), 200);
  t.is(await rows(), all);
  t.deepEqual(await sql('select from erasures'), []);
  t.notRegex(ana.at.text, /will be erased on/);
});
