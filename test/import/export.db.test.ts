/** `export` and `import` together move an account. */
import { readFileSync } from 'node:fs';
import type { ExecutionContext } from 'ava';
import { type ImportInput, importSchema } from '../../src/import/schema.ts';
import { sampleFile } from '../../src/sample/data.ts';
import { stintHere } from '../support/cli.ts';
import { freshDatabase } from '../support/database.ts';
import { PASSWORD } from '../support/password.ts';
import { rowsAt } from '../support/rowsAt.ts';
import { suite } from '../support/suite.ts';
import { oneWorkspace, world } from '../support/world.ts';

const test = suite(import.meta.url);

async function exported(t: ExecutionContext, url: string, account: number): Promise<string> {
  const { code, stdout, stderr } = await stintHere(url, ['export', '--account', String(account)]);
  t.is(code, 0, stderr);
  return stdout;
}

/** Refs contain ids. Here they are numbered by first appearance. */
function withoutIds(text: string): string {
  const seen = new Map<string, number>();
  return text.replace(/"(user|item|block|note|key|connection|workspace)-\d+"/g, (ref) => {
    if (!seen.has(ref)) seen.set(ref, seen.size);
    return `"ref ${seen.get(ref)}"`;
  });
}

/** Imports into a new database, whose export must be the same. */
async function exportAndImport(t: ExecutionContext, file: string): Promise<void> {
  const url = await freshDatabase(t);
  const imported = await stintHere(url, ['import', '-', '--json'], { input: file });
  t.is(imported.code, 0, imported.stderr);
  const again = await exported(t, url, 1);
  t.deepEqual(JSON.parse(withoutIds(again)), JSON.parse(withoutIds(file)));
}

test('the sample is the same after export, import into an empty database, and export', async (t) => {
  const url = await freshDatabase(t);
  await world(url, sampleFile('2026-03-02', PASSWORD));
  const file = await exported(t, url, 1);
  const [account] = (JSON.parse(file) as ImportInput).accounts;
  t.is(account!.users!.length, 7);
  t.true(account!.workspaces!.every(({ items, members }) => items!.length > 0 && members!.length > 0));
  await exportAndImport(t, file);
});

const cipher = JSON.stringify({
  v: 1,
  kdf: 'PBKDF2-SHA256',
  iterations: 600_000,
  salt: Buffer.alloc(16, 1).toString('base64'),
  iv: Buffer.alloc(12, 2).toString('base64'),
  data: Buffer.alloc(40, 3).toString('base64'),
});

const movedCipher = JSON.stringify({ ...JSON.parse(cipher), v: 2, origin: { user: 77, note: 99 } });

const rich = oneWorkspace(
  {
    labels: [
      { name: 'Blue', color: 'teal', description: 'Like\nthe sea' },
      { name: 'old', archived: true },
    ],
    items: [
      { ref: 'r', type: 'release', title: 'R', archived: true, status: 'approved', fields: { versionLabel: '1' } },
      { ref: 'm', type: 'milestone', title: 'M', status: 'done', ownerId: { ref: 'ana' }, fields: { releaseId: { ref: 'r' } } },
      {
        ref: 't',
        type: 'task',
        title: 'T',
        description: '"quoted"\n',
        labels: ['OLD', 'blue'],
        blockedBy: [{ ref: 'm', lagDays: 3 }, { ref: 'd' }],
        status: 'blocked',
        fields: { blockedReason: 'rain', estimatedHours: 0.1 },
      },
      { ref: 'd', type: 'task', title: 'D', status: 'done', fields: { parentItemId: { ref: 't' }, assigneeId: { ref: 'ana' } } },
    ],
    comments: [
      { item: 't', author: 'ana', body: 'Second', originalBody: '2nd', createdAt: '2026-03-03T00:00:00Z' },
      { item: 't', author: 'ana', body: 'First', createdAt: '2026-03-02T00:00:00Z' },
      {
        ...{ item: 'd', author: 'ana', body: 'Liked', createdAt: '2026-03-02T00:00:00Z' },
        reactions: [
          { user: 'ana', reaction: 'thanks', createdAt: '2026-03-04T00:00:00Z' },
          { user: 'ana', reaction: 'agree', createdAt: '2026-03-03T00:00:00.123Z' },
        ],
      },
    ],
    timeEntries: [
      { user: 'ana', item: 't', date: '2026-03-02', minutes: 30 },
      { user: 'ana', item: 't', startedAt: '2026-03-02T23:59:00.250Z', endedAt: '2026-03-03T00:02:00Z', note: 'Timer' },
    ],
    planBlocks: [
      { user: 'ana', item: 't', startLocal: '2099-03-02T09:00', endLocal: '2099-03-02T11:00', timezone: 'Europe/Berlin', autoStart: true },
      { user: 'ana', item: 't', startLocal: '2026-03-02T09:00', endLocal: '2026-03-02T11:00', state: 'finished' },
      { user: 'ana', item: 't', startLocal: '2026-03-03T09:00', endLocal: '2026-03-03T11:00', state: 'missed', reason: 'It rained.' },
    ],
  },
  {
    noteFolders: [{ user: 'ana', name: 'Empty' }],
    personalNotes: [
      {
        user: 'ana',
        folder: 'Full',
        html: '<p>Plain</p>',
        attachments: [
          { name: 'a.txt', text: '\ufeffä' },
          { name: 'b.bin', base64: 'AP/+' },
        ],
      },
      { user: 'ana', html: '<p>Shut</p>', protection: 'locked' },
      { user: 'ana', cipher, protection: 'encrypted' },
      { user: 'ana', cipher: movedCipher, protection: 'encrypted' },
    ],
  },
);

