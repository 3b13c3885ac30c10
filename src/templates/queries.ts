/** SQL of templates (behaviour §37.5–§37.7). `needs` decides on the row who may use it. */
import { z } from 'zod';
import type { Caller, Permit } from '../access/caller.ts';
import { AccessRow, accessTo, permitOf } from '../access/queries.ts';
import { holds, itemTypes, TASKS_WRITE } from '../access/rights.ts';
import { type Fragment, fixedSql, type Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { CredentialRefused, Forbidden, InvalidRequest } from '../values/errors.ts';

/** Owners and managers of the workspace, and administrators of the account, who may write tasks. */
const manages = fixedSql(`(access.rights & ${TASKS_WRITE} = ${TASKS_WRITE}
  and (coalesce(access.role in ('owner', 'manager'), false)
    or exists (select from users u where u.id = access.user_id and u.account_role in ('owner', 'admin'))))`);

const usable = fixedSql('t.workspace_id = access.workspace_id and access.rights & t.needs = t.needs');

const MOST_LINES = 50;

const Listed = z.object({
  id: z.number(),
  name: z.string(),
  count: z.number(),
  type: z.enum(itemTypes),
  /** Type and title of the first items. */
  lines: z.array(z.object({ type: z.enum(itemTypes), title: z.string() })),
});
export type ListedTemplate = z.infer<typeof Listed>;

const List = z.object({
  workspaceId: z.number().nullable(),
  rights: z.number(),
  manages: z.boolean(),
  templates: z.array(Listed),
});
export type TemplateList = Pick<z.infer<typeof List>, 'manages' | 'templates'>;

/** By name. Throws Unauthenticated; Forbidden unless the caller may write tasks here. */
export async function readTemplates(tx: Tx, caller: Caller, workspaceId: number): Promise<TemplateList> {
  const row = await tx.maybeOne(sql.type(List)`
    with ${accessTo(caller, workspaceId)}
    select access.workspace_id as "workspaceId", access.rights, ${manages} as manages,
      (select coalesce(json_agg(json_build_object('id', t.id, 'name', t.name, 'count', jsonb_array_length(t.items), 'type', t.items -> 0 ->> 'type',
          'lines', (select json_agg(json_build_object('type', e.item ->> 'type', 'title', e.item ->> 'title') order by e.n)
            from jsonb_array_elements(t.items) with ordinality e (item, n) where e.n <= ${MOST_LINES})) order by lower(t.name), t.id), '[]')
        from templates t where ${usable}) as templates
    from access`);
  if (!row) throw new CredentialRefused();
  if (row.workspaceId === null || !holds(row.rights, TASKS_WRITE)) throw new Forbidden();
  return { manages: row.manages, templates: row.templates };
}

const Allowed = AccessRow.extend({ manages: z.boolean() });

/** Throws Unauthenticated; Forbidden unless the caller manages templates here. */
export async function readTemplatePermit(tx: Tx, caller: Caller, workspaceId: number): Promise<Permit> {
  const row = await tx.maybeOne(sql.type(Allowed)`
    with ${accessTo(caller, workspaceId)}
    select access.account_id, access.user_id, access.workspace_id, access.rights, access.context_rights, ${manages} as manages from access`);
  if (!row) throw new CredentialRefused();
  if (row.workspace_id === null || !row.manages) throw new Forbidden();
  return permitOf(caller, row, row.workspace_id);
}

const Stored = z.object({
  name: z.string().nullable(),
  items: z.unknown(),
  labels: z.array(z.object({ id: z.number(), now: z.number() })),
});

/** `labels`: those in use, by the id in the template, with what a merged one is now. Throws Unauthenticated; Forbidden if absent or hidden. */
export async function readTemplate(
  tx: Tx,
  caller: Caller,
  workspaceId: number,
  id: number,
): Promise<{ items: unknown; labels: { id: number; now: number }[] }> {
  const row = await tx.maybeOne(sql.type(Stored)`
    with ${accessTo(caller, workspaceId)}
    select t.name, t.items, (select coalesce(json_agg(json_build_object('id', l.id, 'now', now.id)), '[]') from labels l
      join labels now on now.id = coalesce(l.merged_into, l.id) and now.archived_at is null
      where l.workspace_id = t.workspace_id and l.id in (select (one #>> '{}')::bigint from jsonb_path_query(t.items, '$[*].labels[*]') one)) as labels
    from access left join templates t on t.id = ${id} and ${usable}`);
  if (!row) throw new CredentialRefused();
  if (row.name === null) throw new Forbidden();
  return row;
}

const Id = z.object({ id: z.number() });

const sameName = (name: string) => new InvalidRequest(['name'], `there already is a template '${name}'; choose another name.`);

/** One change of templates at a time, so that names stay unique. */
export async function lockTemplates(tx: Tx, { workspaceId }: Permit): Promise<void> {
  await tx.query(sql.unsafe`select from workspaces where id = ${workspaceId} for no key update`);
}

interface Content {
  name: string;
  items: unknown[];
  needs: number;
}

/** Throws InvalidRequest if the name is in use. */
export async function insertTemplate(tx: Tx, { accountId, workspaceId }: Permit, { name, items, needs }: Content): Promise<number> {
  const id = await tx.maybeOneFirst(sql.type(Id)`
    insert into templates (account_id, workspace_id, name, items, needs)
    values (${accountId}, ${workspaceId}, ${name}, ${JSON.stringify(items)}::jsonb, ${needs}) on conflict do nothing returning id`);
  if (id === null) throw sameName(name);
  return id;
}

/** Runs an update or delete of template `t`, with `access`. Throws Forbidden if absent or hidden. */
async function changeOne(tx: Tx, { caller, workspaceId }: Permit, id: number, statement: Fragment): Promise<void> {
  const changed = await tx.maybeOneFirst(sql.type(Id)`
    with ${accessTo(caller, workspaceId)} ${statement} where t.id = ${id} and ${usable} returning t.id`);
  if (changed === null) throw new Forbidden();
}

/** Throws Forbidden if absent or hidden. */
export const replaceTemplate = (tx: Tx, permit: Permit, id: number, { items, needs }: Omit<Content, 'name'>): Promise<void> =>
  changeOne(tx, permit, id, sql.fragment`update templates t set items = ${JSON.stringify(items)}::jsonb, needs = ${needs} from access`);

/** Throws Forbidden if absent or hidden, InvalidRequest if the name is in use. */
export async function renameTemplate(tx: Tx, permit: Permit, id: number, name: string): Promise<void> {
  const other = await tx.maybeOneFirst(sql.type(Id)`
    select id from templates where workspace_id = ${permit.workspaceId} and lower(name) = lower(${name}) and id <> ${id}`);
  if (other !== null) throw sameName(name);
  await changeOne(tx, permit, id, sql.fragment`update templates t set name = ${name} from access`);
}

/** Throws Forbidden if absent or hidden. */
export const deleteTemplate = (tx: Tx, permit: Permit, id: number): Promise<void> =>
  changeOne(tx, permit, id, sql.fragment`delete from templates t using access`);
