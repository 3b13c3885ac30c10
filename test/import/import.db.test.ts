import pg from 'pg';
import { verifyPassword } from '../../src/accounts/password.ts';
import type { ImportInput } from '../../src/import/schema.ts';
import { fileDatabase } from '../support/database.ts';
import { suite } from '../support/suite.ts';
import { oneWorkspace, spawnWeb, startWeb, world } from '../support/world.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let client: pg.Client;
test.before(async () => {
  client = new pg.Client(database.url);
  await client.connect();
});
test.after(() => client.end());

// biome-ignore lint/suspicious/noExplicitAny: rows are looked into freely
const rows = async (text: string, ...values: unknown[]): Promise<any[]> => (await client.query(text, values)).rows;
const row = async (text: string, ...values: unknown[]) => (await rows(text, ...values))[0];

test('a REST key of an imported file opens the items of the file', async (t) => {
  const refs = await world(database.url, oneWorkspace({ items: [{ ref: 't1', type: 'task', title: 'Write' }] }));
  for (const start of [startWeb, spawnWeb]) {
    const web = await start(database.url);
    const answer = await fetch(`${web.baseUrl}/api/v1/item?workspaceId=${refs.id('apollo')}&id=${refs.id('t1')}`, {
      headers: { 'X-API-Key': refs.key('k1') },
    });
    t.is(((await answer.json()) as { title: string }).title, 'Write');
    await web.stop();
  }
});

test('people are imported with password, hours, zone and role, and a password is stored as argon2id', async (t) => {
  const users: ImportInput['accounts'][0]['users'] = [
    {
      ref: 'bo',
      email: 'bo@people.example',
      name: 'Bo',
      password: 'pässword aus Käse',
      timezone: 'europe/berlin',
      weeklyHours: 37.5,
      accountRole: 'admin',
    },
    { ref: 'bot', email: 'bot@people.example', name: 'Bot', kind: 'service', active: false },
  ];
  const refs = await world(database.url, oneWorkspace({}, { users }));
  const bo = await row('select * from users where id = $1', refs.id('bo'));
  t.like(bo, { timezone: 'Europe/Berlin', weekly_minutes: 2250, account_role: 'admin', kind: 'person', active: true });
  t.regex(bo.password_hash, /^\$argon2id\$/);
  t.true(await verifyPassword('pässword aus Käse', bo.password_hash));
  t.false(await verifyPassword('password aus Kase', bo.password_hash));
  t.like(await row('select * from users where id = $1', refs.id('bot')), {
    password_hash: null,
    weekly_minutes: null,
    kind: 'service',
    active: false,
  });
});

test('statuses and priorities add to the defaults, the same key overrides, and a default can change', async (t) => {
  const refs = await world(
    database.url,
    oneWorkspace({
      statuses: [
        { key: 'doing', label: 'Doing', types: ['task'], status: 'in_progress' },
        { key: 'done', label: 'Closed', types: ['task', 'goal'], status: 'done' },
      ],
      priorities: [
        { key: 'low', label: 'Lowest', rank: -1 },
        { key: 'soon', label: 'Soon', rank: 9, default: true },
      ],
      items: [
        { ref: 'a', type: 'task', title: 'A', fields: { statusKey: 'doing' } },
        { ref: 'b', type: 'goal', title: 'B', status: 'done' },
      ],
    }),
  );
  const statuses = await rows('select key, label from statuses where workspace_id = $1 order by position', refs.id('apollo'));
  t.is(statuses.length, 9);
  t.deepEqual(statuses.at(-1), { key: 'doing', label: 'Doing' });
  t.is(statuses.find(({ key }) => key === 'done').label, 'Closed');
  const priorities = await rows('select key, label, is_default from priorities where workspace_id = $1 order by rank', refs.id('apollo'));
  t.deepEqual(
    priorities.map(({ key }) => key),
    ['low', 'normal', 'high', 'urgent', 'soon'],
  );
  t.deepEqual(
    priorities.filter(({ is_default }) => is_default).map(({ key }) => key),
    ['soon'],
  );
  t.like(await row('select * from items where id = $1', refs.id('a')), {
    status: 'in_progress',
    status_key: 'doing',
    priority_key: 'soon',
  });
  t.like(await row('select * from items where id = $1', refs.id('b')), { priority_key: null, progress_percent: 100 });
});

