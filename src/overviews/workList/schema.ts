/** Parts of the output of list pages (behaviour §19.1). */
import { z } from 'zod';
import { itemTypes } from '../../access/rights.ts';
import { Explained, Outlook } from '../../capacity/forecast/schema.ts';
import { Person as BelowPerson } from '../../items/belowTreeQueries.ts';
import { ShownForecast as SummedForecast } from '../../items/forecastQueries.ts';
import { ItemLabel } from '../../workspaces/labelSchema.ts';

export const Person = BelowPerson.partial({ left: true });
export type Person = z.infer<typeof Person>;

export const ShownForecast = SummedForecast.extend({ outlook: Outlook, explained: Explained.nullish() });
export type ShownForecast = z.infer<typeof ShownForecast>;

export const ListLabel = ItemLabel.extend({ archived: z.boolean() });
export type ListLabel = z.infer<typeof ListLabel>;

export const NamedItem = z.object({ id: z.number(), type: z.enum(itemTypes), title: z.string() });

export const ListGroup = z.object({
  /** A status or priority key, a user or item id, or a due date range; '' for none. */
  key: z.string(),
  count: z.number(),
  /** True if counting stopped early. The hours are then invalid and may be 0. */
  more: z.boolean(),
  estimated: z.number(),
  remaining: z.number(),
});
export type ListGroup = z.infer<typeof ListGroup>;
