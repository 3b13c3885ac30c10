import pg from 'pg';
import { type Source, sourceOf } from '../../src/import/file/source.ts';
import { importFile } from '../../src/import/importData.ts';
import type { ImportInput } from '../../src/import/schema.ts';
import { fileDatabase } from '../support/database.ts';
import { suite } from '../support/suite.ts';
import { withDb } from '../support/withDb.ts';
import { oneWorkspace, world } from '../support/world.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
const tables = ['accounts', 'users', 'workspaces', 'items', 'comments', 'rest_keys', 'connections', 'graphile_worker._private_jobs'];

async function counts(): Promise<unknown> {
  const client = new pg.Client(database.url);
  await client.connect();
  try {
    return (await client.query({ text: `select ${tables.map((table) => `(select count(*) from ${table})`).join()}`, rowMode: 'array' }))
      .rows;
  } finally {
    await client.end();
  }
}

type Workspace = NonNullable<ImportInput['accounts'][0]['workspaces']>[number];
type Account = ImportInput['accounts'][0];
const task = (ref: string, fields: object = {}) => ({ ref, type: 'task' as const, title: ref, fields });

const weekly = { item: 't1', user: 'ana', rule: 'FREQ=WEEKLY;BYDAY=MO', startsOn: '2026-03-02', lastOn: '2026-03-02' };

/** The error by the fault of the file. */
const inWorkspace: [RegExp, object][] = [
  [/^accounts\[0\]\.workspaces\[0\]\.items\[0\]\.colour: is not known here/, { items: [{ ...task('t1'), colour: 'red' }] }],
  [/^accounts\[0\]\.workspaces\[0\]\.items\[0\]\.title: is required/, { items: [{ type: 'task' }] }],
  [/items\[1\]\.ref: 't1' is taken by accounts\[0\]\.workspaces\[0\]\.items\[0\]/, { items: [task('t1'), task('t1')] }],
  [/items\[0\]\.ref: 'ana' is taken/, { items: [task('ana')] }],
  [/items\[0\]\.fields\.releaseId\.ref: no entry of the file has the ref 'r9'/, { items: [task('t1', { releaseId: { ref: 'r9' } })] }],
  [
    /items\[0\]\.fields\.assigneeId\.ref: 'apollo' is a workspace; give the ref of a user/,
    { items: [task('t1', { assigneeId: { ref: 'apollo' } })] },
  ],
  [/items\[0\]\.fields\.assigneeId: give \{"ref": "name"\}/, { items: [task('t1', { assigneeId: 1 })] }],
  [
    /items\[1\]\.fields\.releaseId: item \d+ is a task; give the id of a release/,
    { items: [task('t1'), task('t2', { releaseId: { ref: 't1' } })] },
  ],
  [/items\[0\]\.fields\.reach: does not apply to a task/, { items: [task('t1', { reach: 1 })] }],
  [/items\[0\]\.fields\.dueDate: give a calendar date/, { items: [task('t1', { dueDate: '2026-02-30' })] }],
  [
    /items\[0\]\.fields\.startDate: must not be after fields\.dueDate/,
    { items: [task('t1', { startDate: '2026-02-02', dueDate: '2026-02-01' })] },
  ],
  [/items\[0\]\.fields\.statusKey: 'nope' is not a status/, { items: [task('t1', { statusKey: 'nope' })] }],
  [/items\[0\]\.fields\.blockedReason: say what blocks/, { items: [{ ...task('t1'), status: 'blocked' }] }],
  [/items\[0\]\.status: approved exists for requirements and releases only/, { items: [{ ...task('t1'), status: 'approved' }] }],
  [
    /items\[\d\]\.fields: its links form a cycle/,
    { items: [task('t1', { parentItemId: { ref: 't2' } }), task('t2', { parentItemId: { ref: 't1' } })] },
  ],
  [/members\[1\]\.user: 'ana' is already a member/, { members: [{ user: 'ana', role: 'viewer' }] }],
  [/members\[1\]\.role: /, { members: [{ user: 'ana', role: 'boss' }] }],
  [
    /statuses\[0\]\.types: give only requirement and release/,
    { statuses: [{ key: 'x', label: 'X', types: ['task'], status: 'approved' }] },
  ],
  [/labels: use each name once/, { labels: [{ name: 'Blue' }, { name: 'BLUE' }] }],
  [/labels\[0\]\.color: /, { labels: [{ name: 'Blue', color: '#00f' }] }],
  [/items\[0\]\.labels\[1\]: add 'Red' to the labels/, { labels: [{ name: 'Blue' }], items: [{ ...task('t1'), labels: ['blue', 'Red'] }] }],
  [/templates: use each name once/, { templates: ['A', 'a'].map((name) => ({ name, items: [{ type: 'task', title: 'T' }] })) }],
  [
    /templates\[0\]\.items\[0\]\.labels\[0\]: add 'Red' to the labels/,
    { templates: [{ name: 'A', items: [{ type: 'task', title: 'T', labels: ['Red'] }] }] },
  ],
  [
    /templates\[0\]\.items\[0\]\.links\.parentItemId: give the position of an earlier item/,
    { templates: [{ name: 'A', items: [{ type: 'task', title: 'T', links: { parentItemId: 0 } }] }] },
  ],
  [/series\[0\]\.rule: has a wrong FREQ/, { items: [task('t1')], series: [{ ...weekly, rule: 'FREQ=HOURLY' }] }],
  [/series\[0\]\.rule: has no date after 2026-03-02/, { items: [task('t1')], series: [{ ...weekly, rule: 'FREQ=DAILY;COUNT=1' }] }],
  [/series\[0\]\.item: 'g1' is not a task/, { items: [{ ref: 'g1', type: 'goal', title: 'G' }], series: [{ ...weekly, item: 'g1' }] }],
  [/series: use each item once/, { items: [task('t1')], series: [weekly, weekly] }],
  [/items\[0\]\.labels: give each label once/, { labels: [{ name: 'Blue' }], items: [{ ...task('t1'), labels: ['Blue', 'BLUE'] }] }],
  [
    /items\[\d\]\.blockedBy: its blockers form a cycle/,
    {
      items: [
        { ...task('t1'), blockedBy: [{ ref: 't2' }] },
        { ...task('t2'), blockedBy: [{ ref: 't3' }] },
        { ...task('t3'), blockedBy: [{ ref: 't1' }] },
      ],
    },
  ],
  [
    /items\[0\]\.blockedBy\[1\]\.ref: name each item once/,
    { items: [{ ...task('t1'), blockedBy: [{ ref: 't2' }, { ref: 't2' }] }, task('t2')] },
  ],
  [
    /items\[0\]\.blockedBy\[0\]\.lagDays: give 0 to 365/,
    { items: [{ ...task('t1'), blockedBy: [{ ref: 't2', lagDays: 400 }] }, task('t2')] },
  ],
  [/priorities: use each key once/, { priorities: [1, 2].map((rank) => ({ key: 'x', label: 'X', rank })) }],
  [/priorities: make one of them the default/, { priorities: ['x', 'y'].map((key) => ({ key, label: key, rank: 1, default: true })) }],
  [/comments\[0\]\.author: 't1' is an item/, { items: [task('t1')], comments: [{ item: 't1', author: 't1', body: 'x' }] }],
  [
    /timeEntries\[0\]\.minutes: give whole minutes/,
    { items: [task('t1')], timeEntries: [{ user: 'ana', item: 't1', date: '2026-03-02', minutes: 0 }] },
  ],
  [
    /timeEntries\[1\]\.minutes: 'ana' has more than 1440 minutes on 2026-03-02/,
    { items: [task('t1')], timeEntries: [900, 900].map((minutes) => ({ user: 'ana', item: 't1', date: '2026-03-02', minutes })) },
  ],
  [
    /planBlocks\[0\]\.startLocal: the clocks in Europe\/Berlin skip/,
    {
      items: [task('t1')],
      planBlocks: [{ user: 'ana', item: 't1', startLocal: '2026-03-29T02:30', endLocal: '2026-03-29T04:00', timezone: 'Europe/Berlin' }],
    },
  ],
  [/mcp\.limits\.goals/, { mcp: { limits: { goals: 'read' } } }],
];

