/** Redirects to the week with the new entry or block, which is highlighted there (behaviour §20.9). */
import type { PlanBlock } from '../../plans/schema.ts';
import type { TimeEntry } from '../../time/schema.ts';
import { weekRange } from '../../values/dates.ts';
import type { Redirect } from '../frame/page.ts';

export type SavedTime = { entry: TimeEntry } | { block: PlanBlock };

export const entryAnchor = (id: number) => `entry-${id}`;
export const blockAnchor = (id: number) => `block-${id}`;

const dayOf = (landed: SavedTime): string => ('entry' in landed ? landed.entry.date : landed.block.startLocal.slice(0, 10));
const anchorOf = (landed: SavedTime): string => ('entry' in landed ? entryAnchor(landed.entry.id) : blockAnchor(landed.block.id));

export function landing(landed: SavedTime): Redirect {
  return { redirect: `/my?week=${weekRange(dayOf(landed)).from}&landed=${anchorOf(landed)}` };
}
