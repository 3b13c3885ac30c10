/** Public holidays of a country or a part of it (behaviour §34.5). They are computed in a thread and stored when a region is chosen. */
import { z } from 'zod';
import { asMember, inAccount } from '../access/accountAccessQueries.ts';
import type { Caller, Permit } from '../access/caller.ts';
import type { Db, Tx } from '../database/db.ts';
import type { Read, Write } from '../operations/operation.ts';
import { InvalidRequest, Unavailable } from '../values/errors.ts';
import { HelperThread, threadLimits } from '../values/helperThread.ts';
import { Id } from '../values/text.ts';
import { chosenRegions, setRegion, storeHolidays } from './workingTimeQueries.ts';
import { mayPlan } from './workingTimes.ts';

/** `half`: from about noon. */
const Days = z.array(z.object({ day: z.string(), half: z.boolean(), name: z.string() }));
export type Holiday = z.infer<typeof Days>[number];
interface RegionName {
  id: string;
  name: string;
}
export type HolidayQuestion = { ask: 'regions' } | { ask: 'days'; region: string; from: number; to: number };
export type HolidayAnswer = { regions: RegionName[] } | { days: Holiday[] | null };

const thread = new HelperThread<HolidayQuestion, HolidayAnswer>(new URL('./holidayThread.ts', import.meta.url), threadLimits.holidays);
const MOST_WAITING = 8;

async function ask(question: HolidayQuestion): Promise<HolidayAnswer> {
  const busy = () => new Unavailable('The server is busy computing holidays. Try again in a few seconds.', 2);
  if (thread.waiting >= MOST_WAITING) throw busy();
  return thread.ask(question).catch((error: unknown) => {
    throw Object.assign(busy(), { cause: error });
  });
}

/** No public holidays, although the account may have some. */
export const NO_HOLIDAYS = 'none';
export const HolidayRegion = z
  .string({ error: 'choose a country or region' })
  .regex(/^(none|[A-Z]{2}(-[A-Z0-9]{1,10}){0,2})$/, 'choose a country or region');

/** Years after this one for which holidays are stored: as many as a forecast may reach. */
const YEARS_AHEAD = 10;

const thisYear = (): number => new Date().getUTCFullYear();

export async function holidaysOf(region: string, from = thisYear() - 1, to = thisYear() + YEARS_AHEAD): Promise<Holiday[]> {
  if (region === NO_HOLIDAYS) return [];
  const answer = await ask({ ask: 'days', region, from, to });
  const days = 'days' in answer ? answer.days : null;
  if (!days) throw new InvalidRequest(['region'], 'is unknown. Choose a country or region from the list.');
  return days;
}

const ListInput = z.strictObject({ region: HolidayRegion.nullish() });

export interface ListedHolidays {
  regions: RegionName[];
  /** Holidays of `region`, this year and next. */
  days: Holiday[];
}

/** Names of regions, and the holidays of one, for a preview. */
export const listHolidays: Read<z.infer<typeof ListInput>, ListedHolidays> = {
  name: 'listHolidays',
  input: ListInput,
  async run(tx, caller, { region }) {
    await asMember(tx, caller);
    const answer = await ask({ ask: 'regions' });
    return { regions: 'regions' in answer ? answer.regions : [], days: region ? await holidaysOf(region, thisYear(), thisYear() + 1) : [] };
  },
};

/** `userId` null: for the account. `region` null: a person has the account's, the account none. */
const ChooseInput = z.strictObject({ userId: Id.nullable(), region: HolidayRegion.nullable() });
type ChooseInput = z.infer<typeof ChooseInput>;

const authorize = (tx: Tx, caller: Caller, { userId }: ChooseInput): Promise<Permit> =>
  userId === null ? inAccount(tx, caller, ['owner', 'admin']) : mayPlan(tx, caller, userId);

export const chooseHolidays: Write<ChooseInput, void> = {
  name: 'chooseHolidays',
  input: ChooseInput,
  authorize,
  audit: [
    {
      kind: 'holidays.chosen',
      event: true,
      about: ({ accountId }, { userId }) => (userId === null ? { type: 'account', id: accountId } : { type: 'user', id: userId }),
    },
  ],
  prepare: async (_permit, { region }) => (region === null ? [] : await holidaysOf(region)),
  async run(tx, { accountId }, { userId, region }, prepared) {
    if (region !== null) await storeHolidays(tx, region, Days.parse(prepared));
    await setRegion(tx, accountId, userId, region);
  },
};

/** Adds the coming years, and corrections of a newer version, for all chosen regions. */
export async function renewHolidays(db: Db, signal: AbortSignal): Promise<void> {
  for (const region of await chosenRegions(db.pool())) {
    signal.throwIfAborted();
    const days = await holidaysOf(region);
    await db.transaction((tx) => storeHolidays(tx, region, days));
  }
}
