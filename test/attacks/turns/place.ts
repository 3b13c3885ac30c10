/** The attacker's workspace with every collection at its limit (src/operations/limits.ts). */
import { ALL_RIGHTS } from '../../../src/access/rights.ts';
import { limits } from '../../../src/operations/limits.ts';
import { addDays } from '../../../src/values/dates.ts';
import type { Stage } from '../stage.ts';
import { longText } from './largest.ts';

/** Ids by the name of a parameter or field. The n-th request takes the n-th, so that each archives or deletes another. */
export type Ids = Record<string, readonly (number | string)[]>;

export interface Place {
  userId: number;
  /** Reads the ids anew: requests delete some. */
  ids(): Promise<Ids>;
}

const today = new Date().toISOString().slice(0, 10);
const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** SQL of the ids, by name. `:u`, `:w`, `:a` and `:i` are the attacker, the workspace, the account and its item with the most around it. */
const sources = {
  workspaceId: 'select :w as id',
  itemId: 'select :i as id',
  task: `select id from items where workspace_id = :w and type = 'task' and archived_at is null order by id offset 100`,
  version: `select version as id from items where workspace_id = :w and type = 'task' and archived_at is null order by id offset 100`,
  requirementId: `select id from items where workspace_id = :w and type = 'requirement' order by id`,
  me: 'select :u as id',
  monday: `select date_trunc('week', current_date)::date as id`,
  userId: `select id from users where account_id = :a and id <> :u and active and name not like 'Busy %' order by id desc`,
  noteId: 'select id from personal_notes where user_id = :u order by id desc',
  noteRevision: 'select revision as id from personal_notes where user_id = :u order by id desc',
  folderId: 'select id from note_folders where user_id = :u order by id',
  connectionId: 'select id from connections where user_id = :u and revoked_at is null order by id desc',
  keyId: 'select id from rest_keys where user_id = :u and revoked_at is null order by id desc',
  webhookId: 'select id from webhooks where workspace_id = :w and revoked_at is null order by id desc',
  viewId: 'select id from views where user_id = :u order by id desc',
  label: 'select id from labels where workspace_id = :w and archived_at is null and merged_into is null order by id desc',
  labelName: 'select name as id from labels where workspace_id = :w and archived_at is null and merged_into is null order by id desc',
  statusKey: `select key as id from statuses where workspace_id = :w order by position desc`,
  priorityKey: 'select key as id from priorities where workspace_id = :w order by rank desc',
  templateId: 'select id from templates where workspace_id = :w order by id desc',
  fileId: 'select id from item_files where workspace_id = :w order by id desc',
  commentId: 'select id from comments where item_id = :i order by id desc',
  changeId: 'select id from changes where workspace_id = :w order by id desc',
  blockId: `select id from plan_blocks where user_id = :u and state = 'scheduled' order by id`,
  blockRevision: `select revision as id from plan_blocks where user_id = :u and state = 'scheduled' order by id`,
  entryId: 'select id from time_entries where user_id = :u order by id desc',
  entryRevision: 'select revision as id from time_entries where user_id = :u order by id desc',
  exportId: 'select id from data_exports where user_id = :u order by id desc',
  importId: 'select id from imports where user_id = :u order by id desc',
  absenceId: 'select id from absences where user_id = :u order by id desc',
  sessionId: 'select id from sessions where user_id = :u order by id',
  notificationId: 'select id from notifications where user_id = :u order by id desc',
  forecastId: 'select id from capacity_forecasts order by id desc',
  recurrenceId: 'select id from recurrences where workspace_id = :w order by id desc',
  invitationId: 'select id from invitations order by id desc',
  moving: `select id from items where workspace_id = :w and title = 'Moves'`,
  target: `select id from workspaces where account_id = :a and name = 'Target'`,
  busy: `select id from workspaces where account_id = :a and name = 'Busy'`,
  token: `select 'none' as id`,
} as const;
export type IdName = keyof typeof sources | 'id' | 'personId' | 'projectId';
const same = { id: 'workspaceId', personId: 'userId', projectId: 'requirementId' } as const;

/** Ids for rows that are only built. */
export const madeUpIds: Ids = Object.fromEntries([...Object.keys(sources), ...Object.keys(same)].map((name) => [name, ['1']]));

