import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { accessToAll } from '../access/queries.ts';
import { bits } from '../access/rights.ts';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { MyTimeRow, ownTime, type TimeWindow, timeParts } from '../plans/myTimeQueries.ts';
import { EarlierEntry } from '../time/schema.ts';
import { earlierJson } from '../time/versionQueries.ts';
import { CredentialRefused } from '../values/errors.ts';
import { Choice, knownChoices, knownWork, namedChoice } from './workForTimeQueries.ts';

const TIME_WRITE = bits('time', 'write');
const PLANS_WRITE = bits('plans', 'write');
const MOST_CHOICES = 50;

const Row = MyTimeRow.extend({
  now: z.string(),
  weeklyMinutes: z.number().nullable(),
  chosen: Choice.nullable(),
  choices: z.array(Choice),
  earlier: z.array(EarlierEntry),
  rights: z.array(z.object({ workspaceId: z.number(), rights: z.number() })),
});
export type WeekRow = z.infer<typeof Row>;

/** `itemId`: the preselected item of the forms. Throws Unauthenticated. */
export async function readMyWeek(tx: Tx, caller: Caller, window: TimeWindow, itemId: number | null): Promise<WeekRow> {
  const row = await tx.maybeOne(sql.type(Row)`
    with ${accessToAll(caller)}, ${timeParts(window)},
    ${knownWork(sql.fragment`rights & ${TIME_WRITE} = ${TIME_WRITE} or rights & ${PLANS_WRITE} = ${PLANS_WRITE}`)}
    select ${ownTime(window)}, clock_timestamp() as now, u.weekly_minutes as "weeklyMinutes",
      ${earlierJson} as earlier, ${namedChoice(itemId)} as chosen, ${knownChoices([], MOST_CHOICES)} as choices,
      (select coalesce(json_agg(json_build_object('workspaceId', workspace_id, 'rights', rights)), '[]') from access) as rights
    from who join users u on u.id = who.user_id`);
  if (!row) throw new CredentialRefused();
  return row;
}