test('history that no form could write survives export and import', async (t) => {
  const url = await freshDatabase(t);
  await world(url, rich);
  await rowsAt(
    url,
    `update items set priority_key = null, progress_percent = 90 where title = 'D';
     update items set actual_date = null where title = 'M';
     delete from statuses where key = 'in_review'; delete from priorities where key = 'urgent';
     update statuses set position = 50, label = 'Later' where key = 'planned'; update priorities set is_default = false;
     update plan_blocks set state = 'running' where state = 'scheduled'`,
  );
  const [{ id: item }] = (await rowsAt(url, `select id from items where title = 'T'`)) as [{ id: string }];
  await rowsAt(
    url,
    `insert into time_entries (account_id, workspace_id, user_id, item_id, kind, started_at, day)
     select account_id, workspace_id, (select min(id) from users), id, 'timer', date_trunc('milliseconds', now()), (now() at time zone 'UTC')::date from items where id = $1`,
    [item],
  );
  const file = await exported(t, url, 1);
  const [workspace] = (JSON.parse(file) as ImportInput).accounts[0]!.workspaces!;
  t.false(workspace!.statuses!.some(({ key }) => key === 'in_review'));
  t.is(workspace!.timeEntries!.length, 3);
  t.deepEqual(
    workspace!.comments!.map(({ body, reactions }) => [body, reactions?.map(({ reaction }) => reaction)]),
    [
      ['Second', undefined],
      ['First', undefined],
      ['Liked', ['agree', 'thanks']],
    ],
  );
  t.true(workspace!.timeEntries!.every(({ endedAt, minutes }) => endedAt ?? minutes));
  t.true(file.includes(JSON.stringify(cipher)));
  t.true(file.includes(JSON.stringify(movedCipher)), 'it is still bound to the note that it was');
  await exportAndImport(t, file);
});

