/** The forms of /my. They use the same operations as agents (behaviour §20.10). */

import type { Operation } from '../../operations/operation.ts';
import { type BlockResult, planBlock } from '../../plans/planBlock.ts';
import { restoreBlock } from '../../plans/restoreBlock.ts';
import { minutesOf } from '../../time/schema.ts';
import { switchTimer } from '../../time/timer.ts';
import { type TimeResult, trackTime } from '../../time/trackTime.ts';
import { resumeTimer, undoEntry } from '../../time/undo.ts';
import { isLocalDateTime, localToInstant } from '../../values/dates.ts';
import { InvalidRequest } from '../../values/errors.ts';
import type { Form } from '../frame/forms.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { backOf } from '../frame/session.ts';
import { type Refusal, submitted } from '../frame/submitted.ts';
import { undoOf } from '../frame/toast.ts';
import { dayOf, showDay } from './day.ts';
import { blockOf as blockIn, labels, landing, PATH } from './landing.ts';
import { showMy, showSwitch } from './page.ts';
import { withWork } from './work.ts';

type Values = Record<string, unknown>;

interface Sent<Output> {
  operation: Operation<object, Output>;
  input: (form: Form) => Values | Promise<Values>;
  done: (output: Output) => Answer;
  again?: typeof showMy;
}

const change = <Output>(request: PageRequest, { operation, input, done, again = showMy }: Sent<Output>): Promise<Answer> =>
  submitted(request, operation, input, { done, labels, again: (refusal) => again(request, refusal) });

function backTo(request: PageRequest, notice: string, undo?: string): Answer {
  const week = request.form.text('week');
  return { redirect: backOf(request, /^\d{4}-\d{2}-\d{2}$/.test(week) ? `${PATH}?week=${week}` : PATH), notice, ...(undo && { undo }) };
}

const entryOf = (form: Form) => ({ entryId: form.id('entryId'), revision: form.id('revision') });
/** Absent if the form has no note field, so that the stored note stays. */
const noteOf = (form: Form): Values => (form.has('note') ? { note: form.text('note') } : {});

const loggedIn = (form: Form): Values => ({ date: form.text('date'), minutes: minutesOf(form.text('minutes')) });

/** Only the changed fields. Times are entered to the minute in the user's time zone. */
function corrected(form: Form, zone: string): Values {
  const differs = (name: string) => form.has(name) && form.text(name) !== form.text(`was-${name}`);
  return {
    ...(differs('date') ? { date: form.text('date') } : {}),
    ...(differs('minutes') ? { minutes: minutesOf(form.text('minutes')) } : {}),
    ...(differs('startedAt') ? { startedAt: momentOf(form, 'startedAt', zone) } : {}),
    ...(differs('endedAt') ? { endedAt: momentOf(form, 'endedAt', zone) } : {}),
  };
}

/** Throws InvalidRequest for local times skipped by a clock change. Malformed input is left to the schema. */
function momentOf(form: Form, name: string, zone: string): string {
  const local = form.text(name);
  if (!isLocalDateTime(local)) return local;
  const instant = localToInstant(local, zone);
  if (instant === 'skipped')
    throw new InvalidRequest([name], `the clocks in ${zone} skip ${local.slice(11)}. Choose an earlier or later time.`);
  return instant;
}

const flags = ['autoStart', 'autoStop', 'remindStart', 'remindEnd'];
const timesOf = (sent: Form): Values => ({ startLocal: sent.text('startLocal'), endLocal: sent.text('endLocal') });
const blockOf = (sent: Form): Values => ({ blockId: sent.id('blockId'), revision: sent.id('revision') });

const newBlock = (sent: Form): Values => ({
  action: 'create',
  ...timesOf(sent),
  timezone: sent.text('timezone'),
  note: sent.text('note'),
  ...Object.fromEntries(flags.map((name) => [name, sent.has(name)])),
  ...(sent.has('remindStart') && sent.has('remindMinutes') && { remindMinutes: sent.number('remindMinutes') }),
});

