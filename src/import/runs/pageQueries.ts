/** SQL of imports for pages (behaviour §36.20). */
import { z } from 'zod';
import type { Permit } from '../../access/caller.ts';
import { accessTo, isReadable } from '../../access/queries.ts';
import { normalEmail } from '../../accounts/schema.ts';
import { hasDeparted } from '../../changes/readQueries.ts';
import { fixedSql, instantText, type Tx } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';
import { Forbidden } from '../../values/errors.ts';
import { ImportMap } from '../sources/map.ts';
import type { PlannedItem } from '../sources/planned.ts';
import { Report } from '../sources/reportSchema.ts';
import { type Format, formats } from '../sources/source.ts';
import { Survey } from '../sources/surveySchema.ts';
import { importStates } from './schema.ts';
import { UNDO_DAYS } from './undoQueries.ts';

const Line = z.object({
  id: z.number(),
  source: z.enum(formats),
  fileName: z.string(),
  state: z.enum(importStates),
  problem: z.string().nullable(),
  person: z.string(),
  createdAt: z.string(),
  startedAt: z.string().nullable(),
  finishedAt: z.string().nullable(),
  /** Rows of the file that are staged; null once all are. */
  staged: z.number().nullable(),
  total: z.number().nullable(),
  done: z.number(),
  created: z.number(),
  updated: z.number(),
  unchanged: z.number(),
  refused: z.number(),
  comments: z.number(),
  /** False after the time for undo. */
  undoable: z.boolean(),
  /** Null before the first rows of the current job. */
  secondsLeft: z.number().nullable(),
});
export type ImportLine = z.infer<typeof Line>;
export type ImportList = readonly ImportLine[];

const at = (column: string) => fixedSql(instantText(`m.${column}`));
const line = sql.fragment`m.id, m.source, m.file_name as "fileName", m.state, m.problem, u.name as person, ${at('created_at')} as "createdAt",
  ${at('started_at')} as "startedAt", ${at('finished_at')} as "finishedAt", m.staged, m.total, m.done, m.created, m.updated, m.unchanged, m.refused, m.comments,
  m.state in ('done', 'stopped') and m.started_at > now() - ${UNDO_DAYS} * interval '1 day' as undoable,
  (extract(epoch from now() - m.resumed_at) / nullif(m.done - m.resumed_at_place, 0) * (m.total - m.done))::float8 as "secondsLeft"`;

const MOST_LISTED = 50;
/** A report has up to a million characters. */
const MOST_STORED_BYTES = 5_000_000;

export const readImports = (tx: Tx, { workspaceId }: Permit): Promise<ImportList> =>
  tx.any(sql.type(Line)`
    select ${line} from imports m join users u on u.id = m.user_id where m.workspace_id = ${workspaceId} order by m.id desc limit ${MOST_LISTED}`);

const Details = Line.extend({
  /** Rows that `importProblems` lists; 0 while rows are written, because the page asks each second. */
  problems: z.number(),
  map: ImportMap,
  survey: Survey.nullable(),
  report: Report.nullable(),
  preview: z.string().nullable(),
  /** Members who can be assigned. */
  members: z.array(z.object({ id: z.number(), name: z.string(), mail: z.string() })),
  statuses: z.array(z.object({ key: z.string(), label: z.string() })),
  priorities: z.array(z.object({ key: z.string(), label: z.string() })),
  /** The reader can invite people into the account. */
  mayInvite: z.boolean(),
  /** The reader runs the workspace, and so can create statuses. */
  mayCreateStatuses: z.boolean(),
});
export interface ImportDetails extends Omit<z.infer<typeof Details>, 'preview' | 'members'> {
  preview: PlannedItem[];
  members: { id: number; name: string }[];
  firstProblems: readonly ProblemRow[];
}

/** Null for one that was stored before reports had a limit (behaviour §36.3). */
const small = (column: 'survey' | 'report' | 'preview') =>
  fixedSql(`case when octet_length(f.${column}::text) <= ${MOST_STORED_BYTES} then f.${column} end`);