test('where time of moved items was recorded, and keys that two items have, survive export and import (behaviour §42)', async (t) => {
  const url = await freshDatabase(t);
  const time = { user: 'ana', item: 'a', date: '2026-03-02' };
  const source = { name: 'jira' as const, key: 'SHOP-1' };
  const file = oneWorkspace({
    items: [
      { ref: 'a', type: 'task', title: 'A', source },
      { ref: 'b', type: 'task', title: 'B', source: { ...source, shadowed: true } },
    ],
    timeEntries: [
      { ...time, minutes: 1 },
      { ...time, minutes: 2, writtenIn: 'hermes' },
      { ...time, minutes: 3, writtenElsewhere: true },
      { ...time, minutes: 4, writtenIn: 'apollo' },
    ],
  });
  file.accounts[0]!.workspaces!.push({ ref: 'hermes', name: 'Hermes', members: [{ user: 'ana', role: 'owner' }] });
  const refs = await world(url, file);
  const [apollo, hermes] = [refs.id('apollo'), refs.id('hermes')];
  const parts = await rowsAt(url, 'select minutes, workspace_id::int as counts, moved_to::int as at from time_parts order by minutes');
  t.deepEqual(parts, [
    { minutes: 1, counts: apollo, at: null },
    { minutes: 2, counts: hermes, at: apollo },
    { minutes: 3, counts: 0, at: apollo },
    { minutes: 4, counts: apollo, at: null },
  ]);
  const keys = await rowsAt(url, 'select key, shadowed_key from imported_items order by item_id');
  t.deepEqual(keys, [
    { key: 'SHOP-1', shadowed_key: null },
    { key: null, shadowed_key: 'SHOP-1' },
  ]);
  const text = await exported(t, url, 1);
  await exportAndImport(t, text);
  const entries = (given: string) =>
    (JSON.parse(given) as ImportInput).accounts[0]!.workspaces![0]!.timeEntries!.map((one) => [
      one.minutes,
      one.writtenIn,
      one.writtenElsewhere,
    ]);
  t.deepEqual(entries(text), [
    [1, undefined, undefined],
    [2, `workspace-${hermes}`, undefined],
    [3, undefined, true],
    [4, undefined, undefined],
  ]);
  const alone = await stintHere(url, ['workspace', 'export', '--workspace', String(apollo)]);
  t.deepEqual(entries(alone.stdout)[1], [2, undefined, true], 'the file has no other workspace');
});

test('absences, dated hours, working days and holidays move with the account, and a workspace alone takes no private reason', async (t) => {
  const url = await freshDatabase(t);
  const file = oneWorkspace({});
  const [account] = file.accounts;
  Object.assign(account!, { holidayRegion: 'DE-BY' });
  Object.assign(account!.users![0]!, {
    workingDays: ['mon', 'sat'],
    holidayRegion: 'none',
    hours: [{ from: '2031-01-01', weeklyHours: 20.5, workingDays: ['tue'] }],
    absences: [
      { from: '2031-02-03', to: '2031-02-07', reason: 'Knee' },
      { from: '2031-03-03', to: '2031-03-03', half: true, reason: 'Fair', shared: true },
    ],
  });
  await world(url, file);
  const text = await exported(t, url, 1);
  const user = (JSON.parse(text) as ImportInput).accounts[0]!.users![0]!;
  t.like(user, { workingDays: ['mon', 'sat'], holidayRegion: 'none', hours: [{ from: '2031-01-01', weeklyHours: 20.5 }] });
  t.deepEqual(
    user.absences!.map(({ reason }) => reason),
    ['Knee', 'Fair'],
  );
  t.true((JSON.parse(text) as ImportInput).accounts[0]!.holidayRegion === 'DE-BY');
  await exportAndImport(t, text);
  const whole = await stintHere(url, ['workspace', 'export', '--workspace', '1']);
  t.false(whole.stdout.includes('Knee'));
  t.true(whole.stdout.includes('Fair'));
  const wrong = (absences: object[]) =>
    world(url, oneWorkspace({}, { users: [{ ref: 'cy', email: 'cy@acme.example', name: 'Cy', absences: absences as never }] }));
  await t.throwsAsync(wrong([{ from: '2031-02-03', to: '2031-02-01' }]), { message: /give a last day within two years/ });
  const twice = { from: '2031-02-03', to: '2031-02-04' };
  await t.throwsAsync(wrong([twice, twice]), { message: /do not overlap/ });
});

test('an export contains no password, key or hash, and no ended keys', async (t) => {
  const url = await freshDatabase(t);
  const file = oneWorkspace({}, { restKeys: [{ ref: 'old', user: 'ana', grants: ['tasks:read'] }] });
  file.accounts[0]!.users![0]!.password = 'a secret sentence';
  const refs = await world(url, file);
  await rowsAt(url, 'update rest_keys set revoked_at = now() where id = $1', [refs.id('old')]);
  const text = await exported(t, url, 1);
  for (const ref of ['k1', 'c1', 'old']) t.false(text.includes(refs.key(ref)));
  t.notRegex(text, /password|hash|argon2/i);
  const [account] = (JSON.parse(text) as ImportInput).accounts;
  t.is(account!.restKeys!.length, 1);
  const next = await freshDatabase(t);
  const { json } = await stintHere(next, ['import', '-', '--json'], { input: text });
  t.regex(json.refs[account!.restKeys![0]!.ref!].key, /^\w+/);
});

