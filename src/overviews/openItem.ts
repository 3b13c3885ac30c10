import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { accessTo } from '../access/queries.ts';
import { type ItemType, itemTypes } from '../access/rights.ts';
import { Explained } from '../capacity/forecast/schema.ts';
import { keepUpToDate } from '../capacity/snapshots/pageForecast.ts';
import { historyJson, streamJson } from '../changes/queries.ts';
import { ItemChange } from '../changes/schema.ts';
import { commentTextsJson } from '../comments/ownCommentQueries.ts';
import { StreamNote, streamNotesJson } from '../comments/queries.ts';
import { fixedSql, type Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { ItemFile, itemFilesJson } from '../files/itemFileQueries.ts';
import { approvedJson } from '../items/approvalQueries.ts';
import { Approved } from '../items/approved.ts';
import { BelowRow, BelowSums, belowCtes, belowRowsJson, belowSumsJson } from '../items/belowTreeQueries.ts';
import { BurnUp } from '../items/burnUp.ts';
import { burnUpJson, everBelowCte } from '../items/burnUpQueries.ts';
import { ForecastSummary, onPagesCte, PageForecast, pageForecastJson, projectJson } from '../items/forecastQueries.ts';
import { RecordedTrend } from '../items/goalTrend.ts';
import { ItemContext, itemContextJson } from '../items/itemContextQueries.ts';
import { leftHours } from '../items/leftQueries.ts';
import { firstValue, LinkChoice, linkChoicesJson, linkChoicesOf, linkTypes, Rice, riceJson, trendJson } from '../items/placeQueries.ts';
import { visible, visibleWork } from '../items/queries.ts';
import {
  Dependency,
  dependenciesJson,
  labelsJson,
  offeredLabelsJson,
  visibleBlockedBy,
  visibleBlockersOf,
} from '../items/relationQueries.ts';
import { StoredWork } from '../items/schema.ts';
import { sourceKey } from '../items/sourceKey.ts';
import { watches } from '../notifications/choiceQueries.ts';
import { Mentionable, mentionableJson } from '../notifications/tellQueries.ts';
import type { Read } from '../operations/operation.ts';
import { ItemPlan, itemPlanJson } from '../plans/queries.ts';
import { seriesJson } from '../recurring/queries.ts';
import { Series } from '../recurring/schema.ts';
import { runningTimerJson } from '../time/queries.ts';
import { ItemTime, itemTimeJson, othersTimersJson, RunningTimer } from '../time/reportQueries.ts';
import { asEntry, EntryRow, type TimeEntry } from '../time/schema.ts';
import { CredentialRefused, Forbidden } from '../values/errors.ts';
import { Id } from '../values/text.ts';
import { ItemLabel } from '../workspaces/labelSchema.ts';
import { optionsJson, readableTypes, readerJson, WorkspaceMembership } from '../workspaces/queries.ts';
import { Options } from '../workspaces/schema.ts';

const Common = z.object({
  membership: WorkspaceMembership.nullable(),
  item: StoredWork.nullable(),
  context: ItemContext.nullable(),
  options: Options,
});
/** `explained` belongs to capacity, which items must not import. */
const Project = ForecastSummary.extend({ explained: Explained.nullable(), named: z.array(z.number()) });
export type Project = z.infer<typeof Project>;

const Shown = Common.extend({
  labels: z.array(ItemLabel),
  /** Its key and link in the service from which it was imported (behaviour §36.26). */
  source: z.object({ name: z.string(), key: z.string(), url: z.string().nullable() }).nullable(),
  /** Both directions, open ones first. */
  blockedBy: z.array(Dependency),
  blocks: z.array(Dependency),
  /** Oldest first, with removed ones, which are lines of the history. */
  files: z.array(ItemFile),
  /** Two levels below the item, unordered. At most MOST_BELOW + 1 of the first level. */
  below: z.array(BelowRow),
  sums: BelowSums,
  /** Of the item's own estimate; null without one. */
  leftHours: z.number().nullable(),
  /** For a release. */
  burnUp: BurnUp.nullable(),
  rice: Rice.nullable(),
  /** For a goal: its values over time and the first known value. */
  trend: RecordedTrend.nullable(),
  first: z.number().nullable(),
  /** The item's project, if the reader sees its forecasts and there is one. */
  project: Project.nullable(),
  forecast: PageForecast.nullable(),
  time: ItemTime,
  plan: ItemPlan.nullable(),
  /** Newest first; null if the reader may not read comments. */
  notes: z.array(StreamNote).nullable(),
  /** Texts of comments before edits and deletions, by change: those that the reader may read. Null if they may not read comments. */
  commentTexts: z.record(z.string(), z.string()).nullable(),
  history: z.object({ changes: z.array(ItemChange), people: z.record(z.string(), z.string()) }),
  approved: Approved.nullable(),
  watching: z.boolean(),
  mentionable: z.array(Mentionable),
  /** Owner and assignee who are away today, with the last day of it. */
  away: z.array(z.object({ name: z.string(), until: z.string() })),
  timer: EntryRow.nullable(),
  othersTimers: z.array(RunningTimer).nullable(),
  now: z.string(),
  /** The series of recurring tasks that it belongs to in this workspace. */
  series: Series.nullable(),
});
/** `choices`: open items that it can link to, by type and title; at most 200 of each type. */
const Edited = Common.extend({ choices: z.array(LinkChoice), history: z.array(ItemChange) });

const MOST_POINTS = 60;
export const MOST_CHANGES = 200;

const New = Edited.pick({ membership: true, options: true, choices: true }).extend({ offered: z.array(ItemLabel) });

const found = (caller: Caller, workspaceId: number, id: number) => sql.fragment`
  ${accessTo(caller, workspaceId)},
  readable as (select ${readableTypes} as types from access),
  self as (select i.* from items i, access where i.id = ${id} and ${visible})`;
const common = sql.fragment`
  ${readerJson} as membership, case when i.id is not null then ${visibleWork} end as item,
  (select ${itemContextJson} from self) as context, ${optionsJson} as options`;
const from = sql.fragment`from access cross join readable left join self i on true left join users a on a.id = i.assignee_id`;

/** The owner and the assignee, if an absence covers today. */
const awayJson = sql.fragment`(
  select coalesce(json_agg(json_build_object('name', p.name, 'until', away_until(p.id, current_date)) order by p.id), '[]')
  from users p where p.id in (i.owner_id, i.assignee_id) and p.active and away_until(p.id, current_date) is not null)`;

const own = sql.fragment`(select id from self)`;

/** `until` limits comments and changes to earlier ones. Throws Unauthenticated; Forbidden if the item is not visible in this workspace. */
export async function readShownItem(tx: Tx, caller: Caller, workspaceId: number, id: number, until: string | null) {
  const row = await tx.maybeOne(sql.type(Shown)`
    with ${found(caller, workspaceId, id)}, ${onPagesCte()}, ${belowCtes}, ${everBelowCte}
    select ${common}, ${labelsJson(own)} as labels, (select json_build_object('name', k.source, 'key', ${sourceKey}, 'url', k.url)
        from imported_items k where k.item_id = i.id and ${sourceKey} is not null) as source, ${dependenciesJson(visibleBlockersOf(own))} as "blockedBy",
      ${dependenciesJson(visibleBlockedBy(own))} as blocks, ${itemFilesJson} as files, ${belowRowsJson} as below, ${belowSumsJson} as sums, ${fixedSql(leftHours('i'))} as "leftHours", ${riceJson} as rice,
      case when i.type = 'release' then ${burnUpJson} end as "burnUp",
      case when i.type = 'goal' then ${trendJson(MOST_POINTS)} end as trend, case when i.type = 'goal' then ${firstValue} end as first, ${projectJson} as project,
      case when i.type <> 'goal' and (i.type <> 'task' or num_nonnulls(i.release_id, i.requirement_id, i.parent_item_id) > 0)
        then ${pageForecastJson} end as forecast,
      ${itemTimeJson(caller)} as time, (select ${itemPlanJson} from self) as plan,
      ${streamNotesJson(caller, until)} as notes, ${commentTextsJson(caller, MOST_CHANGES, until)} as "commentTexts", ${streamJson(caller, MOST_CHANGES, until)} as history, ${approvedJson} as approved,
      ${watches} as watching, ${mentionableJson} as mentionable, ${awayJson} as away, ${seriesJson(own)} as series, ${runningTimerJson} as timer,
      ${othersTimersJson(caller)} as "othersTimers", clock_timestamp() as now ${from}`);
  return seen(row);
}

/** Throws like readShownItem. */
export async function readEditedItem(tx: Tx, caller: Caller, workspaceId: number, id: number) {
  const row = await tx.maybeOne(sql.type(Edited)`
    with ${found(caller, workspaceId, id)}
    select ${common}, coalesce((select ${linkChoicesJson} from self), '[]') as choices, ${historyJson(caller, 20)} as history ${from}`);
  return seen(row);
}

export async function readNewItem(tx: Tx, caller: Caller, workspaceId: number, types: ItemType[]) {
  const row = await tx.maybeOne(sql.type(New)`
    with ${accessTo(caller, workspaceId)}, readable as (select ${readableTypes} as types from access)
    select ${readerJson} as membership, ${optionsJson} as options, ${linkChoicesOf(sql.fragment`${sql.array(types, 'text')}`)} as choices,
      ${offeredLabelsJson} as offered
    from access cross join readable`);
  if (!row) throw new CredentialRefused();
  const { membership } = row;
  if (!membership) throw new Forbidden();
  return { ...row, membership };
}

function seen<Row extends z.infer<typeof Common>>(row: Row | null) {
  if (!row) throw new CredentialRefused();
  const { membership, item, context } = row;
  if (!membership || !item || !context) throw new Forbidden();
  return { ...row, membership, item, context };
}

export { mayHaveOlder } from '../comments/queries.ts';
export type { ItemFile } from '../files/itemFileQueries.ts';
export { type BelowRow, type BelowSums, MOST_BELOW, MOST_SUMMED, type Person } from '../items/belowTreeQueries.ts';
export type { Approval, ItemContext } from '../items/itemContextQueries.ts';
export { type LinkChoice, MOST_CHOICES } from '../items/placeQueries.ts';
export { type Dependency, MOST_DEPENDENCIES_SHOWN } from '../items/relationQueries.ts';
export type { RunningTimer } from '../time/reportQueries.ts';

const Input = z.strictObject({ workspaceId: Id, id: Id });
type Input = z.infer<typeof Input>;

/** `until`: returns only history before this moment. */
const ShowInput = Input.extend({ until: z.iso.datetime().optional() });

/** If the timer runs on another item, that item is not included. */
export type ShownItem = Omit<Awaited<ReturnType<typeof readShownItem>>, 'timer' | 'now' | 'forecast'> & { timer: TimeEntry | null };

export const showItem: Read<z.infer<typeof ShowInput>, ShownItem> = {
  name: 'showItem',
  input: ShowInput,
  async run(tx, caller, { workspaceId, id, until }) {
    const { timer, now, forecast, ...shown } = await readShownItem(tx, caller, workspaceId, id, until ?? null);
    keepUpToDate(tx, forecast);
    return { ...shown, timer: timer && asEntry(timer, now) };
  },
};

export type EditedItem = Awaited<ReturnType<typeof readEditedItem>>;

export const editItem: Read<Input, EditedItem> = {
  name: 'editItem',
  input: Input,
  run: (tx, caller, { workspaceId, id }) => readEditedItem(tx, caller, workspaceId, id),
};

const NewInput = z.strictObject({ workspaceId: Id, type: z.enum(itemTypes) });

export type NewItem = Awaited<ReturnType<typeof readNewItem>>;

export const startItem: Read<z.infer<typeof NewInput>, NewItem> = {
  name: 'startItem',
  input: NewInput,
  run: (tx, caller, { workspaceId, type }) => readNewItem(tx, caller, workspaceId, linkTypes(type)),
};