test('items may link to later ones in the file, and be archived, approved or done long ago', async (t) => {
  const before = Date.now();
  const refs = await world(
    database.url,
    oneWorkspace({
      items: [
        { ref: 'deep', type: 'task', title: 'Deep', fields: { parentItemId: { ref: 't' } } },
        {
          ref: 't',
          type: 'task',
          title: 'T',
          ownerId: { ref: 'ana' },
          fields: { requirementId: { ref: 'q' }, assigneeId: { ref: 'ana' } },
        },
        { ref: 'q', type: 'requirement', title: 'Q', status: 'pending_approval', fields: { releaseId: { ref: 'r' } } },
        { ref: 'r', type: 'release', title: 'R', status: 'done', archived: true, fields: { actualDate: '2026-01-31' } },
        { ref: 'm', type: 'milestone', title: 'M', status: 'done' },
      ],
    }),
  );
  const item = (ref: string) => row('select * from items where id = $1', refs.id(ref));
  const { needs, shown, owner_id, parent_item_id } = { ...(await item('t')), ...(await item('deep')) };
  t.deepEqual(
    { needs, shown, owner_id, parent_item_id },
    { needs: 1 | 8 | 512, shown: false, owner_id: null, parent_item_id: String(refs.id('t')) },
  );
  t.like(await item('t'), { owner_id: String(refs.id('ana')), assignee_id: String(refs.id('ana')), status: 'planned', version: 1 });
  t.is((await item('q')).status, 'pending_approval');
  const release = await item('r');
  t.is(release.completed_at.toISOString(), '2026-01-31T00:00:00.000Z');
  t.truthy(release.archived_at);
  const milestone = await item('m');
  t.truthy(milestone.actual_date);
  t.true(before <= milestone.completed_at && milestone.completed_at <= Date.now());
});

test('comments, time, blocks and notes are imported with their people', async (t) => {
  const refs = await world(
    database.url,
    oneWorkspace(
      {
        items: [{ ref: 't1', type: 'task', title: 'T' }],
        comments: [{ item: 't1', author: 'ana', body: 'First', createdAt: '2026-03-02T10:00:00+01:00' }],
        timeEntries: [{ user: 'ana', item: 't1', date: '2026-03-02', minutes: 90, note: 'Talked' }],
        planBlocks: [
          {
            ref: 'b1',
            user: 'ana',
            item: 't1',
            startLocal: '2099-03-02T09:00',
            endLocal: '2099-03-02T11:00',
            timezone: 'Europe/Berlin',
            autoStart: true,
          },
          { ref: 'b0', user: 'ana', item: 't1', startLocal: '2020-03-02T09:00', endLocal: '2020-03-02T11:00' },
        ],
      },
      {
        personalNotes: [
          { ref: 'n1', user: 'ana', folder: 'Ideas', html: '<p>One</p>', attachments: [{ name: 'a.txt', text: 'ä' }] },
          { ref: 'n2', user: 'ana', folder: 'Ideas', html: '<p>Two</p>', protection: 'locked' },
          { ref: 'n3', user: 'ana', html: 'c2VjcmV0<script>', protection: 'encrypted' },
        ],
      },
    ),
  );
  const comment = await row('select * from comments where item_id = $1', refs.id('t1'));
  t.is(comment.created_at.toISOString(), '2026-03-02T09:00:00.000Z');
  t.like(await row('select * from time_entries where item_id = $1', refs.id('t1')), { kind: 'manual', minutes: 90, note: 'Talked' });
  t.is((await row('select sum(minutes)::int as sum from time_parts where workspace_id = $1', refs.id('apollo'))).sum, 90);
  const block = await row('select * from plan_blocks where id = $1', refs.id('b1'));
  t.is(block.starts_at.toISOString(), '2099-03-02T08:00:00.000Z');
  t.is((await row('select * from plan_blocks where id = $1', refs.id('b0'))).state, 'missed');
  const jobs = await rows(
    `select task_identifier as name from graphile_worker.jobs where key like $1 order by 1`,
    `plan_block:${refs.id('b1')}:%`,
  );
  t.deepEqual(
    jobs.map(({ name }) => name),
    ['end_plan_block', 'start_plan_block'],
  );
  const notes = await rows('select title, folder_id, protection from personal_notes where user_id = $1 order by id', refs.id('ana'));
  t.deepEqual(
    notes.map(({ title }) => title),
    ['One', 'Two', ''],
  );
  t.is(notes[0].folder_id, notes[1].folder_id);
  t.is(
    (
      await row('select bytes_of(account_id, blob_id) as content from note_attachments where note_id = $1', refs.id('n1'))
    ).content.toString(),
    'ä',
  );
});

