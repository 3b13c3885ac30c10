/** Rows of lists: the schema of their columns and the SQL that fills them. */
import { z } from 'zod';
import { isReadable } from '../../access/queries.ts';
import { type ItemType, itemTypes } from '../../access/rights.ts';
import { type Fragment, fixedSql } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';
import { fields, fieldsWith, listedIn, type NamesWith } from '../../items/fields.ts';
import { childrenOf } from '../../items/findWork/belowQueries.ts';
import { scoreOf, upOf } from '../../items/findWork/orderQueries.ts';
import { onPagesCte, shownForecastJson } from '../../items/forecastQueries.ts';
import { RecordedTrend } from '../../items/goalTrend.ts';
import { firstValue } from '../../items/placeQueries.ts';
import { labelChipsJson, openBlockers } from '../../items/relationQueries.ts';
import { storedField, type WorkFields } from '../../items/schema.ts';
import { type WithoutNulls, withoutNulls } from '../../values/records.ts';
import { ItemLabel } from '../../workspaces/labelSchema.ts';
import { leftOf } from '../../workspaces/queries.ts';
import { statuses } from '../../workspaces/statuses.ts';
import { NamedItem, Person, ShownForecast } from './schema.ts';

type ListedName = Exclude<NamesWith<'listed'>, 'dueDate'>;
const listedValues = Object.fromEntries(
  fieldsWith('listed').flatMap((name) => (name === 'dueDate' ? [] : [[name, storedField(name).nullish()]])),
) as unknown as { [Name in ListedName]: z.ZodOptional<z.ZodType<WorkFields[Name]>> };

const Contribution = z.object({
  id: z.number(),
  type: z.enum(itemTypes),
  title: z.string(),
  status: z.enum(statuses),
  statusKey: z.string(),
  due: z.string().nullable(),
  person: Person.nullable(),
});
export type Contribution = z.infer<typeof Contribution>;

/** A row in JSON that PostgreSQL makes, with null for unset fields. */
export const StoredRow = z.strictObject({
  ...listedValues,
  id: z.number(),
  version: z.number(),
  type: z.enum(itemTypes),
  title: z.string(),
  status: z.enum(statuses),
  statusKey: z.string(),
  priorityKey: z.string().nullable(),
  assignee: Person.nullable(),
  owner: Person.nullable(),
  /** Due date, or target date if the type has no due date. */
  due: z.string().nullable(),
  blockedReason: z.string().nullable(),
  /** The item above it, if the reader sees it. */
  up: NamedItem.nullable(),
  changedSinceApproval: z.literal(true).nullable(),
  archived: z.literal(true).nullable(),
  labels: z.array(ItemLabel).nullable(),
  /** Open items that block it, as far as the reader sees them. */
  waitsFor: z.number().nullable(),
  group: z.string(),
  /** Items directly below, without cancelled ones. `more`: more exist than were counted. */
  below: z.object({ done: z.number(), total: z.number(), more: z.boolean() }).optional(),
  /** Reach x impact x confidence / effort. */
  score: z.number().nullish(),
  /** Among the visible open requirements of the workspace. */
  rank: z.number().nullish(),
  approval: z.enum(['requested', 'approved', 'rejected']).nullish(),
  first: z.number().nullish(),
  /** Only if the reader sees the workspace's forecasts. */
  forecast: ShownForecast.nullish(),
  /** Only in the tree of goals. */
  contributing: z.object({ signs: z.string(), rows: z.array(Contribution) }).optional(),
  trend: RecordedTrend.optional(),
});

/** One row. Unset fields are omitted. */
export type ListRow = WithoutNulls<z.infer<typeof StoredRow>>;

const MOST_BELOW = 100;
const MOST_RANKED = 1_000;

/** Skips the lookup if the id is null, which would cost as much as a hit. */
export const person = (id: Fragment) =>
  sql.fragment`case when ${id} is not null then
    (select row_to_json(named) from users u cross join lateral (select u.id, u.name, u.kind, ${leftOf(sql.fragment`i.workspace_id`)} as left) named
     where u.id = ${id}) end`;

const upJson = sql.fragment`(
  select row_to_json(named) from items up cross join lateral (select up.id, up.type, up.title) named
  where up.id = ${upOf} and (up.shown or not i.shown) and ${isReadable('up', 'access.context_rights')})`;

