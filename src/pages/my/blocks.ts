/** Plan blocks use the user's time zone unless they have their own. */
import { type PlanBlock, USUAL_REMIND_MINUTES } from '../../plans/schema.ts';
import type { TimeEntry } from '../../time/schema.ts';
import { instantToLocal } from '../../values/dates.ts';
import { icon } from '../frame/components/icon.ts';
import { hours } from '../frame/components/when.ts';
import { Fields } from '../frame/fields.ts';
import { type Content, html } from '../frame/html.ts';
import type { Refusal } from '../frame/submitted.ts';
import { checkbox, zoneSelect } from '../frame/widgets.ts';
import { labels, lengthLine, line, type MyContext, mayAnywhere, myForm, noteLine, PATH } from './landing.ts';
import { workField } from './work.ts';

const flags = {
  autoStart: 'Start the timer at the start',
  autoStop: 'Stop the timer at the end',
  remindStart: 'Remind me before the start',
  remindEnd: 'Remind me 5 minutes before the end',
} as const;

export function moves(shown: MyContext, block: PlanBlock): Content {
  const { request, data } = shown;
  const form = { hidden: { blockId: block.id, revision: block.revision } };
  const start = () => myForm(request, data, { ...form, action: '/blocks/start' }, html`<button class="btn small">Start</button>`);
  const cancel = () =>
    myForm(
      request,
      data,
      {
        ...form,
        action: '/blocks/cancel',
        confirm: block.state === 'running' ? 'Cancel this planned time? The timer keeps running.' : null,
      },
      html`<button class="btn small quiet">Cancel</button>`,
    );
  return html`${block.state === 'scheduled' && block.itemId && html`${start()}${move(shown, block)}`}${
    (block.state === 'scheduled' || block.state === 'running') && cancel()
  }`;
}

/** New times are in the time zone of the block. */
function move({ request, data, forms }: MyContext, block: PlanBlock): Content {
  const fields = forms(`${PATH}/blocks/move`, { blockId: block.id });
  const form = myForm(
    request,
    data,
    {
      action: '/blocks/move',
      hidden: { blockId: block.id, revision: block.revision, wasStart: block.startLocal, wasEnd: block.endLocal },
    },
    html`<div class="pair">${line(fields, 'startLocal', block.startLocal, html`type="datetime-local" required`)}
${line(fields, 'endLocal', block.endLocal, html`type="datetime-local" required`, `Local time in ${block.timezone}.`)}</div>
<button class="secondary">Move</button>`,
  );
  return html`<details class="alter"${fields.refused && html` open`}><summary class="btn small" aria-label="Move ${block.title}">${icon('pencil', 's')}Move</summary><div class="forms">${form}</div></details>`;
}

export function planForm({ request, data, forms }: MyContext, refusal?: Refusal): Content {
  if (!mayAnywhere(data, 'plans')) return null;
  const { zone } = data.clock;
  const fields = forms(`${PATH}/blocks/create`);
  const open = fields.refused || request.query.has('plan');
  const nextHour = (Math.floor(data.clock.now / 3_600_000) + 1) * 3_600_000;
  const when = (name: string, instant: number) => line(fields, name, instantToLocal(instant, zone), html`type="datetime-local" required`);
  const form = myForm(
    request,
    data,
    { action: '/blocks/create' },
    html`${workField(fields, data, 'plans', refusal)}
<div class="pair">${when('startLocal', nextHour)}
${when('endLocal', nextHour + 3_600_000)}</div>
<fieldset><legend>Timer and reminders</legend>${Object.entries(flags).map(([name, label]) => checkbox(name, 'on', label, fields.ticked(name, 'on')))}</fieldset>
<div class="pair">${line(fields, 'remindMinutes', String(USUAL_REMIND_MINUTES), html`type="number" min="0" max="120" required`)}
${noteLine(fields)}
${fields.field('timezone', (mark) => zoneSelect(fields.value('timezone', zone), false, mark))}</div>
<button>Plan</button>`,
  );
  return html`<details id="plan" class="fields"${open && html` open`}><summary>${icon('calendar-plus', 's')}Plan time (more options)</summary>
${form}</details>`;
}

export function changes({ request, data, forms }: MyContext, entry: TimeEntry): Content {
  const hidden = { entryId: entry.id, revision: entry.revision };
  // The note of the running timer is edited in the timer bar.
  const annotation = data.timer?.id === entry.id ? new Fields(labels) : forms(`${PATH}/entries/annotate`, { entryId: entry.id });
  const correction = forms(`${PATH}/entries/correct`, { entryId: entry.id });
  const annotate = myForm(
    request,
    data,
    { action: '/entries/annotate', hidden },
    html`${noteLine(annotation, entry.note)}<button class="secondary">Save note</button>`,
  );
  const correct = myForm(
    request,
    data,
    { action: '/entries/correct', hidden: { ...hidden, ...before(entry, data.clock.zone) }, class: 'apart' },
    html`<div class="pair">${entry.kind === 'manual' ? manualFields(entry, correction) : timerFields(entry, correction, data.clock.zone)}
${line(correction, 'reason', '', html`required maxlength="2000" placeholder="shown with the earlier version"`)}</div>
<button class="secondary">Correct</button>`,
  );
  return html`<details class="alter"${(annotation.refused || correction.refused) && html` open`}><summary class="btn small" aria-label="Edit ${entry.itemTitle ?? 'entry'}, ${hours(entry.minutes)}">${icon('pencil', 's')}Edit</summary>
<div class="forms">${annotate}
${correct}</div></details>`;
}

/** Original values, so that unchanged fields are not sent (actions.ts). */
function before({ kind, date, minutes, startedAt, endedAt }: TimeEntry, zone: string): Record<string, string> {
  if (kind === 'manual') return { 'was-date': date, 'was-minutes': hours(minutes) };
  return { 'was-startedAt': toTheMinute(startedAt, zone), 'was-endedAt': toTheMinute(endedAt, zone) };
}

const toTheMinute = (instant: string | null, zone: string) => (instant === null ? '' : instantToLocal(instant, zone));

const manualFields = ({ date, minutes }: TimeEntry, fields: Fields): Content =>
  html`${line(fields, 'date', date, html`type="date" required`, 'Days start at 00:00 UTC.')}
${lengthLine(fields, hours(minutes))}`;

/** To the minute; unchanged fields keep their seconds. */
function timerFields({ startedAt, endedAt }: TimeEntry, fields: Fields, zone: string): Content {
  const attributes = html`type="datetime-local" required`;
  return html`${line(fields, 'startedAt', toTheMinute(startedAt, zone), attributes)}
${line(fields, 'endedAt', toTheMinute(endedAt, zone), attributes, `Local time in ${zone}.`)}`;
}

export function logForm({ request, data, forms }: MyContext, today: string, refusal?: Refusal): Content {
  if (!mayAnywhere(data, 'time')) return null;
  const fields = forms(`${PATH}/entries/log`);
  const open = fields.refused || request.query.has('log');
  const form = myForm(
    request,
    data,
    { action: '/entries/log' },
    html`${workField(fields, data, 'time', refusal)}
<div class="pair">${line(fields, 'date', today, html`type="date" required max="${today}"`, 'Days start at 00:00 UTC.')}
${lengthLine(fields)}</div>
${noteLine(fields)}
<button>Log</button>`,
  );
  return html`<details id="log" class="fields"${open && html` open`}><summary>${icon('pencil', 's')}Log time (more options)</summary>
${form}</details>`;
}
