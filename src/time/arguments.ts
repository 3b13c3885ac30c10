/** The arguments of svc_time: a flat object whose `action` decides which properties are allowed (behaviour §9.3). */
import { z } from 'zod';
import { argumentsByAction } from '../operations/input.ts';
import { CalendarDate, isDate } from '../values/dates.ts';
import { Id, Lines, longest, Text } from '../values/text.ts';

export const timeActions = ['start', 'stop', 'annotate', 'log', 'correct'] as const;

export const Revision = z
  .int('give the revision that you read')
  .min(1, 'give the revision that you read')
  .meta({ maximum: Number.MAX_SAFE_INTEGER });

export const EntryNote = Text(0, longest.line);

const instantShape = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;
const instantFault = 'give a moment since 1970 with its offset, such as 2026-03-31T09:30:00Z';
const isMoment = (text: string) => isDate(instantShape.exec(text)?.[1] ?? '') && Date.parse(text) >= 0;

/** An instant, converted to ISO 8601 in UTC with milliseconds. */
export const Moment = z
  .string({ error: instantFault })
  .refine(isMoment, { error: instantFault, abort: true })
  .overwrite((text) => new Date(text).toISOString())
  .meta({ format: 'date-time' });

const Minutes = z
  .int('give whole minutes from 1 to 1440')
  .min(1, 'give whole minutes from 1 to 1440')
  .max(1_440, 'give whole minutes from 1 to 1440');

const byAction = argumentsByAction({
  start: { required: ['itemId'], optional: ['note'] },
  stop: { required: ['entryId', 'revision'], optional: ['note'] },
  annotate: { required: ['entryId', 'revision', 'note'], optional: [] },
  log: { required: ['itemId', 'date', 'minutes'], optional: ['note'] },
  correct: { required: ['entryId', 'revision', 'reason'], optional: ['minutes', 'date', 'startedAt', 'endedAt', 'itemId', 'note'] },
});

export const TimeArguments = z
  .strictObject({
    action: z.enum(timeActions, `give one of ${timeActions.join(', ')}`),
    itemId: Id.optional(),
    entryId: Id.optional(),
    revision: Revision.optional(),
    note: EntryNote.optional(),
    date: CalendarDate.optional(),
    minutes: Minutes.optional(),
    startedAt: Moment.optional(),
    endedAt: Moment.optional(),
    reason: Lines(longest.line).optional(),
  })
  .check(byAction)
  // For a new entry, an omitted note and an empty note are the same request.
  .overwrite((given) =>
    (given.action === 'start' || given.action === 'log') && given.note === undefined ? { ...given, note: '' } : given,
  );
export type TimeArguments = z.infer<typeof TimeArguments>;

export interface Correction {
  action: 'correct';
  entryId: number;
  revision: number;
  reason: string;
  minutes?: number | undefined;
  date?: string | undefined;
  startedAt?: string | undefined;
  endedAt?: string | undefined;
  itemId?: number | undefined;
  note?: string | undefined;
}

export type TimeAction =
  | { action: 'start'; itemId: number; note: string }
  | { action: 'stop'; entryId: number; revision: number; note?: string | undefined }
  | { action: 'annotate'; entryId: number; revision: number; note: string }
  | { action: 'log'; itemId: number; date: string; minutes: number; note: string }
  | Correction;

export const asTimeAction = (input: TimeArguments): TimeAction => input as unknown as TimeAction;