const belowJson = sql.fragment`(
  select json_build_object('done', least(${MOST_BELOW}, count(*) filter (where b.status = 'done')), 'total', least(${MOST_BELOW}, count(*)),
    'more', count(*) > ${MOST_BELOW})
  from (
    select c.status from (select i.id, i.type) up cross join lateral (${childrenOf(sql.fragment`i.status`, sql.fragment`access.rights`)}) c
    where c.status <> 'cancelled' limit ${MOST_BELOW + 1}) b)`;

/** CTE `ranked (id, rank)`: the open requirements of `scope` by score; empty if there are too many. */
const ranked = sql.fragment`
  ranked as materialized (
    select id, rank from (
      select o.id, rank() over (order by o.score desc) as rank, count(*) over () as among
      from (
        select i.id, i.score from scope s cross join lateral (
          select i.id, ${scoreOf} as score from items i
          where i.workspace_id = s.workspace_id and i.type = 'requirement' and not i.closed and i.shown and i.needs = any(s.needs)
          order by i.closed, i.id limit ${MOST_RANKED + 1}
        ) i
      ) o where o.score is not null
    ) r where among <= ${MOST_RANKED}
  ),`;

/** The fields that only lists of this type show; other rows have `due` and `estimatedHours` too. */
const fieldsOf = (type: ItemType): Fragment =>
  fixedSql(
    listedIn(type)
      .filter((name) => name !== 'dueDate' && name !== 'estimatedHours')
      .map((name) => `i.${fields[name].column} as "${name}"`)
      .join(', '),
  );

export const ofGoal = sql.fragment`${fieldsOf('goal')}, ${firstValue} as first`;
const forecastOf = sql.fragment`${shownForecastJson(sql.fragment`i.id`)} as forecast`;

/** CTEs that the rows of this type need, each with a comma after it. */
export const ctesOf = (type: ItemType): Fragment =>
  sql.fragment`${type === 'requirement' ? ranked : sql.fragment``} ${hasForecast(type) ? sql.fragment`${onPagesCte()},` : sql.fragment``}`;

/** Lists of these types show forecasts. */
export const hasForecast = (type: ItemType): boolean => type === 'requirement' || type === 'release' || type === 'milestone';

const ofType: Record<ItemType, Fragment> = {
  task: fieldsOf('task'),
  requirement: sql.fragment`${fieldsOf('requirement')}, ${scoreOf} as score, (select r.rank from ranked r where r.id = i.id) as rank,
    (select p.action from approvals p where p.item_id = i.id order by p.item_version desc limit 1) as approval, ${belowJson} as below, ${forecastOf}`,
  goal: sql.fragment`${ofGoal}, ${belowJson} as below`,
  release: sql.fragment`${fieldsOf('release')}, ${belowJson} as below, ${forecastOf}`,
  milestone: sql.fragment`${fieldsOf('milestone')}, ${belowJson} as below, ${forecastOf}`,
};

const waitsFor = sql.fragment`case when not i.closed then ${openBlockers(fixedSql('i.id'))} end`;

/** JSON of the item `id`. Row JSON costs half of json_build_object. */
export const rowJson = (type: ItemType, id: Fragment, group: Fragment, own = ofType[type]): Fragment => sql.fragment`(
  select row_to_json(listed) from items i cross join lateral (select
    i.id, i.version, i.type, i.title, i.status, i.status_key as "statusKey", i.priority_key as "priorityKey",
    ${person(sql.fragment`i.assignee_id`)} as assignee, ${person(sql.fragment`i.owner_id`)} as owner, i.due, i.estimated_hours as "estimatedHours",
    i.blocked_reason as "blockedReason", ${upJson} as up, nullif(i.changed_since_approval, false) as "changedSinceApproval",
    case when i.archived_at is not null then true end as archived,
    ${labelChipsJson(fixedSql('i.id'))} as labels, ${waitsFor} as "waitsFor", ${group} as "group", ${own}
  ) listed where i.id = ${id})`;

export const ListRows = z.array(StoredRow).transform((rows) => rows.map((row): ListRow => withoutNulls(row)));