for (const [message, parts] of inWorkspace) {
  test(`nothing is written, and the error names the place: ${message.source}`, async (t) => {
    const before = await counts();
    await t.throwsAsync(world(database.url, oneWorkspace(parts as Partial<Workspace>)), { message });
    t.deepEqual(await counts(), before);
  });
}

const other: Partial<Account> = {
  workspaces: [{ ref: 'w2', name: 'W2', items: [task('far')] }],
};
const inAccount: [RegExp, Partial<Workspace>, object][] = [
  [
    /items\[0\]\.fields\.parentItemId\.ref: 'far' is of another workspace/,
    { items: [task('t1', { parentItemId: { ref: 'far' } })] },
    other,
  ],
  [/items\[0\]\.blockedBy\[0\]\.ref: 'far' is of another workspace/, { items: [{ ...task('t1'), blockedBy: [{ ref: 'far' }] }] }, other],
  [/comments\[0\]\.item: 'far' is of another workspace/, { comments: [{ item: 'far', author: 'ana', body: 'x' }] }, other],
  [/restKeys\[1\]\.grants\[0\]: /, {}, { restKeys: [{ user: 'ana', grants: ['tasks:delete'] }] }],
  [
    /connections\[1\]\.workspaces\[0\]: 'ana' is a user; give the ref of a workspace/,
    {},
    { connections: [{ user: 'ana', workspaces: ['ana'] }] },
  ],
  [/connections\[1\]\.timezone: give an IANA timezone/, {}, { connections: [{ user: 'ana', timezone: '+01:00' }] }],
  [/users\[1\]\.email: ANA\S+ is taken/, {}, {}],
  [/users\[1\]\.weeklyHours: give hours per week/, {}, { users: [{ email: 'x@x.example', name: 'X', weeklyHours: 169 }] }],
  [/users\[1\]\.password: give at most 1 KiB/, {}, { users: [{ email: 'x@x.example', name: 'X', password: 'ä'.repeat(600) }] }],
  [/personalNotes\[0\]: Remove <script> from html/, {}, { personalNotes: [{ user: 'ana', html: '<script>alert(1)</script>' }] }],
];

