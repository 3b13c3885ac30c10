/** Plan blocks of the week, and planning one. Blocks are in the person's own timezone unless they say another. */

import type { MyTime } from '../../plans/myTime.ts';
import { instantToLocal } from '../../values/dates.ts';
import type { Forms } from '../frame/fields.ts';
import { type Content, html } from '../frame/html.ts';
import type { PageRequest } from '../frame/page.ts';
import { checkbox, zoneSelect } from '../frame/widgets.ts';
import { type MyData, mayAnywhere } from './data.ts';
import { dayName, line, myForm, noteLine, PATH, workLink, workSelect } from './widgets.ts';

type Block = MyTime['planBlocks'][number];

export function blockList(request: PageRequest, data: MyData): Content {
  const blocks = data.time.planBlocks;
  if (!blocks.length) return html`<p>Nothing planned in this week.</p>`;
  return html`<ul class="note-list">${blocks.map(
    (
      block,
    ) => html`<li>${workLink(request, block.workspaceId, block.itemId, block.title)}: <strong>${dayName(block.startLocal.slice(0, 10))}, ${timeOf(block)}</strong> ${block.state}
<small class="muted">${block.timezone}${block.state === 'scheduled' && promises(block)}${block.reason && `. ${block.reason}`}</small>
${block.note && html`<p class="text">${block.note}</p>`}
${moves(request, data, block)}</li>`,
  )}</ul>`;
}

function timeOf({ startLocal, endLocal }: Block): string {
  const sameDay = startLocal.slice(0, 10) === endLocal.slice(0, 10);
  return `${startLocal.slice(11)}–${sameDay ? endLocal.slice(11) : endLocal.replace('T', ' ')}`;
}

const flags = {
  autoStart: 'Start the timer at the start',
  autoStop: 'Stop that timer at the end',
  remindStart: 'Remind me 10 minutes before the start',
  remindEnd: 'Remind me 5 minutes before the end',
} as const;

const short = {
  autoStart: 'starts itself',
  autoStop: 'stops itself',
  remindStart: 'reminds of the start',
  remindEnd: 'reminds of the end',
};

function promises(block: Block): string {
  const on = (Object.keys(flags) as (keyof typeof flags)[]).filter((name) => block[name]).map((name) => short[name]);
  return on.map((promise) => `, ${promise}`).join('');
}

function moves(request: PageRequest, data: MyData, block: Block): Content {
  const form = { hidden: { blockId: block.id, revision: block.revision }, class: 'plain' };
  const start = () => myForm(request, data, { ...form, action: '/blocks/start' }, html`<button class="secondary">Start</button>`);
  const cancel = () =>
    myForm(
      request,
      data,
      { ...form, action: '/blocks/cancel', confirm: 'Cancel this block?' },
      html`<button class="secondary outline">Cancel</button>`,
    );
  return html`<div class="actions">
${block.state === 'scheduled' && block.itemId && start()}
${(block.state === 'scheduled' || block.state === 'running') && cancel()}
</div>`;
}

export function planForm(request: PageRequest, data: MyData, forms: Forms): Content {
  if (!mayAnywhere(data, 'plans')) return null;
  const { user } = request;
  const fields = forms(`${PATH}/blocks/create`);
  const nextHour = (Math.floor(Date.now() / 3_600_000) + 1) * 3_600_000;
  const when = (name: string, instant: number) =>
    line(fields, name, instantToLocal(instant, user.timezone), html`type="datetime-local" required`);
  const zone = (mark: Content) => zoneSelect(fields.value('timezone', user.timezone), false, mark);
  const form = myForm(
    request,
    data,
    { action: '/blocks/create' },
    html`<div class="pair">${workSelect(fields, data, 'plans')}
${when('startLocal', nextHour)}
${when('endLocal', nextHour + 3_600_000)}
${fields.field('timezone', zone)}
${noteLine(fields)}</div>
<fieldset><legend>At its time</legend>${Object.entries(flags).map(([name, label]) => checkbox(name, 'on', label, fields.ticked(name, 'on')))}</fieldset>
<button>Plan</button>`,
  );
  return html`<details${fields.refused && html` open`}><summary>Plan a block</summary>
${form}</details>`;
}