test('more than one page of everything is exported once each, without other accounts', async (t) => {
  const url = await freshDatabase(t);
  const items = Array.from({ length: 450 }, (_none, n) => ({ ref: `t${n}`, type: 'task' as const, title: `Task ${n}` }));
  const comments = Array.from({ length: 900 }, (_none, n) => ({
    item: n < 500 ? 't7' : `t${n % 450}`,
    author: 'ana',
    body: `Comment ${n}`,
  }));
  const users = Array.from({ length: 250 }, (_none, n) => ({ email: `p${n}@many.example`, name: `Person ${n}` }));
  await world(
    url,
    oneWorkspace({ items: [{ ref: 'x', type: 'task', title: 'Foreign' }] }, { personalNotes: [{ user: 'ana', html: '<p>Foreign</p>' }] }),
  );
  await world(url, oneWorkspace({ items, comments }, { users }));
  const text = await exported(t, url, 2);
  t.false(text.includes('Foreign'));
  const [account] = (JSON.parse(text) as ImportInput).accounts;
  const [workspace] = account!.workspaces!;
  t.deepEqual([account!.users!.length, workspace!.items!.length, workspace!.comments!.length], [251, 450, 900]);
  t.is(new Set(workspace!.comments!.map(({ body }) => body)).size, 900);
  t.is((await stintHere(url, ['export', '--account', '99'])).stderr, '--account: there is no account 99; check the id.');
});

test("an existing account gets the file's content; its people are matched by their addresses", async (t) => {
  const url = await freshDatabase(t);
  const first = oneWorkspace({
    items: [{ ref: 't', type: 'task', title: 'T' }],
    timeEntries: [{ user: 'ana', item: 't', date: '2026-03-02', minutes: 1400 }],
  });
  const refs = await world(url, first);
  const email = first.accounts[0]!.users![0]!.email.toUpperCase();
  const add = (minutes: number, existing: object = { id: 1, users: [{ ref: 'me', email }] }) => ({
    accounts: [
      {
        existing,
        users: [{ ref: 'bo', email: 'bo@added.example', name: 'Bo' }],
        workspaces: [
          {
            ref: 'w2',
            name: 'Gemini',
            members: [
              { user: 'me', role: 'owner' },
              { user: 'bo', role: 'member' },
            ],
            items: [{ ref: 't2', type: 'task', title: 'T2', fields: { assigneeId: { ref: 'me' } } }],
            timeEntries: [{ user: 'me', item: 't2', date: '2026-03-02', minutes }],
          },
        ],
        personalNotes: [{ user: 'me', folder: 'New', html: '<p>Hello</p>' }],
        restKeys: [{ user: 'bo', grants: ['tasks:read'] }],
      },
    ],
  });
  const run = (file: object) => stintHere(url, ['import', '-', '--json'], { input: JSON.stringify(file) });
  t.regex((await run(add(41))).stderr, /timeEntries\[0\]\.minutes: 'me' has more than 1440 minutes/);
  t.regex((await run(add(1, { id: 99 }))).stderr, /accounts\[0\]\.existing\.id: there is no account 99/);
  t.regex(
    (await run(add(1, { id: 1, users: [{ ref: 'me', email: 'cy@x.example' }] }))).stderr,
    /existing\.users\[0\]\.email: account 1 has no user/,
  );
  const both = { accounts: [{ name: 'X', existing: { id: 1 } }] };
  t.regex((await run(both)).stderr, /accounts\[0\]\.name: give either name, for a new account, or existing/);
  const { json, stderr } = await run(add(40));
  t.is(stderr, '');
  t.is(json.refs.me.id, refs.id('ana'));
  t.deepEqual(await rowsAt(url, 'select account_id, count(*)::int as count from users group by 1'), [{ account_id: '1', count: 2 }]);
  t.like((await rowsAt(url, 'select account_id, assignee_id from items where id = $1', [json.refs.t2.id]))[0], {
    account_id: '1',
    assignee_id: String(refs.id('ana')),
  });
});