for (const [message, workspace, account] of inAccount) {
  test(`nothing is written, and the error names the place (account): ${message.source}`, async (t) => {
    const file = oneWorkspace(workspace, account as Partial<Account>);
    if (message.source.includes('email'))
      file.accounts[0]!.users!.push({ email: file.accounts[0]!.users![0]!.email.toUpperCase(), name: 'Twin' });
    const before = await counts();
    await t.throwsAsync(world(database.url, file), { message });
    t.deepEqual(await counts(), before);
  });
}

test('a chain of more than 100 links is refused', async (t) => {
  const items = Array.from({ length: 103 }, (_none, n) => task(`t${n}`, n ? { parentItemId: { ref: `t${n - 1}` } } : {}));
  const before = await counts();
  await t.throwsAsync(world(database.url, oneWorkspace({ items })), { message: /at most 100 levels deep/ });
  t.deepEqual(await counts(), before);
});

test("a ref of another account can't be used", async (t) => {
  const file = oneWorkspace();
  file.accounts.push({ name: 'Other', workspaces: [{ ref: 'w2', name: 'W2', members: [{ user: 'ana', role: 'owner' }] }] });
  await t.throwsAsync(world(database.url, file), {
    message: /accounts\[1\]\.workspaces\[0\]\.members\[0\]\.user: 'ana' is of another account/,
  });
});

test("an email address of an account's user is refused in any letter case, and another account may use it", async (t) => {
  const file = oneWorkspace();
  await world(database.url, file);
  const { email } = file.accounts[0]!.users![0]!;
  file.accounts[0]!.users!.push({ email: email.toUpperCase(), name: 'Twice' });
  await t.throwsAsync(world(database.url, file), { message: /accounts\[0\]\.users\[1\]\.email: \S+ is taken/ });
  file.accounts[0]!.users!.pop();
  await t.notThrowsAsync(world(database.url, file));
});

const items = Array.from({ length: 2_500 }, (_none, n) => task(`t${n}`));
/** A file with many items as bytes, and overrides of its source. */
function importing(file: ImportInput, otherwise: Partial<Source> = {}) {
  return () => withDb(database.url, 2, (db) => importFile(db, { ...sourceOf(Buffer.from(JSON.stringify(file))), ...otherwise }));
}

test('a file that changes while it is read is refused, with nothing written', async (t) => {
  const before = await counts();
  await t.throwsAsync(importing(oneWorkspace({ items }), { changed: () => true }), {
    message: /^The file changed while it was read\. /,
  });
  t.deepEqual(await counts(), before);
});

test('a file that becomes unreadable halfway leaves nothing', async (t) => {
  const before = await counts();
  const file = oneWorkspace({ items, comments: [{ item: 't1', author: 'ana', body: 'x' }] });
  const bytes = Buffer.from(JSON.stringify(file));
  const comments = bytes.indexOf('"comments":[') + '"comments":['.length;
  const read: Source['read'] = (into, start, position) => {
    if (position === comments) throw new Error('EIO: i/o error, read');
    return sourceOf(bytes).read(into, start, position);
  };
  const error = await t.throwsAsync(importing(file, { read }));
  t.is((error.cause as Error).message, 'EIO: i/o error, read');
  t.deepEqual(await counts(), before);
});

test('of two concurrent imports that add the same person to an account, one is refused and leaves nothing', async (t) => {
  const refs = await world(database.url, oneWorkspace({}, { users: [{ ref: 'bo', email: `bo${process.pid}@twice.example`, name: 'Bo' }] }));
  const client = new pg.Client(database.url);
  await client.connect();
  const { rows } = await client.query('select account_id from users where id = $1', [refs.id('bo')]);
  await client.end();
  const file: ImportInput = {
    accounts: [
      {
        existing: { id: Number(rows[0].account_id), users: [{ ref: 'bo', email: `bo${process.pid}@twice.example` }] },
        users: [{ ref: 'cy', email: 'cy@twice.example', name: 'Cy' }],
        workspaces: [
          {
            ref: 'w',
            name: 'W',
            members: [
              { user: 'cy', role: 'owner' },
              { user: 'bo', role: 'member' },
            ],
            items: [task('t1', { assigneeId: { ref: 'bo' } })],
          },
        ],
      },
    ],
  };
  const outcomes = await Promise.allSettled([importing(file)(), importing(file)()]);
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
  t.is(refused.length, 1);
  t.regex(refused[0]!.reason.message, /^accounts\[0\]\.users\[0\]\.email: cy@twice\.example is taken/);
});

for (const [what, value] of [
  ['a list', []],
  ['nothing', null],
  ['text', 'accounts'],
  ['an unknown property', { accounts: [], extra: 1 }],
] as const) {
  test(`${what} is refused as an import file`, async (t) => {
    await t.throwsAsync(world(database.url, value as unknown as ImportInput), { message: /^(The file|extra): / });
  });
}
