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

const start = (request: PageRequest) =>
  change(request, {
    operation: trackTime,
    input: (sent) => withWork(request, 'time', trackTime, { action: 'start', ...noteOf(sent) }),
    done: () => backTo(request, 'started'),
  });

const stop = (request: PageRequest) =>
  change<TimeResult>(request, {
    operation: trackTime,
    input: (sent) => ({ action: 'stop', ...entryOf(sent), ...noteOf(sent) }),
    done: ({ entry }) => backTo(request, 'stopped', undoOf.stopped(entry)),
  });

const switchTo = (request: PageRequest) =>
  change(request, {
    operation: switchTimer,
    input: (sent) => withWork(request, 'time', switchTimer, entryOf(sent)),
    done: () => backTo(request, 'switched'),
    again: showSwitch,
  });

const annotate = (request: PageRequest) =>
  change(request, {
    operation: trackTime,
    input: (sent) => ({ action: 'annotate', ...entryOf(sent), note: sent.text('note') }),
    done: () => backTo(request, 'saved'),
  });

const log = (request: PageRequest) =>
  change<TimeResult>(request, {
    operation: trackTime,
    input: (sent) =>
      withWork(request, 'time', trackTime, {
        action: 'log',
        date: sent.text('date'),
        minutes: minutesOf(sent.text('minutes')),
        note: sent.text('note'),
      }),
    done: landing,
  });

const correct = (request: PageRequest) =>
  change(request, {
    operation: trackTime,
    input: (sent) => ({
      action: 'correct',
      ...entryOf(sent),
      reason: sent.text('reason'),
      ...corrected(sent, request.user.timezone),
    }),
    done: () => backTo(request, 'saved'),
  });

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

const createBlock = (request: PageRequest) =>
  change<BlockResult>(request, {
    operation: planBlock,
    input: (sent) =>
      withWork(request, 'plans', planBlock, {
        action: 'create',
        ...timesOf(sent),
        timezone: sent.text('timezone'),
        note: sent.text('note'),
        ...Object.fromEntries(flags.map((name) => [name, sent.has(name)])),
        ...(sent.has('remindStart') && sent.has('remindMinutes') && { remindMinutes: sent.number('remindMinutes') }),
      }),
    done: landing,
  });

const moveBlock = (request: PageRequest) =>
  change<BlockResult>(request, {
    operation: planBlock,
    input: (sent) => ({ action: 'move', ...blockOf(sent), ...timesOf(sent) }),
    done: (moved) => ({
      ...landing(moved),
      notice: 'saved',
      undo: undoOf.moved(blockIn(moved), request.form.text('wasStart'), request.form.text('wasEnd')),
    }),
  });

const startBlock = (request: PageRequest) =>
  change(request, {
    operation: planBlock,
    input: (sent) => ({ action: 'start', ...blockOf(sent) }),
    done: () => backTo(request, 'started'),
  });

const cancelBlock = (request: PageRequest) =>
  change<BlockResult>(request, {
    operation: planBlock,
    input: (sent) => ({ action: 'cancel', ...blockOf(sent) }),
    done: (cancelled) => backTo(request, 'saved', undoOf.cancelled(blockIn(cancelled))),
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

export const myRoutes: PageRoute[] = [
  { method: 'GET', path: PATH, handle: (request) => showMy(request) },
  { method: 'GET', path: `${PATH}/timer`, handle: (request) => showSwitch(request) },
  { method: 'POST', path: `${PATH}/undo`, handle: undo },
  { method: 'POST', path: `${PATH}/timer/start`, handle: start },
  { method: 'POST', path: `${PATH}/timer/stop`, handle: stop },
  { method: 'POST', path: `${PATH}/timer/switch`, handle: switchTo },
  { method: 'POST', path: `${PATH}/entries/annotate`, handle: annotate },
  { method: 'POST', path: `${PATH}/entries/log`, handle: log },
  { method: 'POST', path: `${PATH}/entries/correct`, handle: correct },
  { method: 'POST', path: `${PATH}/blocks/create`, handle: createBlock },
  { method: 'POST', path: `${PATH}/blocks/move`, handle: moveBlock },
  { method: 'POST', path: `${PATH}/blocks/start`, handle: startBlock },
  { method: 'POST', path: `${PATH}/blocks/cancel`, handle: cancelBlock },
];
