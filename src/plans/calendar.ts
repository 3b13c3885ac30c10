/** A user's plan blocks as a calendar feed with a secret, revocable URL (behaviour §25.3). */
import { z } from 'zod';
import { type AccountPermit, inAccount } from '../access/accountAccessQueries.ts';
import type { Caller } from '../access/caller.ts';
import { hashSecret, newSecret } from '../access/secrets.ts';
import type { Tx } from '../database/db.ts';
import type { Read, Write } from '../operations/operation.ts';
import { addDays, todayIn } from '../values/dates.ts';
import { Forbidden } from '../values/errors.ts';
import { type CalendarFeed, deleteFeed, putFeed, readFeed, readShownBlocks, useFeed } from './calendarQueries.ts';
import { asBlock, type PlanBlock } from './schema.ts';

export type { CalendarFeed } from './calendarQueries.ts';

const Nothing = z.strictObject({});
type Nothing = Record<string, never>;
const anybody = (tx: Tx, caller: Caller) => inAccount(tx, caller, ['owner', 'admin', 'member']);
const self = ({ userId }: AccountPermit) => ({ type: 'user', id: userId }) as const;

export const getCalendarFeed: Read<Nothing, CalendarFeed | null> = {
  name: 'getCalendarFeed',
  input: Nothing,
  run: async (tx, caller) => readFeed(tx, await anybody(tx, caller)),
};

/** Returns the secret, which is never shown again. An older URL stops working. */
export const makeCalendarFeed: Write<Nothing, { secret: string }, AccountPermit> = {
  name: 'makeCalendarFeed',
  input: Nothing,
  authorize: anybody,
  audit: [{ kind: 'calendar.made', about: self, event: true }],
  async run(tx, permit) {
    const { secret, hash } = newSecret('calendar');
    await putFeed(tx, permit, hash);
    return { secret };
  },
};

export const endCalendarFeed: Write<Nothing, void, AccountPermit> = {
  name: 'endCalendarFeed',
  input: Nothing,
  authorize: anybody,
  audit: [{ kind: 'calendar.ended', about: self, event: true }],
  run: deleteFeed,
};

const DAYS_BACK = 30;
const DAYS_AHEAD = 365;

/** Rows per statement. */
const AT_ONCE = 100;

/** `before`: the last block of the previous page. */
const Presented = z.strictObject({ token: z.string().max(200), before: z.object({ startsAt: z.string(), id: z.number() }).optional() });

export interface CalendarPage {
  userId: number;
  blocks: PlanBlock[];
  hasMore: boolean;
}

/** A page of the blocks without cancelled ones, from 30 days ago for a year, the latest first, with the owner's current rights. Throws
 *  Forbidden for an unknown URL. */
export const readCalendar: Read<z.infer<typeof Presented>, CalendarPage> = {
  name: 'readCalendar',
  input: Presented,
  async run(tx, _caller, { token, before }) {
    const userId = await useFeed(tx, hashSecret(token));
    if (userId === null) throw new Forbidden();
    const today = todayIn('UTC', Date.now());
    const window = { starts: `${addDays(today, -DAYS_BACK)}T00:00:00Z`, ends: `${addDays(today, DAYS_AHEAD)}T00:00:00Z` };
    const blocks = await readShownBlocks(tx, { kind: 'user', userId }, window, { before, limit: AT_ONCE });
    return { userId, blocks: blocks.map(asBlock), hasMore: blocks.length === AT_ONCE };
  },
};
