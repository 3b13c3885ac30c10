/** A person's own profile: name, time zone, page settings (behaviour §22.3). */
import { z } from 'zod';
import { type AccountPermit, asMember } from '../access/accountAccessQueries.ts';
import { aboutSelf } from '../audit/line.ts';
import type { Read, Write } from '../operations/operation.ts';
import { Zone } from '../values/dates.ts';
import { Label } from '../values/text.ts';
import { type Profile, readProfile, setFirstStepsDone, setProfile, takeZone } from './profileQueries.ts';
import { markForecastsOf } from './queries.ts';
import { themes } from './schema.ts';
import { setTheme } from './sessionQueries.ts';

export type { Profile } from './profileQueries.ts';

const Nothing = z.strictObject({});

export const getProfile: Read<z.infer<typeof Nothing>, Profile> = { name: 'getProfile', input: Nothing, run: readProfile };

const Changed = z.strictObject({ name: Label(200), timezone: Zone, singleKeys: z.boolean(), theme: z.enum(themes) });

export const saveProfile: Write<z.infer<typeof Changed>, void, AccountPermit> = {
  name: 'saveProfile',
  input: Changed,
  authorize: asMember,
  audit: [{ kind: 'user.changed', about: aboutSelf }],
  async run(tx, { userId }, change) {
    await setProfile(tx, userId, change);
    await setTheme(tx, userId, change.theme);
    await markForecastsOf(tx, userId);
  },
};

const Detected = z.strictObject({ timezone: Zone });

export const detectZone: Write<z.infer<typeof Detected>, void, AccountPermit> = {
  name: 'detectZone',
  input: Detected,
  authorize: asMember,
  audit: [{ kind: 'user.changed', about: aboutSelf }],
  async run(tx, { userId }, { timezone }) {
    if (await takeZone(tx, userId, timezone)) await markForecastsOf(tx, userId);
  },
};

export const dismissFirstSteps: Write<z.infer<typeof Nothing>, void, AccountPermit> = {
  name: 'dismissFirstSteps',
  input: Nothing,
  authorize: asMember,
  run: (tx, { userId }) => setFirstStepsDone(tx, userId),
};

/** The theme of a person, stored with the user so that it applies on all devices (behaviour §18.10). */
const Chosen = z.strictObject({ theme: z.enum(themes) });

export const chooseTheme: Write<z.infer<typeof Chosen>, void, AccountPermit> = {
  name: 'chooseTheme',
  input: Chosen,
  authorize: asMember,
  run: (tx, { userId }, { theme }) => setTheme(tx, userId, theme),
};
