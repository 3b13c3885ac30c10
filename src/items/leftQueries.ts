/** SQL of what is left of an item's estimate (behaviour §6.8). Rows of items are named by their alias; they need the columns id, closed,
 *  estimated_hours and progress_percent. The forecast has the same rule for numbers (capacity/forecast/exact.ts). */

/** Minutes that all users recorded on an item, null for none. Without running timers. */
export const recordedMinutes = (row: string): string =>
  `(select sum(spent.minutes) from time_entries spent where spent.item_id = ${row}.id)`;

// As text, because a cast of the float keeps only 15 digits.
const exact = (number: string) => `${number}::text::numeric`;

/** Whole minutes, null without an estimate, 0 for a closed item. */
const leftMinutes = (row: string): string => `(case
  when ${row}.estimated_hours is null then null
  when ${row}.closed then 0
  when ${row}.progress_percent is not null then ceil(0.6 * ${exact(`${row}.estimated_hours`)} * (100 - ${exact(`${row}.progress_percent`)}))
  else greatest(0, ceil(60 * ${exact(`${row}.estimated_hours`)}) - coalesce(${recordedMinutes(row)}, 0)) end)`;

export const leftHours = (row: string): string => `(${leftMinutes(row)} / 60)::float8`;