test('an import into an existing account grants no access to personal notes, and says so', async (t) => {
  const url = await freshDatabase(t);
  await world(url, oneWorkspace({}));
  const connections = [{ ref: 'granted', user: 'bo', notes: ['read'] }, { user: 'bo' }];
  const entry = { users: [{ ref: 'bo', email: 'bo@notes.example', name: 'Bo' }], connections };
  const { json } = await stintHere(url, ['import', '-', '--json'], {
    input: JSON.stringify({ accounts: [{ existing: { id: 1 }, ...entry }] }),
  });
  t.deepEqual(json.warnings, [
    'accounts[0].connections[0].notes: ignored. Users of an existing account grant access to their notes themselves, on the page Agents.',
  ]);
  const rightsOf = async (id: number) => (await rowsAt(url, 'select note_rights from connections where id = $1', [id]))[0];
  t.deepEqual(await rightsOf(json.refs.granted.id), { note_rights: 0 });
  // A new account keeps what its own people granted.
  const moved = await stintHere(url, ['import', '-', '--json'], { input: JSON.stringify({ accounts: [{ name: 'Moved', ...entry }] }) });
  t.deepEqual(moved.json.warnings, []);
  t.deepEqual(await rightsOf(moved.json.refs.granted.id), { note_rights: 1 });
});

test('keys and connections without a ref are printed by their place, too', async (t) => {
  const url = await freshDatabase(t);
  const file = {
    accounts: [
      {
        name: 'A',
        users: [{ ref: 'ana', email: 'ana@a.example', name: 'Ana' }],
        restKeys: [{ user: 'ana', name: 'CI' }],
        connections: [{ user: 'ana' }],
      },
    ],
  };
  const { json } = await stintHere(url, ['import', '-', '--json'], { input: JSON.stringify(file) });
  t.deepEqual(
    json.keys.map(({ at, name }: { at: string; name: string }) => [at, name]),
    [
      ['accounts[0].restKeys[0]', 'CI'],
      ['accounts[0].connections[0]', 'Agent'],
    ],
  );
  const other = { accounts: [{ ...file.accounts[0], users: [{ ref: 'ana', email: 'ana@b.example', name: 'Ana' }] }] };
  const { stdout } = await stintHere(url, ['import', '-'], { input: JSON.stringify(other) });
  t.regex(stdout, /^accounts\[0\]\.restKeys\[0\] \(CI\): id \d+, key \w+/m);
});

const wrong: [string, object, RegExp][] = [
  [
    'a time entry that is manual and a timer',
    { timeEntries: [{ user: 'ana', item: 't', date: '2026-03-02', minutes: 1, startedAt: '2026-03-02T00:00:00Z' }] },
    /timeEntries\[0\]: give date and minutes, or startedAt and a later endedAt/,
  ],
  [
    'a timer that ends before it starts',
    { timeEntries: [{ user: 'ana', item: 't', startedAt: '2026-03-02T01:00:00Z', endedAt: '2026-03-02T00:00:00Z' }] },
    /timeEntries\[0\]: give date and minutes/,
  ],
  [
    'a reaction twice',
    { comments: [{ item: 't', author: 'ana', body: 'x', reactions: Array(2).fill({ user: 'ana', reaction: 'done' }) }] },
    /comments\[0\]\.reactions\[1\]\.user: 'ana' already has the reaction done/,
  ],
  [
    'an unknown reaction',
    { comments: [{ item: 't', author: 'ana', body: 'x', reactions: [{ user: 'ana', reaction: 'heart' }] }] },
    /comments\[0\]\.reactions\[0\]\.reaction: choose one of agree, thanks/,
  ],
  [
    'a reaction of an unknown user',
    { comments: [{ item: 't', author: 'ana', body: 'x', reactions: [{ user: 'cy', reaction: 'done' }] }] },
    /comments\[0\]\.reactions\[0\]\.user: no entry of the file has the ref 'cy'/,
  ],
  ['an invalid cipher', { personalNotes: [{ user: 'ana', protection: 'encrypted', cipher: 'x' }] }, /personalNotes\[0\]\.cipher: /],
  [
    'a bound cipher without its note',
    { personalNotes: [{ user: 'ana', protection: 'encrypted', cipher: JSON.stringify({ ...JSON.parse(cipher), v: 2 }) }] },
    /personalNotes\[0\]\.cipher: /,
  ],
  [
    'a cipher of a plain note',
    { personalNotes: [{ user: 'ana', cipher }] },
    /personalNotes\[0\]\.html: give html, or cipher if the note is encrypted, not both/,
  ],
  [
    'an attachment of text and bytes',
    { personalNotes: [{ user: 'ana', html: '<p>x</p>', attachments: [{ name: 'a', text: '', base64: '' }] }] },
    /attachments\[0\]: give either text or base64/,
  ],
];

