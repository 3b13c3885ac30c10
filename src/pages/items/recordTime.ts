/** Logging and planning time from an item's page (behaviour §21.10). */
import type { Operation } from '../../operations/operation.ts';
import { planBlock } from '../../plans/planBlock.ts';
import { readLine } from '../../time/quickLine.ts';
import { logStretch } from '../../time/stretch.ts';
import { trackTime } from '../../time/trackTime.ts';
import { instantToLocal, localToInstant, todayIn } from '../../values/dates.ts';
import { InvalidRequest } from '../../values/errors.ts';
import type { Answer, PageRequest } from '../frame/page.ts';
import { call } from '../frame/session.ts';
import { orAgain, submitted } from '../frame/submitted.ts';
import { type SavedTime, toldOf } from '../my/landing.ts';
import { hereInList } from './pageOf.ts';
import { formRefusal } from './show.ts';

interface Asked {
  operation: Operation<object, SavedTime>;
  input: object;
}

export const logTime = (request: PageRequest): Promise<Answer> =>
  orAgain(async () => {
    const { operation, input } = readAsked(request);
    return { redirect: hereInList(request), ...toldOf(await call(request, operation, input)) };
  }, formRefusal(request));

/** Reads the form's line about time. Throws InvalidRequest. */
export function readAsked(request: PageRequest): Asked {
  const now = Date.now();
  const zone = request.user.timezone;
  const itemId = Number(request.params.itemId);
  // A colon before a note is followed by a space; a colon in a time is not.
  const read = readLine(request.form.text('line').replace(/:(?=\s)/g, ' '), instantToLocal(now, zone));
  if ('problem' in read) throw new InvalidRequest(['line'], lower(read.problem));
  const { line } = read;
  if (line.id !== null && line.id !== itemId)
    throw new InvalidRequest(['line'], `this line names #${line.id}. Open that item to log time on it.`);
  const note = [line.words, line.note]
    .filter(Boolean)
    .join(' ')
    .replace(/^[:,;-]\s*/, '');
  if (line.kind === 'duration') {
    // Time entries use UTC days. If the user's day is ahead of UTC, the entry gets the UTC day (behaviour §9.1).
    const utc = todayIn('UTC', now);
    const input = { action: 'log', itemId, date: line.date < utc ? line.date : utc, minutes: line.minutes, note };
    return { operation: trackTime, input };
  }
  const { startLocal, endLocal } = line;
  if (!line.past) return { operation: planBlock, input: { action: 'create', itemId, startLocal, endLocal, timezone: zone, note } };
  return {
    operation: logStretch,
    input: { itemId, startedAt: instantOf(startLocal, zone), endedAt: instantOf(endLocal, zone), note },
  };
}

const lower = (sentence: string) => sentence.slice(0, 1).toLowerCase() + sentence.slice(1);

function instantOf(local: string, zone: string): string {
  const instant = localToInstant(local, zone);
  if (instant === 'skipped')
    throw new InvalidRequest(['line'], 'this hour does not exist because of the clock change in your time zone. Choose another time.');
  return instant;
}

export const planTime = (request: PageRequest): Promise<Answer> =>
  submitted(
    request,
    planBlock,
    (form) => ({
      action: 'create',
      itemId: Number(request.params.itemId),
      startLocal: form.text('startLocal'),
      endLocal: form.text('endLocal'),
      timezone: request.user.timezone,
      note: form.text('note'),
    }),
    { done: (block) => ({ redirect: hereInList(request), ...toldOf(block) }), ...formRefusal(request) },
  );