/** Throws Forbidden for an import of another workspace. */
export async function readImport(tx: Tx, permit: Permit, id: number): Promise<ImportDetails> {
  const found = await tx.maybeOne(sql.type(Details)`
    select ${line}, m.map, ${small('survey')} as survey, ${small('report')} as report, ${small('preview')}::text as preview,
      case when m.state in ('running', 'undoing') then 0
        else (select count(*) from import_rows r where r.import_id = m.id and r.problem is not null) end as problems,
      (select coalesce(json_agg(json_build_object('id', p.id, 'name', p.name, 'mail', p.email) order by p.name, p.id), '[]')
        from memberships s join users p on p.id = s.user_id and p.active
        where s.workspace_id = m.workspace_id and s.rights & resource_bits('tasks', 'write') = resource_bits('tasks', 'write')) as members,
      (select coalesce(json_agg(json_build_object('key', s.key, 'label', s.label) order by s.position, s.key), '[]')
        from statuses s where s.workspace_id = m.workspace_id and s.status not in ('pending_approval', 'approved')) as statuses,
      (select coalesce(json_agg(json_build_object('key', p.key, 'label', p.label) order by p.rank desc, p.key), '[]')
        from priorities p where p.workspace_id = m.workspace_id) as priorities,
      exists (select from users v where v.id = ${permit.userId} and v.account_role in ('owner', 'admin')) as "mayInvite",
      exists (select from users v left join memberships s on s.user_id = v.id and s.workspace_id = m.workspace_id
        where v.id = ${permit.userId} and (v.account_role in ('owner', 'admin') or s.role = 'owner')) as "mayCreateStatuses"
    from imports m join users u on u.id = m.user_id left join import_reports f on f.import_id = m.id
    where m.id = ${id} and m.workspace_id = ${permit.workspaceId}`);
  if (!found) throw new Forbidden();
  const firstProblems = found.problems > 0 ? await readProblems(tx, permit, id, null) : [];
  const { members, map } = found;
  return {
    ...found,
    map: { ...map, people: withoutMails(map.people, members) },
    members: members.map(({ id: person, name }) => ({ id: person, name })),
    preview: found.preview === null ? [] : JSON.parse(found.preview),
    firstProblems,
  };
}

/** Managers may not see the addresses of members (behaviour §30.6): these choices name members by id. */
function withoutMails(people: ImportMap['people'], members: z.infer<typeof Details>['members']): ImportMap['people'] {
  const ids = new Map(members.map(({ id, mail }) => [normalEmail(mail), id]));
  return Object.fromEntries(
    Object.entries(people).map(([name, chosen]) => {
      const member = typeof chosen === 'string' ? ids.get(normalEmail(chosen)) : undefined;
      return [name, member === undefined ? chosen : { member }];
    }),
  );
}

const Invited = z.object({
  name: z.string(),
  mail: z.string(),
  /** Null: not in the account. */
  userId: z.number().nullable(),
  active: z.boolean().nullable(),
  isMember: z.boolean(),
});

/** People to invite by the report of an import, each address once. */
export const readInvited = (tx: Tx, { accountId, workspaceId }: Permit, id: number): Promise<readonly z.infer<typeof Invited>[]> =>
  tx.any(sql.type(Invited)`
    select distinct on (lower(p.member)) left(coalesce(p.name, ''), 200) as name, coalesce(p.member, '') as mail, u.id as "userId", u.active, m.user_id is not null as "isMember"
    from import_reports r cross join jsonb_to_recordset(r.report -> 'people' -> 'entries') as p (name text, "as" text, member text)
    left join users u on u.account_id = ${accountId} and lower(u.email) = lower(p.member)
    left join memberships m on m.user_id = u.id and m.workspace_id = ${workspaceId}
    where r.import_id = ${id} and r.account_id = ${accountId} and p."as" = 'invited' and p.member is not null
    order by lower(p.member), p.name`);

const Remembered = z.object({ map: ImportMap });

/** The choices of the last import of this format that was started here. Null without one. */
export const rememberedMap = (tx: Tx, { workspaceId }: Permit, source: Format): Promise<ImportMap | null> =>
  tx.maybeOneFirst(sql.type(Remembered)`
    select map from imports where workspace_id = ${workspaceId} and source = ${source} and started_at is not null order by id desc limit 1`);

const Problem = z.object({
  n: z.number(),
  line: z.number().nullable(),
  key: z.string().nullable(),
  title: z.string().nullable(),
  problem: z.string(),
  refused: z.boolean(),
});
export type ProblemRow = z.infer<typeof Problem>;

const MOST_PROBLEMS = 1_000;
const HIDDEN = 'You may not see the item of this row, so the reason is not shown.';

/** The problems were found with the rights of the import's person; those of an item are for users who may read it, or that it left. */
export const readProblems = (tx: Tx, { caller, workspaceId }: Permit, id: number, after: number | null): Promise<readonly ProblemRow[]> =>
  tx.any(sql.type(Problem)`
    with ${accessTo(caller, workspaceId)}
    select r.n, r.line, r.key, coalesce(r.planned ->> 'title', case when item.readable then item.title end) as title,
      case when r.item_id is null or item.readable or item.departed then coalesce(r.problem, '') else ${HIDDEN} end as problem, r.refused
    from access join imports m on m.workspace_id = access.workspace_id join import_rows r on r.import_id = m.id
    left join lateral (
      select i.title, i.workspace_id = access.workspace_id and ${isReadable('i', 'access.rights')} as readable,
        i.workspace_id <> access.workspace_id and ${hasDeparted(sql.fragment`i.id`)} as departed
      from items i where i.id = r.item_id limit 1
    ) item on true
    where m.id = ${id} and r.problem is not null and (${after}::integer is null or r.n > ${after}::integer)
    order by r.n limit ${MOST_PROBLEMS}`);
