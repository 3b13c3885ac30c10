import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { accessTo } from '../access/queries.ts';
import { holds, type ItemType, WORKSPACES_READ } from '../access/rights.ts';
import { Explained } from '../capacity/forecast/schema.ts';
import { historyJson, streamJson } from '../changes/queries.ts';
import { ItemChange } from '../changes/schema.ts';
import { StreamNote, streamNotesJson } from '../comments/streamQueries.ts';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { approvedJson } from '../items/approvalQueries.ts';
import { Approved } from '../items/approved.ts';
import { BelowRow, BelowSums, belowCtes, belowRowsJson, belowSumsJson } from '../items/belowTreeQueries.ts';
import { projectJson, Stands } from '../items/forecastQueries.ts';
import { RecordedTrend } from '../items/goalTrend.ts';
import { firstValue, trendJson } from '../items/goalTrendQueries.ts';
import { ItemContext, itemContextJson } from '../items/itemContextQueries.ts';
import { LinkChoice, linkChoicesJson, linkChoicesOf } from '../items/linkChoiceQueries.ts';
import { visible, visibleWork } from '../items/queries.ts';
import { Rice, riceJson } from '../items/riceQueries.ts';
import { StoredWork } from '../items/schema.ts';
import { Mentionable, mentionableJson } from '../notifications/mentionQueries.ts';
import { watches } from '../notifications/watchQueries.ts';
import { ItemPlan, itemPlanJson } from '../plans/itemPlanQueries.ts';
import { ItemTime, itemTimeJson, othersTimersJson, RunningTimer } from '../time/itemTimeQueries.ts';
import { runningTimerJson } from '../time/queries.ts';
import { EntryRow } from '../time/schema.ts';
import { CredentialRefused, Forbidden } from '../values/errors.ts';
import { membershipJson, WorkspaceMembership } from '../workspaces/membershipQueries.ts';
import { optionsJson, readableTypes } from '../workspaces/queries.ts';
import { Options } from '../workspaces/schema.ts';

const Common = z.object({
  membership: WorkspaceMembership.nullable(),
  item: StoredWork.nullable(),
  context: ItemContext.nullable(),
  options: Options,
});
/** `explained` is stored by a noun that items must not import. */
const Project = Stands.extend({ explained: Explained.nullable() });
export type Project = z.infer<typeof Project>;

const Shown = Common.extend({
  below: z.array(BelowRow),
  sums: BelowSums,
  rice: Rice.nullable(),
  trend: RecordedTrend.nullable(),
  first: z.number().nullable(),
  project: Project.nullable(),
  time: ItemTime,
  plan: ItemPlan.nullable(),
  notes: z.array(StreamNote).nullable(),
  history: z.object({ changes: z.array(ItemChange), people: z.record(z.string(), z.string()) }),
  approved: Approved.nullable(),
  watching: z.boolean(),
  mentionable: z.array(Mentionable),
  timer: EntryRow.nullable(),
  othersTimers: z.array(RunningTimer).nullable(),
  now: z.string(),
});
const Edited = Common.extend({ choices: z.array(LinkChoice), history: z.array(ItemChange) });

const MOST_POINTS = 60;
export const MOST_CHANGES = 200;

const New = Edited.pick({ membership: true, options: true, choices: true });

const found = (caller: Caller, workspaceId: number, id: number) => sql.fragment`
  ${accessTo(caller, workspaceId)},
  readable as (select ${readableTypes} as types from access),
  self as (select i.* from items i, access where i.id = ${id} and ${visible})`;
const common = sql.fragment`
  ${membershipJson} as membership, case when i.id is not null then ${visibleWork} end as item,
  (select ${itemContextJson} from self) as context, ${optionsJson} as options`;
const from = sql.fragment`from access cross join readable left join self i on true left join users a on a.id = i.assignee_id`;

/** `until` limits comments and changes to earlier ones. Throws Unauthenticated; Forbidden if the item is not visible in this workspace. */
export async function readShownItem(tx: Tx, caller: Caller, workspaceId: number, id: number, until: string | null) {
  const row = await tx.maybeOne(sql.type(Shown)`
    with ${found(caller, workspaceId, id)}, ${belowCtes}
    select ${common}, ${belowRowsJson} as below, ${belowSumsJson} as sums, ${riceJson} as rice,
      case when i.type = 'goal' then ${trendJson(MOST_POINTS)} end as trend, case when i.type = 'goal' then ${firstValue} end as first, ${projectJson} as project,
      ${itemTimeJson} as time, (select ${itemPlanJson} from self) as plan,
      ${streamNotesJson(until)} as notes, ${streamJson(caller, MOST_CHANGES, until)} as history, ${approvedJson} as approved,
      ${watches} as watching, ${mentionableJson} as mentionable, ${runningTimerJson} as timer,
      ${othersTimersJson} as "othersTimers", clock_timestamp() as now ${from}`);
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
    select ${membershipJson} as membership, ${optionsJson} as options, ${linkChoicesOf(sql.fragment`${sql.array(types, 'text')}`)} as choices
    from access cross join readable`);
  if (!row) throw new CredentialRefused();
  const { membership } = row;
  if (!membership || !holds(membership.rights, WORKSPACES_READ)) throw new Forbidden();
  return { ...row, membership };
}

function seen<Row extends z.infer<typeof Common>>(row: Row | null) {
  if (!row) throw new CredentialRefused();
  const { membership, item, context } = row;
  if (!membership || !holds(membership.rights, WORKSPACES_READ) || !item || !context) throw new Forbidden();
  return { ...row, membership, item, context };
}
