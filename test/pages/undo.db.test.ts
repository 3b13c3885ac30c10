/** Undo in the toast, of new items, recorded time and plans: with current rights, at the version made, once (behaviour §23.10). */
import { fileDatabase } from '../support/database.ts';
import { type RestWorld, restWorld } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';
import type { Visitor } from '../support/visitor.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let world: RestWorld;
let ana: Visitor;
let memberId: number;
let member: Visitor;

test.before('a workspace with an owner and a member', async () => {
  world = await restWorld(database.url, { BASE_URL: 'http://localhost/stint' });
  ana = await world.visitor(world.ownerId);
  memberId = (await world.join('member')).userId;
  member = await world.visitor(memberId);
});
test.after('stop', () => world?.end());

const at = () => `/workspaces/${world.workspaceId}`;
const rows = async (text: string, ...values: unknown[]) => world.fixtures.sql(text, values);

async function added(visitor: Visitor, line: string): Promise<number> {
  await visitor.go(at());
  await visitor.send('/quick', { line });
  return Number(/undo=\d+\.(\d+)\.1/.exec(visitor.at.path)![1]);
}

test('undo of a new item archives it; the same form again, and a new one, change nothing more', async (t) => {
  const id = await added(member, 'Anchor');
  t.regex(member.at.text, new RegExp(`${id} Anchor created`));
  const { path } = member.at;
  const form = member.form('/undo');
  await member.send('/undo');
  t.regex(member.at.path, /notice=undone$/);
  t.false(member.at.text.includes('Anchor'));
  t.deepEqual(await rows('select version, archived_at is not null as archived from items where id = $1', id), [
    { version: 2, archived: true },
  ]);
  const undone = member.at.path;
  t.is((await member.post(form.path, form.fields)).path, undone, 'a second press leads to the same page');
  await member.go(path);
  t.is((await member.send('/undo')).status, 409);
  t.is((await rows('select version from items where id = $1', id))[0]!.version, 2);
});

test('undo of a new item is refused after another change, and not offered without the right to archive', async (t) => {
  const id = await added(member, 'Buoy');
  await rows(`update items set version = version + 1, title = 'Red buoy' where id = $1`, id);
  t.is((await member.send('/undo')).status, 409);
  t.deepEqual(await rows('select archived_at from items where id = $1', id), [{ archived_at: null }]);
  const other = await added(member, 'Chain');
  const { path } = member.at;
  const { path: action, fields } = member.form('/undo');
  await rows(`update memberships set role = 'viewer' where workspace_id = $1 and user_id = $2`, world.workspaceId, memberId);
  t.is((await member.post(action, fields)).status, 403);
  t.false((await member.go(path)).html.includes('class="btn quiet undo"'));
  await rows(`update memberships set role = 'member' where workspace_id = $1 and user_id = $2`, world.workspaceId, memberId);
  t.deepEqual(await rows('select archived_at from items where id = $1', other), [{ archived_at: null }]);
});

test('an address that names another person’s change, or no change, shows no Undo and no title', async (t) => {
  const secret = await added(ana, 'Secret dock');
  for (const undo of [
    `${world.workspaceId}.${secret}.1`,
    `${world.workspaceId}.999999.1`,
    '1.2',
    'time.1.1',
    'plan.999.1',
    `x'"<b>`,
    '9'.repeat(40),
  ]) {
    const { status, html, text } = await member.go(`${at()}?q=nothing&notice=created&undo=${encodeURIComponent(undo)}`);
    t.is(status, 200, undo);
    t.false(html.includes('class="btn quiet undo"'), undo);
    t.false(text.includes('Secret dock created'), undo);
    t.regex(text, /Created\./);
  }
});

test('undo of recorded time leaves 0 minutes and the earlier version; of a plan it cancels the block, once', async (t) => {
  const { id } = await world.make('task', {}, { title: 'Dinghy' });
  await ana.go(`${at()}/items/${id}`);
  await ana.send(`/items/${id}/log`, { line: '45m' });
  t.regex(ana.at.text, new RegExp(`Logged 45 min on ${id} Dinghy, today`));
  const logged = ana.form('/my/undo');
  t.is((await member.post(logged.path, memberFields(member, logged.fields))).status, 403, 'another person has no such entry');
  await ana.send('/my/undo');
  t.is(ana.at.path, `${at()}/items/${id}?notice=undone`);
  t.deepEqual(await rows('select minutes, corrected, revision from time_entries where item_id = $1', id), [
    { minutes: 0, corrected: true, revision: 2 },
  ]);
  t.deepEqual(
    await rows('select v.minutes, v.reason from time_entry_versions v join time_entries e on e.id = v.entry_id where e.item_id = $1', id),
    [{ minutes: 45, reason: 'Undone.' }],
  );
  await ana.send(`/items/${id}/log`, { line: '9-11 tomorrow' });
  t.regex(ana.at.text, new RegExp(`Planned 09:00–11:00 tomorrow on ${id} Dinghy`));
  const { path } = ana.at;
  await ana.send('/my/undo');
  t.deepEqual(await rows('select state from plan_blocks where item_id = $1', id), [{ state: 'cancelled' }]);
  t.false((await ana.go(path)).html.includes('class="btn quiet undo"'), 'a cancelled block has no Undo');
});

function memberFields(visitor: Visitor, fields: URLSearchParams): URLSearchParams {
  const own = new URLSearchParams(fields);
  own.set('_csrf', visitor.form('/quick').fields.get('_csrf')!);
  return own;
}
