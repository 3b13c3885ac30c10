/** SQL that writes the audit. It lists the shown columns of each subject, so no secret can get in. */
import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { callerRow } from '../access/queries.ts';
import { agentLevels, grantsOf } from '../access/rights.ts';
import { type Via, viaOf } from '../access/via.ts';
import type { Fragment, Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import type { By, Line, State, Subject } from './line.ts';

const About = z.object({
  accountId: z.number(),
  workspaceId: z.number().nullable(),
  userId: z.number().nullable(),
  name: z.string(),
  state: z.record(z.string(), z.unknown()),
});
export type About = z.infer<typeof About>;

const selects: Record<Subject['type'], (subject: Pick<Subject, 'id' | 'workspaceId'>) => Fragment> = {
  account: ({ id }) => sql.fragment`
    select a.id as "accountId", null::bigint as "workspaceId", null::bigint as "userId", a.name, json_build_object('name', a.name) as state
    from accounts a where a.id = ${id}`,
  user: ({ id }) => sql.fragment`
    select u.account_id as "accountId", null::bigint as "workspaceId", u.id as "userId", u.name,
      json_build_object('name', u.name, 'email', u.email, 'kind', u.kind, 'role', u.account_role, 'active', u.active, 'timezone', u.timezone,
        'weeklyHours', weekly_minutes_now(u.id, u.weekly_minutes) / 60.0, 'workingDays', u.weekdays,
        'invitedTo', (select json_object_agg(g.workspace_id, g.role order by g.workspace_id) from invited_memberships g where g.user_id = u.id)) as state
    from users u where u.id = ${id}`,
  key: ({ id }) => sql.fragment`
    select k.account_id as "accountId", null::bigint as "workspaceId", k.user_id as "userId", k.name,
      json_build_object('name', k.name, 'userId', k.user_id, 'rights', k.rights, 'expiresAt', k.expires_at, 'revoked', k.revoked_at is not null) as state
    from rest_keys k where k.id = ${id}`,
  connection: ({ id, workspaceId }) => sql.fragment`
    select c.account_id as "accountId", ${workspaceId ?? null}::bigint as "workspaceId", c.user_id as "userId", c.name,
      json_build_object('name', c.name, 'rights', c.rights, 'notes', array_remove(array[case when c.note_rights & 1 > 0 then 'read' end,
          case when c.note_rights & 2 > 0 then 'add' end, case when c.note_rights & 4 > 0 then 'edit' end, case when c.note_rights & 8 > 0 then 'delete' end], null),
        'workspaces', array(select cw.workspace_id from connection_workspaces cw where cw.connection_id = c.id and cw.disconnected_at is null order by 1),
        'timezone', c.timezone, 'plainLanguage', c.plain_language, 'expiresAt', c.expires_at, 'revoked', c.revoked_at is not null) as state
    from connections c where c.id = ${id}`,
  workspace: ({ id }) => sql.fragment`
    select w.account_id as "accountId", w.id as "workspaceId", null::bigint as "userId", w.name,
      json_build_object('name', w.name, 'archived', w.archived_at is not null, 'agents', w.mcp_enabled, 'rights', w.mcp_rights, 'forecasts', w.forecasts) as state
    from workspaces w where w.id = ${id}`,
  words: ({ id }) => sql.fragment`
    select w.account_id as "accountId", w.id as "workspaceId", null::bigint as "userId", w.name, (
      select json_object_agg(word.name, word.value) from (
        select 'status ' || s.key as name, json_build_object('label', s.label, 'types', s.types, 'status', s.status, 'position', s.position) as value
        from statuses s where s.workspace_id = w.id
        union all
        select 'priority ' || p.key, json_build_object('label', p.label, 'rank', p.rank, 'default', p.is_default)
        from priorities p where p.workspace_id = w.id) word) as state
    from workspaces w where w.id = ${id}`,
  // The rest of the URL may contain a secret of the receiver.
  webhook: ({ id }) => sql.fragment`
    select h.account_id as "accountId", h.workspace_id as "workspaceId", h.user_id as "userId", split_part(h.url, '/', 3) as name,
      json_build_object('host', split_part(h.url, '/', 3), 'kinds', h.kinds, 'revoked', h.revoked_at is not null) as state
    from webhooks h where h.id = ${id}`,
  member: ({ id, workspaceId }) => sql.fragment`
    select m.account_id as "accountId", m.workspace_id as "workspaceId", m.user_id as "userId", u.name,
      json_build_object('role', m.role, 'access', m.overrides, 'timeOversight', m.time_oversight) as state
    from memberships m join users u on u.id = m.user_id where m.user_id = ${id} and m.workspace_id = ${workspaceId ?? 0}`,
};

export async function readSubject(tx: Tx, subject: Subject): Promise<About | null> {
  const found = await tx.maybeOne(sql.type(About)`${selects[subject.type](subject)}`);
  return found && { ...found, state: inWords(subject.type, found.state) };
}

function inWords(type: Subject['type'], { rights, ...state }: State): State {
  if (typeof rights !== 'number') return state;
  if (type === 'key') return { ...state, grants: grantsOf(rights) };
  return { ...state, [type === 'workspace' ? 'limits' : 'permissions']: agentLevels(rights) };
}

/** Locks the subject until the transaction ends, so that each entry starts from the state that the previous one ended with. */
export async function holdSubject(tx: Tx, { type, id, workspaceId = 0 }: Subject): Promise<void> {
  const name = `audit ${type} ${id} ${type === 'member' ? workspaceId : ''}`;
  await tx.query(sql.unsafe`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
}

interface Actor {
  via: Via;
  userId: number | null;
  operator: string | null;
  address: string | null;
  credential: Fragment;
}

function actorOf(by: By, concerned: number | null): Actor {
  if ('operator' in by) return { via: by.via, userId: null, operator: by.operator, address: null, credential: credentialOf(null) };
  const { caller, userId } = by;
  const actor = userId || (caller.kind === 'visitor' ? concerned : null);
  return { via: viaOf(caller), userId: actor, operator: null, address: caller.address ?? null, credential: credentialOf(caller) };
}

/** Id and current name of a key or an agent connection. Null for other callers. */
function credentialOf(caller: Caller | null): Fragment {
  if (caller?.kind === 'key' || caller?.kind === 'agent')
    return sql.fragment`select who.credential_id as id, who.credential_name as name from (${callerRow(caller)}) who`;
  return sql.fragment`select null::bigint as id, null::text as name`;
}

export async function insertAudit(tx: Tx, by: By, line: Line): Promise<void> {
  const { via, userId, operator, address, credential } = actorOf(by, line.userId);
  await tx.query(sql.unsafe`
    insert into audit (account_id, kind, actor_id, actor_name, via, credential_id, credential_name, address, workspace_id, user_id,
      subject, subject_id, subject_name, changes)
    select ${line.accountId}::bigint, ${line.kind}, ${userId}::bigint, coalesce(${operator}::text, (select u.name from users u where u.id = ${userId}::bigint), ''),
      ${via}, credential.id, credential.name, ${address}::text, ${line.workspaceId}::bigint, ${line.userId}::bigint,
      ${line.subject.type}, ${line.subject.id}::bigint, ${line.name}, ${JSON.stringify(line.changes)}::jsonb
    from (select 1) once left join (${credential}) credential on true`);
}

const FAILED: Pick<Line, 'kind'> = { kind: 'sign_in.failed' };
const MOST_FAILED_AN_HOUR = 10;

/** Audits a wrong password. At most ten lines an hour for a user; the last line counts further attempts. */
export async function insertFailedSignIn(tx: Tx, userId: number, address: string): Promise<void> {
  await tx.query(sql.unsafe`
    with person as (select id, account_id, name from users where id = ${userId} for no key update),
    latest as (
      select a.id, count(*) over () as lines from audit a join person p on a.account_id = p.account_id and a.user_id = p.id
      where a.kind = ${FAILED.kind} and a.at > now() - interval '1 hour' order by a.id desc limit 1
    ), counted as (
      update audit a set changes = jsonb_build_object('attempts', jsonb_build_array(null, coalesce((a.changes #>> '{attempts,1}')::integer, 1) + 1))
      from latest where a.id = latest.id and latest.lines >= ${MOST_FAILED_AN_HOUR}
    )
    insert into audit (account_id, kind, actor_name, via, address, user_id, subject, subject_id, subject_name)
    select account_id, ${FAILED.kind}, '', 'page', ${address}, id, 'user', id, name from person
    where coalesce((select lines from latest), 0) < ${MOST_FAILED_AN_HOUR}`);
}
