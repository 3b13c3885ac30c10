/** Assignees of a workspace with their free hours by the newest forecast (behaviour §40.3). */
import { z } from 'zod';
import type { Listens } from '../../database/listen.ts';
import type { Read } from '../../operations/operation.ts';
import { addDays, CalendarDate, mondayOf } from '../../values/dates.ts';
import { inPieces } from '../../values/pieces.ts';
import { Id } from '../../values/text.ts';
import { freeOf, type PersonLine } from '../forecast/outline.ts';
import { type FreeRow, readFree } from './freeTimeQueries.ts';
import { onceComputed, Readers } from './getCapacity.ts';

const MOST_SPANS = 10;
const FreeInput = z.strictObject({
  workspaceId: Id,
  spans: z
    .array(z.strictObject({ from: CalendarDate.optional(), until: CalendarDate }))
    .min(1)
    .max(MOST_SPANS),
});

export interface Candidate {
  id: number;
  name: string;
  kind: 'person' | 'service';
  /** Last day of an absence that covers today. */
  awayUntil: string | null;
  /** Of each span; null without a forecast or confirmed hours, for past spans, beyond the forecast's weeks, or if the caller may not oversee
   *  capacity. */
  freeHours: (number | null)[];
}

export type ListFree = Read<z.infer<typeof FreeInput>, Candidate[]>;

/** The day until which free hours count if no date is given: Friday, from Saturday on the next one. */
export function usualUntil(today: string): string {
  const friday = addDays(mondayOf(today), 4);
  return friday < today ? addDays(friday, 7) : friday;
}

/** `waitMs`: how long a caller waits for a forecast that is not computed yet. */
export function listFree(listener: Listens, waitMs: number): ListFree {
  const readers = new Readers();
  return {
    name: 'listFree',
    input: FreeInput,
    async run(tx, caller, { workspaceId, spans }) {
      let found = await readFree(tx, caller, workspaceId);
      if (found.missing) {
        const look = async () => {
          found = await readFree(tx, caller, workspaceId);
          return found.missing;
        };
        await onceComputed(tx, look, listener, waitMs);
      }
      if (found.forecastId !== null) readers.note(tx, found.forecastId);
      const lines = await linesOf(found.row);
      return found.row.people.map((person) => {
        const line = lines.get(person.id);
        const free = (span: (typeof spans)[number]) => (line?.confirmed ? (freeOf(line, found.row.today, span)?.hours ?? null) : null);
        return { ...person, freeHours: spans.map(free) };
      });
    },
  };
}

/** Hundreds of people with all their work. */
async function linesOf({ pages }: FreeRow): Promise<Map<number, PersonLine>> {
  const read = await inPieces(pages, (text): PersonLine[] => JSON.parse(text), 1);
  return new Map(read.flat().map((person) => [person.id, person]));
}