/** Undo in the toast after recording or planning (behaviour §23.10). */
function undo(request: PageRequest): Promise<Answer> {
  const outcomes = {
    done: () => ({ redirect: backOf(request), notice: 'undone' }),
    again: (refusal: Refusal) => showMy(request, refusal),
  };
  switch (request.form.text('what')) {
    case 'time':
      return submitted(request, undoEntry, entryOf, outcomes);
    case 'stopped':
      return submitted(request, resumeTimer, entryOf, outcomes);
    case 'moved':
      return submitted(request, planBlock, (sent) => ({ action: 'move', ...blockOf(sent), ...timesOf(sent) }), outcomes);
    case 'cancelled':
      return submitted(request, restoreBlock, blockOf, outcomes);
    default:
      return submitted(request, planBlock, (sent) => ({ action: 'cancel', ...blockOf(sent) }), outcomes);
  }
}

/** By path below /my. */
const forms: Record<string, (request: PageRequest) => Promise<Answer>> = {
  '/undo': undo,
  '/timer/start': (request) =>
    change(request, {
      operation: trackTime,
      input: (sent) => withWork(request, 'time', trackTime, { action: 'start', ...noteOf(sent) }),
      done: () => backTo(request, 'started'),
    }),
  '/timer/stop': (request) =>
    change<TimeResult>(request, {
      operation: trackTime,
      input: (sent) => ({ action: 'stop', ...entryOf(sent), ...noteOf(sent) }),
      done: ({ entry }) => backTo(request, 'stopped', undoOf.stopped(entry)),
    }),
  '/timer/switch': (request) =>
    change(request, {
      operation: switchTimer,
      input: (sent) => withWork(request, 'time', switchTimer, entryOf(sent)),
      done: () => backTo(request, 'switched'),
      again: showSwitch,
    }),
  '/entries/annotate': (request) =>
    change(request, {
      operation: trackTime,
      input: (sent) => ({ action: 'annotate', ...entryOf(sent), note: sent.text('note') }),
      done: () => backTo(request, 'saved'),
    }),
  '/entries/log': (request) =>
    change<TimeResult>(request, {
      operation: trackTime,
      input: (sent) => withWork(request, 'time', trackTime, { action: 'log', ...loggedIn(sent), note: sent.text('note') }),
      done: landing,
    }),
  '/entries/correct': (request) =>
    change(request, {
      operation: trackTime,
      input: (sent) => ({
        ...{ action: 'correct', ...entryOf(sent), reason: sent.text('reason') },
        ...corrected(sent, request.user.timezone),
      }),
      done: () => backTo(request, 'saved'),
    }),
  '/blocks/create': (request) =>
    change<BlockResult>(request, {
      operation: planBlock,
      input: (sent) => withWork(request, 'plans', planBlock, newBlock(sent)),
      done: landing,
    }),
  // From the form of My week, or from the agenda of My day.
  '/blocks/move': (request) =>
    change<BlockResult>(request, {
      operation: planBlock,
      input: (sent) => ({ action: 'move', ...blockOf(sent), ...timesOf(sent) }),
      done: (moved) => ({
        redirect: request.form.has('day') ? dayOf(request) : landing(moved).redirect,
        notice: 'saved',
        undo: undoOf.moved(blockIn(moved), request.form.text('wasStart'), request.form.text('wasEnd')),
      }),
      ...(request.form.has('day') && { again: (_, refusal) => showDay(request, refusal) }),
    }),
  '/blocks/start': (request) =>
    change(request, {
      operation: planBlock,
      input: (sent) => ({ action: 'start', ...blockOf(sent) }),
      done: () => backTo(request, 'started'),
    }),
  '/blocks/cancel': (request) =>
    change<BlockResult>(request, {
      operation: planBlock,
      input: (sent) => ({ action: 'cancel', ...blockOf(sent) }),
      done: (cancelled) => backTo(request, 'saved', undoOf.cancelled(blockIn(cancelled))),
    }),
};

export const myRoutes: PageRoute[] = [
  { method: 'GET', path: PATH, handle: (request) => showMy(request) },
  { method: 'GET', path: `${PATH}/timer`, handle: (request) => showSwitch(request) },
  ...Object.entries(forms).map(([path, handle]): PageRoute => ({ method: 'POST', path: PATH + path, handle })),
];
