/** Workspaces and their options in the API: behaviour §5.1, §5.18. */
import { z } from 'zod';
import { itemTypes } from '../access/rights.ts';
import { Id } from '../values/text.ts';
import { statuses } from './statuses.ts';

export const Workspace = z.strictObject({ id: Id, name: z.string(), uuid: z.uuid(), sample: z.boolean() }).meta({ id: 'Workspace' });

export const Options = z
  .strictObject({
    statuses: z.array(
      z.strictObject({
        key: z.string(),
        label: z.string(),
        status: z.enum(statuses),
        types: z.array(z.enum(itemTypes)),
        closed: z.boolean(),
        approval: z.boolean().meta({ description: 'Reached or left on the web pages alone.' }),
      }),
    ),
    priorities: z.array(z.strictObject({ key: z.string(), label: z.string(), rank: z.int(), default: z.boolean() })),
    assignees: z.array(z.strictObject({ id: Id, name: z.string() })),
  })
  .meta({ id: 'Options' });
export type Options = z.infer<typeof Options>;

/** Who sees dates and outlooks of a workspace's forecasts on pages (behaviour §6.30). */
export const forecastReaders = ['oversight', 'members'] as const;
export type ForecastReaders = (typeof forecastReaders)[number];

const limit = (most: number) => {
  const error = `give a whole number from 1 to ${most.toLocaleString('en')}, or nothing`;
  return z.int(error).min(1, error).max(most, error).nullable();
};
/** Limits of work in progress in a column of the board, null for none (behaviour §38.1). */
export const WipLimits = z.object({ wipItems: limit(400), wipHours: limit(10_000) });
export type WipLimits = z.infer<typeof WipLimits>;
