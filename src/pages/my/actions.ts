/** The forms of /my, a person's own time and plans (behaviour §12.1). Forms become the same requests that an agent would send. */

import { markNotificationsRead } from '../../notifications/markNotificationsRead.ts';
import { parseInput } from '../../operations/input.ts';
import { perform } from '../../operations/perform.ts';
import { planBlock } from '../../plans/planBlock.ts';
import { trackTime } from '../../time/trackTime.ts';
import { AppError } from '../../values/errors.ts';
import type { Form } from '../frame/forms.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { showMy } from './page.ts';
import { PATH } from './widgets.ts';

type Values = Record<string, unknown>;

const statusOf: Record<string, number> = { invalid_request: 400, conflict: 409 };

/** Runs a change; a refusal is shown above the page, with what was typed in `form`. */
async function change(request: PageRequest, notice: string, form: string, work: () => Promise<unknown>): Promise<Answer> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof AppError) || !(error.code in statusOf)) throw error;
    return showMy(request, { message: error.message, status: statusOf[error.code]!, form });
  }
  return { redirect: whereTo(request.form), notice };
}

/** Back to the item whose page the form was on, or to the week that was shown. */
function whereTo(form: Form): string {
  const back = form.text('back');
  if (/^\/workspaces\/\d{1,16}\/items\/\d{1,16}$/.test(back)) return back;
  const week = form.text('week');
  return /^\d{4}-\d{2}-\d{2}$/.test(week) ? `${PATH}?week=${week}` : PATH;
}

const track = (request: PageRequest, values: Values) =>
  perform(request.deps.db, request.caller, trackTime, parseInput(trackTime.input, values));
const plan = (request: PageRequest, values: Values) =>
  perform(request.deps.db, request.caller, planBlock, parseInput(planBlock.input, values));

const entryOf = (form: Form) => ({ entryId: form.id('entryId'), revision: form.id('revision') });
/** Absent where the form has no such field, so that what it does not show stays as it is. */
const noteOf = (form: Form): Values => (form.has('note') ? { note: form.text('note') } : {});

/** A number where there should be one; anything else is told about by name. */
const numberOf = (form: Form, name: string) => form.number(name) ?? undefined;

const start = (request: PageRequest) => {
  const { form } = request;
  return change(request, 'started', 'timer', () => track(request, { action: 'start', itemId: numberOf(form, 'itemId'), ...noteOf(form) }));
};

const stop = (request: PageRequest) =>
  change(request, 'stopped', 'timer', () => track(request, { action: 'stop', ...entryOf(request.form), ...noteOf(request.form) }));

const annotate = (request: PageRequest) => {
  const { form } = request;
  const values = { action: 'annotate', ...entryOf(form), note: form.text('note') };
  return change(request, 'saved', `entry${form.text('entryId')}`, () => track(request, values));
};

const log = (request: PageRequest) =>
  change(request, 'created', 'log', () => {
    const { form } = request;
    const values = {
      itemId: numberOf(form, 'itemId'),
      date: form.text('date'),
      minutes: numberOf(form, 'minutes'),
      note: form.text('note'),
    };
    return track(request, { action: 'log', ...values });
  });

const correct = (request: PageRequest) =>
  change(request, 'saved', `entry${request.form.text('entryId')}`, () => {
    const { form } = request;
    return track(request, { action: 'correct', ...entryOf(form), reason: form.text('reason'), ...corrected(form) });
  });

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
  change(request, 'created', 'plan', () => {
    const { form } = request;
    const texts = Object.fromEntries(['startLocal', 'endLocal', 'timezone', 'note'].map((name) => [name, form.text(name)]));
    const chosen = Object.fromEntries(flags.map((name) => [name, form.has(name)]));
    return plan(request, { action: 'create', itemId: numberOf(form, 'itemId'), ...texts, ...chosen });
  });

const moveBlock = (action: 'start' | 'cancel', notice: string) => (request: PageRequest) =>
  change(request, notice, 'block', () =>
    plan(request, { action, blockId: request.form.id('blockId'), revision: request.form.id('revision') }),
  );

const markRead = (request: PageRequest) =>
  change(request, 'read', 'notifications', () => {
    const input = parseInput(markNotificationsRead.input, { upToId: request.form.id('upToId') });
    return perform(request.deps.db, request.caller, markNotificationsRead, input);
  });

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
