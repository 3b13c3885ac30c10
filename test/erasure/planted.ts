/** Two accounts with rows in every table that contains personal data, and a search through all columns of all tables. For the tests of
 *  erasing. */
import type { ExecutionContext } from 'ava';
import { connectDb, type Db } from '../../src/database/db.ts';
import { fileDatabase, freshDatabase } from '../support/database.ts';
import { PASSWORD } from '../support/password.ts';
import { Fixtures } from '../support/restWorld.ts';
import { runDueJobs } from '../support/tasks.ts';
import type { World } from '../support/timeWorld.ts';
import { oneWorkspace, type WorldRefs, world } from '../support/world.ts';

/** In every text of the workspace Apollo. */
export const MARKER = 'Quokka';
export const NAME = 'Paul (P.) Márker+';
export const ADDRESS = 'paul.marker@acme.example';

/** Prefixes of ids: of the account, of its users, and of rows in Apollo. */
export const ID_PARTS = { account: '771000', user: '772000', inApollo: '66000' };

export interface Planted {
  url: string;
  db: Db;
  sql: Fixtures['sql'];
  refs: WorldRefs;
  account: number;
  /** Runs every job that is due. Throws when one failed. */
  runJobs(): Promise<void>;
  /** Makes everything to be erased due, and erases it. */
  eraseNow(): Promise<void>;
}

const restart = (tables: string[], first: string) =>
  tables.map((table) => `alter table ${table} alter column id restart with ${first}`).join(';');

/** Call it at the top level of the file. Returns a function that makes a copy, for a test, of what is planted once a file. */
export function planting(): (t: ExecutionContext) => Promise<Planted> {
  const original = fileDatabase();
  let known: Promise<Pick<Planted, 'refs' | 'account'>> | undefined;
  return async (t) => {
    known ??= plantOriginal(original.url);
    const { refs, account } = await known;
    const url = await freshDatabase(t, { copyOf: original.url });
    const { close, ...planted } = await open(url, { refs, account });
    t.teardown(close);
    return planted;
  };
}

async function open(url: string, known: Pick<Planted, 'refs' | 'account'>): Promise<Planted & { close(): Promise<unknown> }> {
  const fixtures = new Fixtures(url);
  const sql: Fixtures['sql'] = (text, values) => fixtures.sql(text, values);
  const db = await connectDb(url, 3);
  const runJobs = async () => {
    await runDueJobs({ url, db } as World);
    const failed = await sql('select task_identifier, last_error from graphile_worker.jobs where last_error is not null');
    if (failed.length) throw new Error(JSON.stringify(failed));
  };
  const eraseNow = async () => {
    await sql('update erasures set due_at = now()');
    await sql(`select graphile_worker.add_job('erase', json_build_object('due', now()))`);
    await runJobs();
  };
  return { ...known, url, db, sql, runJobs, eraseNow, close: () => Promise.all([fixtures.close(), db.close()]) };
}