for (const [what, parts, message] of wrong) {
  test(`refused: ${what}`, async (t) => {
    const { personalNotes, ...workspace } = parts as { personalNotes?: never };
    const file = oneWorkspace({ items: [{ ref: 't', type: 'task', title: 'T' }], ...workspace }, personalNotes ? { personalNotes } : {});
    await t.throwsAsync(world(await freshDatabase(t), file), { message });
  });
}

const docs = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');

test('docs/import.schema.json is what `stint import --schema` prints', async (t) => {
  const { json } = await stintHere(undefined, ['import', '--schema', '--json']);
  t.deepEqual(JSON.parse(docs('import.schema.json')), json);
  t.deepEqual(json, JSON.parse(JSON.stringify(importSchema())));
});

test('the example of docs/import.md can be imported, and its export is the same', async (t) => {
  const [, example] = /```json\n(\{[\s\S]*?)\n```/.exec(docs('import.md'))!;
  const url = await freshDatabase(t);
  const { code, json, stderr } = await stintHere(url, ['import', '-', '--json'], { input: example! });
  t.is(code, 0, stderr);
  t.truthy(json.refs.ci.key);
  await exportAndImport(t, await exported(t, url, 1));
});

/** Tables without data of an account, or derived from other tables. */
const ours = [
  ...[
    'migrations',
    'workers',
    'schedule_ticks',
    'rate_windows',
    'process_metrics',
    'change_followers',
    'cursor_key',
    'capacity_marks',
    'erasures',
    'outbound_hold',
  ],
  ...['blobs', 'blob_chunks', 'blob_usage', 'file_thumbnails'],
  ...['holidays', 'item_texts', 'time_parts', 'note_usage', 'note_rewrites', 'notification_days', 'sent_forms', 'refused_forms'],
];
/** Words of docs/import.md by table. */
const notInFile: Record<string, string> = {
  activity: 'the activity of agents',
  approvals: 'who asked for, gave and refused approvals',
  audit: 'the audit',
  calendar_feeds: 'secret addresses of calendars',
  capacity_forecasts: 'forecasts',
  capacity_overloads: 'forecasts',
  capacity_pages: 'forecasts',
  capacity_pieces: 'forecasts',
  capacity_projects: 'forecasts',
  capacity_snapshots: 'forecasts',
  change_texts: 'texts before a change',
  changes: 'the history of items',
  comment_mentions: 'who was mentioned in a comment',
  data_exports: 'exports as zip',
  email_changes: 'changes of an address',
  import_reports: 'imports and their reports',
  import_rows: 'imports and their reports',
  imported_comments: 'which import created an item',
  imports: 'imports and their reports',
  invitations: 'links to set a password',
  invited_memberships: 'or to join',
  item_files: 'files of items',
  item_watches: 'what people watch',
  notification_choices: 'their choices of notifications',
  notifications: 'the notifications themselves',
  owner_links: 'links to set a password or to join',
  project_outlooks: 'forecasts',
  receipts: 'receipts',
  recent_items: 'opened items',
  recurrence_items: 'earlier tasks of a series',
  rest_receipts: 'receipts',
  sessions: 'sessions',
  stars: 'favorites',
  time_entry_versions: 'earlier versions of changed time entries',
  trend_points: 'trends',
  views: 'saved views',
  webhook_deliveries: 'their deliveries',
  webhooks: 'webhooks',
};

test('docs/import.md names every table that an export leaves out', async (t) => {
  const source = readFileSync(new URL('../../src/import/exportQueries.ts', import.meta.url), 'utf8');
  const docs = readFileSync(new URL('../../docs/import.md', import.meta.url), 'utf8');
  const lacks = docs.slice(docs.indexOf('## What a file does not hold'));
  const tables = await rowsAt(
    await freshDatabase(t),
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by relname`,
  );
  const unread = tables.map(({ name }) => String(name)).filter((name) => !new RegExp(`(from|join) ${name}\\b|'${name}'`).test(source));
  t.deepEqual(unread, [...ours, ...Object.keys(notInFile)].sort());
  for (const words of Object.values(notInFile)) t.true(lacks.includes(words), words);
});
