/** All users of an account, or one of them, for its owners and administrators (behaviour §30.6). */
import { z } from 'zod';
import { callerRow } from '../access/queries.ts';
import { LinkMail, latestLinkMail } from '../accounts/linkMailQueries.ts';
import { Person, personColumns } from '../accounts/peopleQueries.ts';
import { sql } from '../database/sql.ts';
import type { Read } from '../operations/operation.ts';
import { CredentialRefused, Forbidden } from '../values/errors.ts';
import { Id } from '../values/text.ts';
import { memberRoles } from '../workspaces/statuses.ts';

export const MOST_PEOPLE = 500;
const MOST_WORKSPACES = 500;

const PersonLine = Person.extend({
  lastSeenAt: z.string().nullable(),
  keys: z.number(),
  agents: z.number(),
});
export type PersonLine = z.infer<typeof PersonLine>;

export const working = sql.fragment`revoked_at is null and (expires_at is null or expires_at > now())`;

/** Of user `u`. If a session has ended, its sign-in still counts. */
const personLine = sql.fragment`
  ${personColumns}, greatest(
    (select max(s.last_used_at) from sessions s where s.user_id = u.id),
    (select max(k.last_used_at) from rest_keys k where k.user_id = u.id),
    (select max(c.last_used_at) from connections c where c.user_id = u.id),
    (select max(a.at) from (select a.kind, a.at from audit a where a.account_id = u.account_id and a.user_id = u.id order by a.id desc limit 100) a
      where a.kind = 'sign_in')) as "lastSeenAt",
  (select count(*) from rest_keys k where k.user_id = u.id and ${working}) as keys,
  (select count(*) from connections c where c.user_id = u.id and ${working}) as agents`;

const Workspace = z.object({ id: z.number(), name: z.string() });

const Seen = z.object({
  people: z.array(PersonLine).nullable(),
  workspaces: z.array(Workspace).nullable(),
});

export interface PeopleSeen {
  /** Active ones first; at most MOST_PEOPLE, plus one if there are more. */
  people: PersonLine[];
  workspaces: { id: number; name: string }[];
}

const Held = z.object({ id: z.number(), name: z.string(), lastUsedAt: z.string().nullable(), expiresAt: z.string().nullable() });

const PersonSeen = PersonLine.extend({
  workspaces: z.array(Workspace.extend({ role: z.enum(memberRoles), archived: z.boolean() })),
  invitedTo: z.array(Workspace.extend({ role: z.enum(memberRoles) })),
  linkMail: LinkMail.nullable(),
  heldKeys: z.array(Held),
  heldAgents: z.array(Held.extend({ workspaces: z.array(z.string()) })),
});
export type PersonSeen = z.infer<typeof PersonSeen>;

const Named = z.strictObject({ name: z.string().max(200) });

/** Users whose name or address contains `name`. Throws Forbidden if the caller does not manage the account, Unauthenticated. */
export const listPeople: Read<z.infer<typeof Named>, PeopleSeen> = {
  name: 'listPeople',
  input: Named,
  async run(tx, caller, { name }) {
    if (caller.kind === 'key' || caller.kind === 'agent') throw new Forbidden();
    const found = await tx.maybeOne(sql.type(Seen)`
      with who as (${callerRow(caller)}),
      account as (select who.account_id from who join users u on u.id = who.user_id and u.account_role <> 'member')
      select
        case when account.account_id is not null then (select coalesce(json_agg(row_to_json(p) order by p.active desc, lower(p.name), p.id), '[]') from (
          select ${personLine} from users u
          where u.account_id = account.account_id and position(lower(${name}) in lower(u.name || ' ' || u.email)) > 0
          order by u.active desc, lower(u.name), u.id limit ${MOST_PEOPLE + 1}) p) end as people,
        case when account.account_id is not null then (select coalesce(json_agg(json_build_object('id', w.id, 'name', w.name) order by lower(w.name), w.id), '[]') from (
          select w.id, w.name from workspaces w where w.account_id = account.account_id and w.archived_at is null
          order by lower(w.name), w.id limit ${MOST_WORKSPACES}) w) end as workspaces
      from who left join account on true`);
    if (!found) throw new CredentialRefused();
    const { people, workspaces } = found;
    if (!people || !workspaces) throw new Forbidden();
    return { people, workspaces };
  },
};

const One = z.strictObject({ userId: Id });

/** Throws Forbidden if the caller does not manage the account, or if the user is not in it. */
export const getPerson: Read<z.infer<typeof One>, PersonSeen> = {
  name: 'getPerson',
  input: One,
  async run(tx, caller, { userId }) {
    if (caller.kind === 'key' || caller.kind === 'agent') throw new Forbidden();
    const found = await tx.maybeOne(sql.type(PersonSeen)`
      with who as (${callerRow(caller)})
      select ${personLine}, ${latestLinkMail} as "linkMail",
        (select coalesce(json_agg(json_build_object('id', w.id, 'name', w.name, 'role', m.role, 'archived', w.archived_at is not null)
            order by w.archived_at is not null, lower(w.name), w.id), '[]')
          from memberships m join workspaces w on w.id = m.workspace_id where m.user_id = u.id) as workspaces,
        (select coalesce(json_agg(json_build_object('id', w.id, 'name', w.name, 'role', g.role) order by lower(w.name), w.id), '[]')
          from invited_memberships g join workspaces w on w.id = g.workspace_id and w.archived_at is null where g.user_id = u.id) as "invitedTo",
        (select coalesce(json_agg(json_build_object('id', k.id, 'name', k.name, 'lastUsedAt', k.last_used_at, 'expiresAt', k.expires_at) order by k.name, k.id), '[]')
          from rest_keys k where k.user_id = u.id and ${working}) as "heldKeys",
        (select coalesce(json_agg(json_build_object('id', c.id, 'name', c.name, 'lastUsedAt', c.last_used_at, 'expiresAt', c.expires_at,
            'workspaces', array(select w.name from connection_workspaces cw join workspaces w on w.id = cw.workspace_id and w.archived_at is null
              where cw.connection_id = c.id and cw.disconnected_at is null order by lower(w.name), w.id)) order by c.name, c.id), '[]')
          from connections c where c.user_id = u.id and ${working}) as "heldAgents"
      from who join users me on me.id = who.user_id and me.account_role <> 'member'
      join users u on u.id = ${userId} and u.account_id = who.account_id`);
    if (!found) throw new Forbidden();
    return found;
  },
};