/** Inserts: table, columns, values and how many. `n` counts from 1. */
function collections(): [table: string, columns: string, values: string, count: number][] {
  const mine = ':a, :u';
  const here = ':a, :w';
  const of = ':a, :w, :u';
  const task = `(select min(id) from items where workspace_id = :w and type = 'task') + n % 50`;
  const wide = (name: string, length: number) => `rpad('${name} ' || n, ${length}, 'x')`;
  const tomorrow = addDays(today, 1);
  const block = `'${tomorrow}T10:00', '${tomorrow}T10:30', 'UTC', '${tomorrow}T10:00Z', '${tomorrow}T10:30Z'`;
  const note = quoted(longText(2_000));
  const hash = (kind: string) => `sha256(convert_to('${kind} ' || n, 'UTF8'))`;
  return [
    ['labels', 'account_id, workspace_id, name, color', `${here}, ${wide('Label', 80)}, 'grey'`, limits.labels.most - 5],
    [
      'statuses',
      'account_id, workspace_id, key, label, types, status, position',
      `${here}, 'k' || n, ${wide('Status', 60)}, '{task}', 'in_progress', 20 + n`,
      limits.statuses.most - 8,
    ],
    [
      'priorities',
      'account_id, workspace_id, key, label, rank',
      `${here}, 'k' || n, ${wide('Priority', 60)}, 1000 + n`,
      limits.priorities.most - 4,
    ],
    ['templates', 'account_id, workspace_id, name, items, needs', `${here}, ${wide('Template', 80)}, '[{}]', 0`, limits.templates.most - 5],
    ['note_folders', 'account_id, user_id, name', `${mine}, ${wide('Folder', 80)}`, limits.folders.most - 5],
    [
      'absences',
      'account_id, user_id, first_day, last_day, half, reason, shared',
      `${mine}, date '2026-01-01' + n, date '2026-01-01' + n, false, '', false`,
      limits.absences.most - 5,
    ],
    [
      'working_hours',
      'account_id, user_id, starts_on, weekly_minutes, weekdays',
      `${mine}, date '2026-01-01' + n, 2400, 31`,
      limits.workingHours.most,
    ],
    ['rest_keys', 'account_id, user_id, name, key_hash, rights', `${mine}, ${wide('Key', 100)}, ${hash('key')}, 0`, limits.keys.most - 6],
    [
      'connections',
      'account_id, user_id, name, key_hash, rights',
      `${mine}, ${wide('Agent', 100)}, ${hash('agent')}, 0`,
      limits.agents.most - 6,
    ],
    [
      'views',
      'account_id, workspace_id, user_id, name, query, shared',
      `${of}, ${wide('View', 80)}, 'status=all', true`,
      limits.views.most - 5,
    ],
    [
      'item_files',
      'account_id, workspace_id, item_id, name, size, type, state, added_by',
      `${here}, :i, ${wide('File', 200)}, 1, 'image/png', 'ready', :u`,
      limits.files.most - 5,
    ],
    [
      'plan_blocks',
      'account_id, workspace_id, user_id, item_id, start_local, end_local, timezone, starts_at, ends_at, note',
      `${of}, ${task}, ${block}, ${note}`,
      limits.blocks.most - 300,
    ],
    ...Array.from(
      { length: 31 },
      (_, day) =>
        [
          'time_entries',
          'account_id, workspace_id, user_id, item_id, kind, day, minutes, note',
          `${of}, ${task}, 'manual', date '${today}' - ${day}, 1, ${note}`,
          limits.entries.most - 10,
        ] as [string, string, string, number],
    ),
    ['comments', 'account_id, workspace_id, item_id, author_id, body', `${here}, :i, :u, n || ${quoted(longText(11_900))}`, 300],
    [
      'personal_notes',
      'account_id, user_id, html, title, text',
      `${mine}, '<p>' || ${quoted(longText(60_000).replaceAll('&', '&amp;'))} || '</p>', ${wide('Note', 200)}, ${quoted(longText(60_000))}`,
      100,
    ],
  ];
}

/** A task with 499 below it, each of which waits for 50 tasks that stay and has watchers, and for which 50 others wait. */
const MOVING = [
  `with top as (
    insert into items (account_id, workspace_id, type, title, status, status_key) values (:a, :w, 'task', 'Moves', 'planned', 'planned') returning id)
  insert into items (account_id, workspace_id, type, title, status, status_key, parent_item_id)
    select :a, :w, 'task', rpad('Below ' || n, 290, 'x'), 'planned', 'planned', top.id from top, generate_series(1, 499) n
    union all select :a, :w, 'task', rpad('Stays ' || n, 290, 'x'), 'planned', 'planned', null from generate_series(1, 499) n`,
  `with sides as (
    select id, title like 'Below %' as below, (row_number() over (partition by title like 'Below %' order by id))::integer as at
    from items where workspace_id = :w and (title like 'Below %' or title like 'Stays %'))
  insert into item_dependencies (account_id, workspace_id, item_id, blocker_id)
    select :a, :w, one.id, other.id from sides one cross join generate_series(1, 50) n
    join sides other on other.below <> one.below and other.at = 1 + (one.at * 7 + n * 9) % 499`,
  `insert into item_watches (account_id, workspace_id, item_id, user_id, watching)
    select :a, :w, i.id, u.id, true from items i, (select id from users where account_id = :a limit 500) u
    where i.workspace_id = :w and i.title like 'Below %' on conflict do nothing`,
];

