/** The forms of /my, a person's own time and plans (behaviour §12.1). Forms become the same requests that an agent would send. */

import { markNotificationsRead } from '../../notifications/markNotificationsRead.ts';
import type { Operation } from '../../operations/operation.ts';
import { planBlock } from '../../plans/planBlock.ts';
import { trackTime } from '../../time/trackTime.ts';
import type { Form } from '../frame/forms.ts';
import { backOf } from '../frame/nextPath.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { submitted } from '../frame/submitted.ts';
import { showMy } from './page.ts';
import { labels, PATH } from './widgets.ts';

type Values = Record<string, unknown>;

interface Sent {
  operation: Operation<object, object>;
  /** What is done, in a notice. */
  notice: string;
}

/** Runs a change; a refusal is shown above the page, and in the form that it came from with what was typed. */
const change = (request: PageRequest, { operation, notice }: Sent, input: (sent: Form) => Values): Promise<Answer> =>
  submitted(request, operation, input, {
    done: () => ({ redirect: whereTo(request), notice }),
    labels,
    again: (refusal) => showMy(request, refusal),
  });

/** Back to the page that the form was on, or to the week that was shown. */
function whereTo(request: PageRequest): string {
  const week = request.form.text('week');
  return backOf(request, /^\d{4}-\d{2}-\d{2}$/.test(week) ? `${PATH}?week=${week}` : PATH);
}

const entryOf = (form: Form) => ({ entryId: form.id('entryId'), revision: form.id('revision') });
/** Absent where the form has no such field, so that what it does not show stays as it is. */
const noteOf = (form: Form): Values => (form.has('note') ? { note: form.text('note') } : {});

/** A number where there should be one; anything else is told about by name. */
const numberOf = (form: Form, name: string) => form.number(name) ?? undefined;

const start = (request: PageRequest) =>
  change(request, { operation: trackTime, notice: 'started' }, (sent) => ({
    action: 'start',
    itemId: numberOf(sent, 'itemId'),
    ...noteOf(sent),
  }));

const stop = (request: PageRequest) =>
  change(request, { operation: trackTime, notice: 'stopped' }, (sent) => ({
    action: 'stop',
    ...entryOf(sent),
    ...noteOf(sent),
  }));

const annotate = (request: PageRequest) =>
  change(request, { operation: trackTime, notice: 'saved' }, (sent) => ({
    action: 'annotate',
    ...entryOf(sent),
    note: sent.text('note'),
  }));

const log = (request: PageRequest) =>
  change(request, { operation: trackTime, notice: 'created' }, (sent) => ({
    action: 'log',
    itemId: numberOf(sent, 'itemId'),
    date: sent.text('date'),
    minutes: numberOf(sent, 'minutes'),
    note: sent.text('note'),
  }));

const correct = (request: PageRequest) =>
  change(request, { operation: trackTime, notice: 'saved' }, (sent) => ({
    action: 'correct',
    ...entryOf(sent),
    reason: sent.text('reason'),
    ...corrected(sent),
  }));

/** What differs from what the form began with. Moments are typed to the minute, in UTC. */
function corrected(form: Form): Values {
  const differs = (name: string) => form.has(name) && form.text(name) !== form.text(`was-${name}`);
  return {
    ...(differs('date') ? { date: form.text('date') } : {}),
    ...(differs('minutes') ? { minutes: numberOf(form, 'minutes') } : {}),
    ...(differs('startedAt') ? { startedAt: `${form.text('startedAt')}:00Z` } : {}),
    ...(differs('endedAt') ? { endedAt: `${form.text('endedAt')}:00Z` } : {}),
  };
}

const flags = ['autoStart', 'autoStop', 'remindStart', 'remindEnd'];

const createBlock = (request: PageRequest) =>
  change(request, { operation: planBlock, notice: 'created' }, (sent) => ({
    action: 'create',
    itemId: numberOf(sent, 'itemId'),
    ...Object.fromEntries(['startLocal', 'endLocal', 'timezone', 'note'].map((name) => [name, sent.text(name)])),
    ...Object.fromEntries(flags.map((name) => [name, sent.has(name)])),
  }));

const moveBlock = (action: 'start' | 'cancel', notice: string) => (request: PageRequest) =>
  change(request, { operation: planBlock, notice }, (sent) => ({
    action,
    blockId: sent.id('blockId'),
    revision: sent.id('revision'),
  }));

const markRead = (request: PageRequest) =>
  change(request, { operation: markNotificationsRead, notice: 'read' }, (sent) => ({ upToId: sent.id('upToId') }));

export const myRoutes: PageRoute[] = [
  { method: 'GET', path: PATH, handle: (request) => showMy(request) },
  { method: 'POST', path: `${PATH}/timer/start`, handle: start },
  { method: 'POST', path: `${PATH}/timer/stop`, handle: stop },
  { method: 'POST', path: `${PATH}/entries/annotate`, handle: annotate },
  { method: 'POST', path: `${PATH}/entries/log`, handle: log },
  { method: 'POST', path: `${PATH}/entries/correct`, handle: correct },
  { method: 'POST', path: `${PATH}/blocks/create`, handle: createBlock },
  { method: 'POST', path: `${PATH}/blocks/start`, handle: moveBlock('start', 'started') },
  { method: 'POST', path: `${PATH}/blocks/cancel`, handle: moveBlock('cancel', 'saved') },
  { method: 'POST', path: `${PATH}/notifications/read`, handle: markRead },
];
