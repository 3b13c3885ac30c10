/** Plan blocks use the user's time zone unless they have their own. */

import type { PlanBlock } from '../../plans/schema.ts';
import { instantToLocal } from '../../values/dates.ts';
import { icon } from '../frame/components/icon.ts';
import { type Content, html } from '../frame/html.ts';
import type { Refusal } from '../frame/submitted.ts';
import { checkbox, zoneSelect } from '../frame/widgets.ts';
import { type MyContext, mayAnywhere } from './data.ts';
import { line, myForm, noteLine, PATH } from './widgets.ts';
import { workField } from './work.ts';

const flags = {
  autoStart: 'Start the timer at the start',
  autoStop: 'Stop the timer at the end',
  remindStart: 'Remind me 10 minutes before the start',
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
      { ...form, action: '/blocks/cancel', confirm: 'Cancel this planned time?' },
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
    { action: '/blocks/move', hidden: { blockId: block.id, revision: block.revision } },
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
<fieldset><legend>When the time comes</legend>${Object.entries(flags).map(([name, label]) => checkbox(name, 'on', label, fields.ticked(name, 'on')))}</fieldset>
<div class="pair">${noteLine(fields)}
${fields.field('timezone', (mark) => zoneSelect(fields.value('timezone', zone), false, mark))}</div>
<button>Plan</button>`,
  );
  return html`<details id="plan" class="fields"${open && html` open`}><summary>${icon('calendar-plus', 's')}Plan time (more options)</summary>
${form}</details>`;
}