test('connections read everything by default, have no limits by default, and history may exceed rights', async (t) => {
  const refs = await world(
    database.url,
    oneWorkspace(
      { mcp: { limits: { tasks: 'delete' } }, archived: true },
      {
        users: [{ ref: 'guest', email: 'guest@history.example', name: 'Guest', timezone: 'Asia/Tokyo' }],
        connections: [
          { ref: 'c2', user: 'guest', workspaces: ['apollo'], permissions: { time: 'delete' }, expiresAt: '2020-01-01T00:00:00Z' },
        ],
        restKeys: [{ ref: 'k2', user: 'guest', grants: ['goals:write'], expiresAt: '2020-01-01T00:00:00Z' }],
      },
    ),
  );
  t.like(await row('select * from workspaces where id = $1', refs.id('apollo')), { mcp_enabled: false, mcp_rights: 7 });
  const connection = await row('select * from connections where id = $1', refs.id('c2'));
  t.like(connection, { timezone: 'Asia/Tokyo', note_rights: 0 });
  t.is(connection.rights, 1 | (1 << 3) | (1 << 9) | (1 << 12) | (7 << 18) | (1 << 21));
  t.is((await row('select expires_at from rest_keys where id = $1', refs.id('k2'))).expires_at.toISOString(), '2020-01-01T00:00:00.000Z');
});

test('one file can create many accounts', async (t) => {
  const first = oneWorkspace();
  const refs = await world(database.url, {
    accounts: [
      ...first.accounts,
      { name: 'Other', users: [{ ref: 'cy', email: 'cy@other.example', name: 'Cy' }], workspaces: [{ ref: 'w2', name: 'W2' }] },
    ],
  });
  const account = async (table: string, ref: string) =>
    (await row(`select account_id from ${table} where id = $1`, refs.id(ref))).account_id;
  t.is(await account('users', 'cy'), await account('workspaces', 'w2'));
  t.not(await account('users', 'cy'), await account('users', 'ana'));
});

test('five thousand linked items are imported', async (t) => {
  const count = 5_000;
  const items = Array.from({ length: count }, (_none, n) => ({
    ref: `t${n}`,
    type: 'task' as const,
    title: `Task ${n}`,
    // The first of every fifty is the parent of the others, and comes last.
    fields: n % 50 === 0 ? {} : { parentItemId: { ref: `t${n - (n % 50)}` } },
  })).reverse();
  const refs = await world(database.url, oneWorkspace({ items }));
  t.is((await row('select count(*)::int as count from items where workspace_id = $1', refs.id('apollo'))).count, count);
  const child = await row('select parent_item_id from items where id = $1', refs.id('t4999'));
  t.is(child.parent_item_id, String(refs.id('t4950')));
});
