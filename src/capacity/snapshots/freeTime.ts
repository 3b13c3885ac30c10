/** Assignees of a workspace with the free hours of the newest forecast (behaviour §40.3). */
import { z } from 'zod';
import type { Caller } from '../../access/caller.ts';
import type { Tx } from '../../database/db.ts';
import type { Listens } from '../../database/listen.ts';
import type { Read } from '../../operations/operation.ts';
import { addDays, CalendarDate, mondayOf } from '../../values/dates.ts';
import { inPieces } from '../../values/pieces.ts';
import { Id } from '../../values/text.ts';
import { freeHoursOf, type PersonLine } from '../forecast/outline.ts';
import { type FreeRow, readFree, readFreeDays } from './freeTimeQueries.ts';
import { onceComputed, Readers } from './getCapacity.ts';

const PeopleInput = z.strictObject({ workspaceId: Id });
const UntilInput = PeopleInput.extend({ personId: Id, until: CalendarDate });

export interface Candidate {
  id: number;
  kind: 'person' | 'service';
  /** Last day of an absence that covers today. */
  awayUntil: string | null;
  /** Of this week; null without a forecast or confirmed hours, or if the caller may not oversee capacity. */
  freeHours: number | null;
}

interface FreeUntil {
  name: string;
  hours: number;
}

interface FreeTime {
  listCandidates: Read<z.infer<typeof PeopleInput>, Candidate[]>;
  /** Free hours of an assignee from today to a day, included: of each week what the forecast leaves, at most the working hours of these
   *  days. Null without a forecast or confirmed hours, for past days, and beyond the forecast's weeks. */
  readFreeUntil: Read<z.infer<typeof UntilInput>, FreeUntil | null>;
}

/** `waitMs`: how long a caller waits for a forecast that is not computed yet. */
export function freeTime(listener: Listens, waitMs: number): FreeTime {
  const readers = new Readers();
  const read = async (tx: Tx, caller: Caller, workspaceId: number): Promise<FreeRow> => {
    let found = await readFree(tx, caller, workspaceId);
    if (found.missing) {
      const look = async () => {
        found = await readFree(tx, caller, workspaceId);
        return found.missing;
      };
      await onceComputed(tx, look, listener, waitMs);
    }
    if (found.forecastId !== null) readers.note(tx, found.forecastId);
    return found.row;
  };
  return {
    listCandidates: {
      name: 'listCandidates',
      input: PeopleInput,
      async run(tx, caller, { workspaceId }) {
        const row = await read(tx, caller, workspaceId);
        const lines = await linesOf(row);
        return row.people.map((person) => {
          const line = lines.get(person.id);
          const week = line?.confirmed ? line.weeks[0] : undefined;
          return { ...person, freeHours: week ? freeHoursOf(week) : null };
        });
      },
    },
    readFreeUntil: {
      name: 'readFreeUntil',
      input: UntilInput,
      async run(tx, caller, { workspaceId, personId, until }) {
        const row = await read(tx, caller, workspaceId);
        const line = row.people.some(({ id }) => id === personId) ? (await linesOf(row)).get(personId) : undefined;
        return line?.confirmed ? freeUntil(tx, line, row.today, until) : null;
      },
    },
  };
}

/** Hundreds of people with all their work. */
async function linesOf({ pages }: FreeRow): Promise<Map<number, PersonLine>> {
  const read = await inPieces(pages, (text): PersonLine[] => JSON.parse(text), 1);
  return new Map(read.flat().map((person) => [person.id, person]));
}

async function freeUntil(tx: Tx, { id, name, weeks }: PersonLine, today: string, until: string): Promise<FreeUntil | null> {
  if (until < today || mondayOf(until) > (weeks.at(-1)?.week ?? '')) return null;
  const counted = weeks.filter(({ week }) => week <= until);
  const sunday = (monday: string) => addDays(monday, 6);
  const spans = counted.map(({ week }) => ({ from: week < today ? today : week, to: until < sunday(week) ? until : sunday(week) }));
  const days = await readFreeDays(tx, id, spans);
  const minutes = counted.map((week, at) => Math.min(Math.round(freeHoursOf(week) * 60), days[at] ?? 0));
  return { name, hours: minutes.reduce((sum, one) => sum + one, 0) / 60 };
}
