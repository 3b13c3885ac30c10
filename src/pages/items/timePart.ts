/** Time on an item's page: timer, logging, planning, and recorded time against the estimate (behaviour §21.10). */
import type { RunningTimer } from '../../overviews/openItem.ts';
import type { TimeEntry } from '../../time/schema.ts';
import { instantToLocal } from '../../values/dates.ts';
import { asideSection, fold, type Property, properties } from '../frame/components/boxes.ts';
import { button } from '../frame/components/button.ts';
import { icon } from '../frame/components/icon.ts';
import { progressBar } from '../frame/components/marks.ts';
import { estimate, hours, moment, momentWithin } from '../frame/components/when.ts';
import { type Content, html } from '../frame/html.ts';
import { postForm } from '../frame/postForm.ts';
import { may } from '../workspace/openWorkspace.ts';
import { estimatedWith, isUsedUp, ownAndBelow } from './estimates.ts';
import type { FormName, ItemPage } from './pageOf.ts';

const live = '#work';

export function actPart(page: ItemPage): Content {
  const { workspace, othersTimers } = page.opened;
  return html`<div class="do-time">${may(workspace, 'time', 'write') && html`${timerForm(page)}${logForm(page)}`}${may(workspace, 'plans', 'write') && planForm(page)}${othersTimers?.map((one) => othersTimer(page, one))}</div>`;
}

function othersTimer({ opened: { workspace, item }, request, clock }: ItemPage, { userId, name, startedAt }: RunningTimer): Content {
  const confirm = `Stop the timer of ${name}? The time until now is recorded for them.`;
  const form = { action: `${workspace.path}/items/${item.id}/timer/stop`, hidden: { userId }, confirm, live, class: 'plain' };
  return html`<p class="meta">${icon('timer', 's')} ${name}’s timer has been running on this item since ${momentWithin(startedAt, clock)}.</p>
${postForm(request, form, button(`Stop ${name}’s timer`, { small: true, icon: 'square' }))}`;
}

function timerForm(page: ItemPage): Content {
  const { opened, request } = page;
  const { timer, workspace, item } = opened;
  const back = `${workspace.path}/items/${item.id}`;
  const form = (action: string, hidden: Record<string, number>, content: Content) =>
    postForm(request, { action: `/my/timer/${action}`, once: true, live, hidden: { back, ...hidden } }, content);
  if (!timer) return form('start', { itemId: item.id }, button('Start timer', { block: true, icon: 'play', key: 'T' }));
  if (timer.itemId !== item.id)
    return html`<p class="meta">${icon('timer', 's')} <a href="${request.basePath}/my">Your timer is running on another item</a></p>`;
  const runs = html`Stop timer <time data-since="${timer.startedAt}">${hours(timer.minutes)}</time>`;
  return form('stop', entryIn(timer), button(runs, { block: true, icon: 'square', key: 'T', kind: 'primary' }));
}

const entryIn = ({ id, revision }: TimeEntry) => ({ entryId: id, revision });

function folded(page: ItemPage, name: FormName, summary: Content, inside: (fields: ReturnType<ItemPage['fieldsOf']>) => Content): Content {
  const { workspace, item } = page.opened;
  const fields = page.fieldsOf(name);
  const form = {
    action: `${workspace.path}/items/${item.id}/${name}`,
    once: true,
    live,
    hidden: page.listFields,
    data: { clear: true as const },
  };
  return fold(summary, postForm(page.request, form, inside(fields)), {
    id: `${name}-time`,
    open: fields.refused,
    attributes: name === 'plan' && html` data-key="p" aria-keyshortcuts="P"`,
  });
}

const logForm = (page: ItemPage): Content =>
  folded(
    page,
    'log',
    html`${icon('clock', 's')}Log time`,
    (
      fields,
    ) => html`<label class="flabel" for="log-line">Duration, or start and end</label><input class="input" id="log-line" name="line" required autocomplete="off" placeholder="45m yesterday: what you did" value="${fields.value('line')}"${fields.mark('line', 'log-hint')}>${fields.note('line')}
<p class="hint" id="log-hint">For example 1:30, 1h30, 9-11 or 45m yesterday. Other words become the note.</p>${button('Log', { small: true, kind: 'primary' })}`,
  );

const HOUR = 3_600_000;

const planForm = (page: ItemPage): Content =>
  folded(page, 'plan', html`${icon('calendar-plus', 's')}Plan time`, (fields) => {
    const next = (Math.floor(page.clock.now / HOUR) + 1) * HOUR;
    const at = (name: string, label: string, instant: number) =>
      html`<label class="flabel" for="plan-${name}">${label}</label><input class="input" id="plan-${name}" type="datetime-local" name="${name}" required value="${fields.value(name, instantToLocal(instant, page.clock.zone))}"${fields.mark(name)}>${fields.note(name)}`;
    return html`${at('startLocal', 'From', next)}${at('endLocal', 'To', next + HOUR)}
<label class="flabel" for="plan-note">Note</label><input class="input" id="plan-note" name="note" maxlength="2000" placeholder="Optional" value="${fields.value('note')}"${fields.mark('note')}>${fields.note('note')}
<p class="hint">Your time zone: ${page.clock.zone}.</p>${button('Plan', { small: true, kind: 'primary' })}`;
  });

/** Recorded time, per person if the reader may see that, and planned time. */
export function recordedPart({ opened, clock }: ItemPage): Content {
  const { time, plan, item, sums } = opened;
  const estimated = estimatedWith(opened);
  const parts = item.type === 'task' && ownAndBelow(item.fields.estimatedHours, sums.hours);
  const recorded = time.all ?? time.own;
  if (recorded === null && !plan) return null;
  const told =
    recorded !== null &&
    html`<span>${time.more && 'more than '}${hours(recorded)}${estimated > 0 && html` <span class="meta">of ${estimate(estimated)}${over(recorded, estimated)}${parts && `: ${parts}`}</span>`}</span>`;
  const rows: (Property | false | null)[] = [
    recorded !== null && { label: time.all === null ? 'Recorded by you' : 'Recorded', value: told },
    time.all !== null && time.own !== null && time.own > 0 && time.own < time.all && { label: 'By you', value: hours(time.own) },
    plan && { label: 'Planned by you', value: html`<span class="text">${hours(plan.minutes)}, ${moment(plan.next, clock)}</span>` },
  ];
  const isBar = recorded !== null && recorded > 0 && estimated > 0;
  const bar =
    isBar &&
    progressBar(
      { done: recorded / 60, inProgress: 0, total: estimated },
      `${hours(recorded)} recorded of ${estimate(estimated)} estimated`,
    );
  const used = isUsedUp(opened) && html`<p class="meta">Time is used up: estimate again.</p>`;
  return asideSection('Time', html`${properties(rows)}${bar}${used}`, 'spent');
}

const over = (minutes: number, estimated: number): string => (minutes > estimated * 60 ? `, ${hours(minutes - estimated * 60)} over` : '');
