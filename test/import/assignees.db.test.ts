/** Import enforces behaviour §3.14: open work goes only to people who may be assigned in its workspace (§2.25). */
import pg from 'pg';
import type { ImportInput } from '../../src/import/schema.ts';
import { stintHere } from '../support/cli.ts';
import { freshDatabase } from '../support/database.ts';
import { suite } from '../support/suite.ts';
import { oneWorkspace, world } from '../support/world.ts';

const test = suite(import.meta.url);

const person = (ref: string, more: object = {}) => ({ ref, email: `${ref}@acme.example`, name: ref, ...more });
const task = (ref: string, assignee: string, more: object = {}) => ({
  ...{ ref, type: 'task' as const, title: ref },
  ...more,
  fields: { assigneeId: { ref: assignee } },
});

/** Max may be assigned. Val is a viewer, Low has less than write on tasks, Dea is deactivated, Out is no member. */
const file = (items: object[]): ImportInput =>
  oneWorkspace(
    {
      members: [
        { user: 'max', role: 'member' },
        { user: 'val', role: 'viewer' },
        { user: 'low', role: 'member', access: { tasks: 'read' } },
        { user: 'dea', role: 'viewer' },
      ],
      items: items as never,
    },
    { users: [person('max'), person('val'), person('low'), person('dea', { active: false }), person('out')] },
  );

async function peopleOf(url: string): Promise<Record<string, unknown>> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query(`
    select i.title, coalesce(a.name, '-') || ' ' || coalesce(o.name, '-') as people
    from items i left join users a on a.id = i.assignee_id left join users o on o.id = i.owner_id order by i.id`);
  await client.end();
  return Object.fromEntries(rows.map(({ title, people }) => [title, people]));
}

const importing = (url: string, input: ImportInput, ...words: string[]) =>
  stintHere(url, ['import', '-', ...words], { input: JSON.stringify(input) });

test('an import with open items of people who may not be assigned is refused and names each place', async (t) => {
  const url = await freshDatabase(t);
  const given = file([
    task('fine', 'max'),
    task('seen', 'val'),
    task('lowered', 'low', { ownerId: { ref: 'val' } }),
    { ref: 'goal', type: 'goal', title: 'goal', ownerId: { ref: 'val' } },
  ]);
  const refused = await importing(url, given);
  t.is(refused.code, 1);
  t.deepEqual(refused.stderr.trim().split('\n'), [
    'Nothing was imported. These open items have an assignee or owner who cannot be assigned in that workspace:',
    "  accounts[0].workspaces[0].items[1].fields.assigneeId: 'val'",
    "  accounts[0].workspaces[0].items[2].fields.assigneeId: 'low'",
    "  accounts[0].workspaces[0].items[2].ownerId: 'val'",
    "  accounts[0].workspaces[0].items[3].ownerId: 'val'",
    'Assign these items to others, make these people members, or import with --unassign.',
  ]);
  t.deepEqual(await peopleOf(url), {});
});

test('import --unassign clears assignee and owner of such items, and lists them', async (t) => {
  const url = await freshDatabase(t);
  const given = file([
    task('fine', 'max'),
    task('seen', 'val', { ownerId: { ref: 'max' } }),
    task('owned', 'max', { ownerId: { ref: 'low' } }),
  ]);
  const { code, stdout, stderr } = await importing(url, given, '--unassign', '--json');
  t.is(code, 0, stderr);
  t.deepEqual(JSON.parse(stdout).warnings, [
    "accounts[0].workspaces[0].items[1].fields.assigneeId: left empty. 'val' cannot be assigned in this workspace.",
    "accounts[0].workspaces[0].items[2].ownerId: left empty. 'low' cannot be assigned in this workspace.",
  ]);
  t.deepEqual(await peopleOf(url), { fine: 'max -', seen: '- max', owned: 'max -' });
});

test('people whom the file lists as deactivated or without a membership keep their work, and so do closed and archived items', async (t) => {
  const url = await freshDatabase(t);
  const given = file([
    task('of the deactivated', 'dea'),
    task('of the one who left', 'out'),
    task('done', 'val', { status: 'done' }),
    task('cancelled', 'val', { status: 'cancelled' }),
    task('archived', 'low', { archived: true }),
  ]);
  const { code, stderr } = await importing(url, given);
  t.is(code, 0, stderr);
  const stays = { 'of the deactivated': 'dea -', 'of the one who left': 'out -', done: 'val -', cancelled: 'val -', archived: 'low -' };
  t.deepEqual(await peopleOf(url), stays);
  const { stdout } = await stintHere(url, ['export', '--account', '1']);
  const other = await freshDatabase(t);
  const again = await stintHere(other, ['import', '-'], { input: stdout });
  t.is(again.code, 0, again.stderr);
  t.deepEqual(await peopleOf(other), stays);
});

test('existing people of the account need a membership of the new workspace to be assigned open work', async (t) => {
  const url = await freshDatabase(t);
  const first = file([]);
  await world(url, first);
  const email = first.accounts[0]!.users!.find(({ ref }) => ref === 'max')!.email;
  const workspace = { ref: 'w', name: 'W', items: [task('new', 'max')] };
  const refused = await importing(url, {
    accounts: [{ existing: { id: 1, users: [{ ref: 'max', email }] }, workspaces: [workspace] }],
  });
  t.regex(refused.stderr, /accounts\[0\]\.workspaces\[0\]\.items\[0\]\.fields\.assigneeId: 'max'/);
  const taken = await importing(url, {
    accounts: [
      { existing: { id: 1, users: [{ ref: 'max', email }] }, workspaces: [{ ...workspace, members: [{ user: 'max', role: 'member' }] }] },
    ],
  });
  t.is(taken.code, 0, taken.stderr);
});