async function plantOriginal(url: string): Promise<Pick<Planted, 'refs' | 'account'>> {
  const fixtures = new Fixtures(url);
  const sql: Fixtures['sql'] = (text, values) => fixtures.sql(text, values);
  await world(url, oneWorkspace({ name: 'Stays', items: [{ type: 'task', title: 'Stays', status: 'planned' }] }));

  await sql(`${restart(['accounts'], '771000001')};${restart(['users'], '772000001')}`);
  const person = (ref: string, name: string, email: string, accountRole: 'owner' | 'member') => ({
    ref,
    name,
    email,
    accountRole,
    password: PASSWORD,
  });
  const first = await world(url, {
    accounts: [
      {
        name: 'Wombat Ltd',
        users: [
          person('ana', 'Ana', 'ana@acme.example', 'owner'),
          person('olga', 'Olga', 'olga@acme.example', 'owner'),
          person('paul', NAME, ADDRESS, 'member'),
        ],
        workspaces: [
          {
            ref: 'keeper',
            name: 'Keeper',
            members: [
              { user: 'ana', role: 'owner' },
              { user: 'paul', role: 'member' },
            ],
            items: [{ ref: 'kept', type: 'task', title: 'Kept', status: 'planned', fields: { assigneeId: { ref: 'paul' } } }],
            comments: [{ item: 'kept', author: 'ana', body: 'Kept' }],
            timeEntries: [{ user: 'paul', item: 'kept', date: '2026-01-05', minutes: 30, note: `Met ${NAME}` }],
          },
        ],
        noteFolders: [{ user: 'paul', name: `Folder of ${NAME}` }],
        personalNotes: [
          {
            user: 'paul',
            folder: `Folder of ${NAME}`,
            html: `<p>${NAME}</p>`,
            attachments: [{ name: `${NAME}.txt`, text: ADDRESS }],
          },
        ],
      },
    ],
  } as never);
  const [{ account_id }] = await sql('select account_id from users where id = $1', [first.id('ana')]);
  const account = Number(account_id);
  await sql(
    restart(
      [
        'workspaces',
        'items',
        'comments',
        'changes',
        'time_entries',
        'plan_blocks',
        'item_files',
        'webhooks',
        'approvals',
        'views',
        'labels',
        'templates',
        'recurrences',
      ],
      '660000001',
    ),
  );
  const item = (ref: string, type: string, fields: object = {}, status = 'planned') => ({
    ...{ ref, type, status, title: `${MARKER} ${ref}`, description: `${MARKER}, ask ${ADDRESS}`, fields },
  });
  const second = await world(url, {
    accounts: [
      {
        existing: {
          id: account,
          users: ['ana', 'paul'].map((ref) => ({ ref: `${ref}2`, email: ref === 'paul' ? ADDRESS : `${ref}@acme.example` })),
        },
        workspaces: [
          {
            ref: 'apollo',
            name: MARKER,
            mcp: { enabled: true, limits: { tasks: 'delete', time: 'write', plans: 'write' } },
            members: [
              { user: 'ana2', role: 'owner' },
              { user: 'paul2', role: 'member' },
            ],
            statuses: [{ key: 'quokka', label: MARKER, types: ['task'], status: 'planned' }],
            items: [
              item('g', 'goal'),
              item('r', 'requirement', { goalId: { ref: 'g' } }),
              item('v', 'release'),
              item('m', 'milestone', { targetDate: '2026-12-01' }),
              item('t', 'task', { requirementId: { ref: 'r' }, releaseId: { ref: 'v' }, assigneeId: { ref: 'paul2' } }),
              item('s', 'task', { parentItemId: { ref: 't' } }),
            ],
            comments: [{ item: 't', author: 'ana2', body: `Hello @${NAME}, ${MARKER}; mail ${ADDRESS}.` }],
            timeEntries: [
              { user: 'paul2', item: 't', date: '2026-01-05', minutes: 30, note: `${MARKER}: ${NAME}` },
              { user: 'paul2', item: 't', startedAt: '2026-01-06T08:00:00Z', endedAt: '2026-01-06T09:00:00Z', note: MARKER },
            ],
            planBlocks: [
              {
                ...{ user: 'paul2', item: 't', startLocal: '2030-01-07T08:00', endLocal: '2030-01-07T09:00', note: `${MARKER}: ${NAME}` },
                autoStart: true,
              },
            ],
          },
        ],
        restKeys: [{ ref: 'pk', user: 'paul2', name: `Key of ${NAME}`, grants: ['tasks:write', 'requirements:read', 'releases:read'] }],
        connections: [{ ref: 'pc', user: 'paul2', name: `Laptop of ${NAME}`, workspaces: ['apollo'], notes: ['read'] }],
      },
    ],
  } as never);
  const refs: WorldRefs = {
    id: (ref) => (['ana', 'olga', 'paul', 'keeper', 'kept'].includes(ref) ? first : second).id(ref),
    key: (ref) => second.key(ref),
  };
  await fixtures.close();
  const planted = await open(url, { refs, account });
  await plantRows(planted);
  await planted.runJobs();
  // The mark waits for a job that may not be due yet.
  await planted.sql('insert into capacity_marks (account_id, workspace_id) values ($1, $2) on conflict do nothing', [
    ...[account, refs.id('apollo')],
  ]);
  await planted.close();
  return { refs, account };
}