/** A workspace `:b` for what-if: 500 more people, a task of 100,000 hours for each person, 3,900 tasks with a requirement each that wait for
 *  four of those, and requirements without tasks. Items are inserted without their triggers, which take long for so many. */
const BUSY = [
  `insert into users (account_id, email, name) select :a, 'busy' || n || '@x.example', 'Busy ' || n from generate_series(1, 500) n`,
  `insert into memberships (account_id, workspace_id, user_id, role)
    select :a, :b, id, 'member' from users where account_id = :a and id <> :u order by id limit 1000`,
  `insert into items (account_id, workspace_id, type, title, status, status_key)
    select :a, :b, 'requirement', rpad('R' || n, 290, 'x'), 'planned', 'planned' from fast, generate_series(1, 10000) n`,
  `insert into items (account_id, workspace_id, type, title, status, status_key, assignee_id, estimated_hours)
    select :a, :b, 'task', rpad('Long ' || user_id, 290, 'x'), 'planned', 'planned', user_id, 100000
    from fast, memberships where workspace_id = :b`,
  `insert into items (account_id, workspace_id, type, title, status, status_key, requirement_id)
    select :a, :b, 'task', rpad('Short ' || id, 290, 'x'), 'planned', 'planned', id
    from fast, (select id from items where workspace_id = :b and type = 'requirement' order by id limit 3900) r`,
  `insert into item_dependencies (account_id, workspace_id, item_id, blocker_id)
    select :a, :b, short.id, long.id from fast,
      (select id from items where workspace_id = :b and type = 'task' and estimated_hours is null) short,
      (select id from items where workspace_id = :b and estimated_hours is not null order by id limit 4) long`,
].map((text) => `with fast as materialized (select set_config('session_replication_role', 'replica', true)) ${text}`);

/** Beside what the attacker has already, which may exceed a limit. */
export async function fillPlace({ fixtures, target: { costly } }: Stage): Promise<Place> {
  const [owner] = await fixtures.sql(
    `select w.account_id as a, user_id as u from memberships m join workspaces w on w.id = m.workspace_id
    where w.id = $1 and m.role = 'owner'`,
    [costly.workspaceId],
  );
  const values: Record<string, number> = { u: Number(owner.u), a: Number(owner.a), w: costly.workspaceId, i: costly.hostileItems[0]! };
  const filled = (text: string) => text.replace(/:([uwai])\b/g, (_, name: string) => String(values[name]));
  for (const [table, columns, row, count] of collections())
    await fixtures.sql(
      filled(
        `with early as (select set_config('stint.restoring', 'on', true)) insert into ${table} (${columns}) select ${row} from early, generate_series(1, ${count}) n`,
      ),
    );
  await fixtures.sql(filled(`update workspaces set mcp_enabled = true, mcp_rights = ${ALL_RIGHTS} where id = :w`));
  await fixtures.sql(filled(`update rest_keys set rights = ${ALL_RIGHTS} where user_id = :u`));
  await fixtures.sql(
    filled(`insert into connection_workspaces (account_id, connection_id, workspace_id)
    select :a, id, :w from connections where user_id = :u and rights <> 0 on conflict do nothing`),
  );
  await fixtures.sql(
    filled(`insert into item_watches (account_id, workspace_id, item_id, user_id, watching)
    select :a, :w, :i, id, true from users where account_id = :a on conflict do nothing`),
  );
  await fixtures.sql(
    filled(
      `insert into stars (account_id, workspace_id, user_id, view_id) select :a, :w, :u, id from views where user_id = :u limit ${limits.favorites.most}`,
    ),
  );
  const target = await fixtures.workspace(values.a!, 'Target');
  await fixtures.member(target, values.u!);
  for (const text of MOVING) await fixtures.sql(filled(text));
  const busy = await fixtures.workspace(values.a!, 'Busy');
  await fixtures.member(busy, values.u!);
  for (const text of BUSY) await fixtures.sql(filled(text).replaceAll(':b', String(busy)));
  await fixtures.sql('analyze');
  const all = `select json_object_agg(name, ids) as ids from (${Object.entries(sources)
    .map(([name, text]) => filled(`select '${name}' as name, array(select id::text from (${text} limit 600) s) as ids`))
    .join(' union all ')}) found`;
  return {
    userId: values.u!,
    async ids() {
      const [{ ids }] = await fixtures.sql(all);
      for (const [name, source] of Object.entries(same)) ids[name] = ids[source];
      return ids;
    },
  };
}