async function plantRows({ sql, refs, account }: Pick<Planted, 'sql' | 'refs' | 'account'>): Promise<void> {
  const [w, i, p, n] = [refs.id('apollo'), refs.id('t'), refs.id('paul'), refs.id('ana')];
  const [c, k] = [refs.id('pc'), refs.id('pk')];
  const of = (table: string, values: Record<string, unknown>) => {
    const names = Object.keys({ account_id: 0, ...values });
    const places = names.map((_name, at) => `$${at + 1}`);
    return sql(`insert into ${table} (${names}) values (${places}) returning *`, [account, ...Object.values(values)]);
  };
  const inW = { workspace_id: w };
  const [change] = await of('changes', {
    ...{
      ...inW,
      item_id: i,
      actor_id: p,
      via: 'agent',
      credential_id: c,
      credential_name: `Laptop of ${NAME}`,
      kind: 'item.updated',
      version: 2,
    },
    fields: JSON.stringify({ title: [`${MARKER} of ${ADDRESS}`, MARKER] }),
  });
  await of('change_texts', { change_id: change.id, name: 'description', before: `${MARKER}\n${ADDRESS}` });
  const [comment] = await sql('select id from comments where item_id = $1', [i]);
  await of('comment_mentions', { comment_id: comment.id, user_id: p });
  await of('comment_reactions', { comment_id: comment.id, user_id: p, reaction: 'thanks' });
  const [approval] = await of('approvals', {
    ...{
      ...inW,
      item_id: refs.id('r'),
      user_id: n,
      action: 'approved',
      item_version: 2,
      status_before: 'planned',
      status_key_before: 'planned',
    },
    comment: `${MARKER}, @${NAME}`,
  });
  await sql('update approvals set approved = approvable(i) from items i where i.id = item_id and approvals.id = $1', [approval.id]);
  await of('item_watches', { ...inW, item_id: i, user_id: p, watching: true });
  await of('notifications', { ...inW, user_id: p, kind: 'approved_changed', approval_id: approval.id, due_at: new Date() });
  await of('notification_choices', { user_id: p, kind: 'assigned', choice: 'mail' });
  await of('notification_days', { user_id: p, day: '2026-01-05' });
  const [hook] = await of('webhooks', {
    ...{ ...inW, user_id: p, url: `https://${MARKER}.example/`, secret: Buffer.from('x'), era: 1, xact: '1', change_id: 0 },
  });
  await of('webhook_deliveries', { webhook_id: hook.id, change_id: change.id, state: 'delivered', answer: `${MARKER} to ${ADDRESS}` });
  // The workspace that stays was told of an item that moved from it, and sent this and an earlier change of the item to a webhook.
  const [left] = await of('changes', {
    ...{ workspace_id: refs.id('keeper'), item_id: i, actor_id: n, via: 'page', kind: 'item.moved', version: 2, left_needs: 1 },
    left_title: `${MARKER}, ask ${ADDRESS}`,
  });
  await sql(
    `insert into webhooks (id, account_id, workspace_id, user_id, url, secret, era, xact, change_id) overriding system value
     values (5, $1, $2, $3, 'https://example.org/', 'x', 1, '1', 0)`,
    [account, refs.id('keeper'), n],
  );
  for (const one of [left, change]) await of('webhook_deliveries', { webhook_id: 5, change_id: one.id, state: 'delivered' });
  const [label] = await of('labels', { ...inW, name: MARKER, color: 'teal', description: `${MARKER}, ask ${ADDRESS}` });
  await of('item_labels', { ...inW, item_id: i, label_id: label.id });
  await of('item_dependencies', { ...inW, item_id: i, blocker_id: refs.id('m') });
  const templateItems = [{ type: 'task', title: MARKER, description: `${MARKER}, ask ${ADDRESS}` }];
  await of('templates', { ...inW, name: MARKER, items: JSON.stringify(templateItems), needs: 3 });
  const dates = { starts_on: '2026-01-05', last_on: '2026-01-05' };
  const series = { ...dates, next_on: '2031-01-05', due_at: '2031-01-05', mode: 'day', state: 'active', rule: 'FREQ=YEARLY;INTERVAL=5' };
  const [recurrence] = await of('recurrences', { ...inW, item_id: i, user_id: p, ...series });
  await of('recurrence_items', { ...inW, recurrence_id: recurrence.id, occurs_on: '2026-01-05', item_id: i });
  const [blob] = await of('blobs', { size: 7, sha256: Buffer.alloc(32), kept: true });
  await of('blob_chunks', { blob_id: blob.id, n: 0, bytes: Buffer.from(MARKER) });
  await of('file_thumbnails', { blob_id: blob.id, type: 'image/png', bytes: Buffer.from(MARKER) });
  const file = { name: `${MARKER} of ${ADDRESS} .png`, size: 7, type: 'image/png', state: 'ready', added_by: p };
  await of('item_files', { ...inW, item_id: i, blob_id: blob.id, ...file });
  const [upload] = await of('blobs', { size: 7, sha256: Buffer.alloc(32), kept: true });
  await of('blob_chunks', { blob_id: upload.id, n: 0, bytes: Buffer.from(`${MARKER} ${ADDRESS}`) });
  const [run] = await of('imports', {
    ...{
      ...inW,
      user_id: p,
      source: 'jira',
      file_name: `${MARKER} ${ADDRESS} issues.csv`,
      blob_id: upload.id,
      state: 'stopped',
      problem: `@${NAME}`,
    },
    map: JSON.stringify({ people: { [NAME]: ADDRESS } }),
  });
  const people = JSON.stringify([`${MARKER} ${NAME}`, ADDRESS]);
  const survey = JSON.stringify({ people: [['1', NAME]], columns: [{ name: 'Assignee', samples: [`${MARKER} ${NAME}`] }] });
  await of('import_reports', { import_id: run.id, survey, report: people, preview: people });
  const planned = JSON.stringify({ title: `${MARKER} @${NAME} ${ADDRESS}` });
  await of('import_rows', { import_id: run.id, n: 1, key: MARKER, kind: 'issue', planned, problem: `${MARKER} ${ADDRESS}` });
  const written = JSON.stringify({ title: `${MARKER} @${NAME}` });
  await of('imported_items', {
    ...inW,
    item_id: i,
    source: 'jira',
    key: MARKER,
    url: `https://${MARKER}.example/`,
    import_id: run.id,
    written,
  });
  await of('imported_comments', { ...inW, item_id: i, digest: Buffer.alloc(16) });
  await of('views', { ...inW, user_id: p, name: `${MARKER} of ${NAME}`, query: '', shared: true });
  await of('stars', { ...inW, user_id: p, item_id: i });
  await of('recent_items', { user_id: p, item_ids: [i] });
  await of('project_outlooks', { ...inW, item_id: refs.id('m'), outlook: 'at_risk', told: 'at_risk', told_on: '2026-01-05' });
  await of('trend_points', { ...inW, project_id: refs.id('m'), day: new Date(), scope_hours: 1, remaining_hours: 1 });
  await of('activity', { user_id: p, connection_id: c, workspace_id: w, tool: 'svc_list_items', outcome: 'ok', elapsed_ms: 1 });
  const result = JSON.stringify({ id: i, title: MARKER, assigneeName: NAME, note: `Hello @${NAME}\n@${NAME}` });
  const receipt = { request_id: crypto.randomUUID(), tool: 'svc_update_item', fingerprint: Buffer.from('x'), result };
  await of('receipts', { connection_id: c, ...receipt });
  await of('note_rewrites', {
    connection_id: c,
    request_id: crypto.randomUUID(),
    body: NAME,
    deadline_at: new Date(Date.now() + 3_600_000),
  });
  await of('rest_receipts', {
    key_id: k,
    idempotency_key: crypto.randomUUID(),
    operation: 'saveItem',
    fingerprint: Buffer.from('x'),
    result,
  });
  const [entry] = await sql('select id from time_entries where workspace_id = $1 order by id limit 1', [w]);
  const version = { entry_id: entry.id, revision: 1, ...inW, item_id: i, kind: 'manual', day: '2026-01-05', minutes: 20 };
  await of('time_entry_versions', { ...version, note: `${MARKER} ${NAME}`, reason: `${MARKER} ${NAME}` });
  const [link] = await of('invitations', { user_id: p, nonce: 'x', created_by: n });
  await of('notifications', { user_id: p, kind: 'password_link', invitation_id: link.id, due_at: new Date() });
  await of('email_changes', { user_id: p, old_email: ADDRESS, email: `new.${ADDRESS}`, nonce: 'x' });
  await of('absences', { user_id: p, first_day: '2026-01-05', last_day: '2026-01-06', half: false, reason: NAME, shared: true });
  await of('data_exports', { user_id: p, workspace_ids: [w], state: 'making' });
  await of('working_hours', { user_id: p, starts_on: '2026-01-05', weekly_minutes: 600, weekdays: 1 });
  await of('calendar_feeds', { user_id: p, token_hash: Buffer.from('feed') });
  await of('invited_memberships', { ...inW, user_id: p, role: 'member' });
  const [session] = await of('sessions', {
    ...{
      user_id: p,
      token_hash: Buffer.from('session'),
      expires_at: new Date(Date.now() + 3_600_000),
      device: NAME,
      address: '203.0.113.9',
    },
  });
  await of('sent_forms', { session_id: session.id, nonce: 'x' });
  await of('refused_forms', { token_hash: Buffer.from('form'), session_id: session.id, path: '/', fields: JSON.stringify({ name: NAME }) });
  await of('owner_links', { token_hash: Buffer.from('owner'), expires_at: new Date(Date.now() + 3_600_000) });
  const line = {
    kind: 'user.changed',
    actor_id: p,
    actor_name: NAME,
    via: 'page',
    address: '203.0.113.9',
    user_id: p,
    subject: 'user',
    subject_id: p,
  };
  await of('audit', {
    ...line,
    subject_name: NAME,
    changes: JSON.stringify({ name: ['P. Marker', NAME], email: [`old.${ADDRESS}`, ADDRESS] }),
  });
  await of('audit', {
    ...line,
    ...inW,
    kind: 'workspace.renamed',
    user_id: null,
    subject: 'workspace',
    subject_id: w,
    subject_name: MARKER,
  });
  await of('audit', { ...line, kind: 'sign_in.failed', actor_id: null, actor_name: '', subject_name: NAME });
  await plantForecasts(of, w);
  const later = `run_at => now() + interval '1 year'`;
  for (const [task, payload] of [
    ['snapshot_workspace', { workspaceId: w, about: { account } }],
    ['trend_workspace', { workspaceId: w, day: '2026-01-05', about: { account, workspace: w } }],
    ['forgotten_password', { email: ADDRESS, about: { account } }],
  ] as const)
    await sql(`select graphile_worker.add_job($1, $2::json, ${later})`, [task, JSON.stringify(payload)]);
}

/** Forecasts of Apollo, and of Apollo with the other workspace. */
async function plantForecasts(of: (table: string, values: Record<string, unknown>) => Promise<{ id: number }[]>, w: number): Promise<void> {
  for (const [scope, workspaces] of [
    [w, [w]],
    [0, [1, w]],
  ] as const) {
    const [forecast] = await of('capacity_forecasts', {
      scope_key: `planted ${scope}`,
      workspace_id: scope,
      workspace_ids: workspaces,
      week: '2026-01-05',
    });
    const [snapshot] = await of('capacity_snapshots', { forecast_id: forecast!.id, day: new Date() });
    const one = { snapshot_id: snapshot!.id };
    await of('capacity_pieces', { ...one, n: 0, text: `${MARKER} ${NAME}` });
    await of('capacity_pages', { ...one, part: 'head', n: 0, text: `${MARKER} ${NAME}` });
    await of('capacity_projects', { ...one, project_id: 660000001, outlook: MARKER });
    await of('capacity_overloads', { ...one, user_id: 772000003, week: '2026-01-05' });
  }
}

/** Each `schema.table.column` that contains the text, ignoring case. Searches all tables of the catalog, including the queue's. */
export async function placesOf(sql: Fixtures['sql'], text: string): Promise<string[]> {
  const columns = await sql(`
    select n.nspname || '.' || c.relname as table, a.attname as name
    from pg_namespace n join pg_class c on c.relnamespace = n.oid and c.relkind in ('r', 'p')
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where n.nspname in ('public', 'graphile_worker') order by 1, 2`);
  const probes = columns.map(
    ({ table, name }) =>
      `select '${table}.${name}' as place where exists (select from ${table} where position(lower($1) in lower("${name}"::text)) > 0)`,
  );
  const found: string[] = [];
  for (let at = 0; at < probes.length; at += 50) {
    found.push(...(await sql(probes.slice(at, at + 50).join(' union all '), [text])).map(({ place }) => place as string));
  }
  return found;
}

/** The tables that have a row with this value in a column. */
export async function tablesWith(sql: Fixtures['sql'], column: string, value: number): Promise<string[]> {
  const tables = await sql(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attname = $1 order by 1`,
    [column],
  );
  const found: string[] = [];
  for (const { name } of tables) {
    if ((await sql(`select from ${name} where ${column} = $1 limit 1`, [value])).length) found.push(name);
  }
  return found;
}
