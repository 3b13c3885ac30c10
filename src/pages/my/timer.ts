/** The running timer: its box on /my, and the button that the page of an item shows. */
import type { TimeEntry } from '../../time/schema.ts';
import type { Forms } from '../frame/fields.ts';
import { type Content, html } from '../frame/html.ts';
import type { PageRequest } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { type MyData, mayAnywhere } from './data.ts';
import { at, line, myForm, noteLine, PATH, runningFor, workLink, workSelect } from './widgets.ts';

interface ItemRef {
  workspaceId: number;
  itemId: number;
}

/** For the page of an item: start here, stop what runs here, or where else it runs; and the way to logging. `timer`: the reader's running one. */
export function timerButton(request: PageRequest, item: ItemRef, timer: TimeEntry | null): Content {
  const { workspaceId, itemId } = item;
  return html`${timerForm(request, item, timer)}<a href="${at(request)}?workspaceId=${workspaceId}&amp;itemId=${itemId}">Log or plan time</a>`;
}

function timerForm(request: PageRequest, { workspaceId, itemId }: ItemRef, timer: TimeEntry | null): Content {
  const back = `/workspaces/${workspaceId}/items/${itemId}`;
  const form = (action: string, hidden: Record<string, number>, content: Content) =>
    postForm(request, { action: PATH + action, once: true, hidden: { back, ...hidden }, class: 'plain' }, content);
  if (!timer) return form('/timer/start', { itemId }, html`<button class="secondary outline">Start timer</button>`);
  if (timer.itemId !== itemId) return html`<a href="${at(request)}">Your timer runs elsewhere</a>`;
  return form('/timer/stop', entryIn(timer), html`<button>Stop timer</button> running for ${runningFor(timer)}`);
}

const entryIn = ({ id, revision }: TimeEntry) => ({ entryId: id, revision });

export function timerBox(request: PageRequest, data: MyData, forms: Forms): Content {
  const { timer } = data.time;
  if (!timer) return startBox(request, data, forms);
  const hidden = entryIn(timer);
  const stopping = forms(`${PATH}/timer/stop`, hidden);
  const fields = stopping.refused ? stopping : forms(`${PATH}/entries/annotate`, hidden);
  return myForm(
    request,
    data,
    { action: '/timer/stop', hidden, class: 'timer' },
    html`<p><strong>${workLink(request, timer.workspaceId, timer.itemId, timer.itemTitle)}</strong>: running for ${runningFor(timer)}, since <time datetime="${timer.startedAt}">${timer.startedAt?.slice(0, 16).replace('T', ' ')} UTC</time></p>
${noteLine(fields, timer.note)}
<div class="actions"><button>Stop timer</button> <button class="secondary outline" formaction="${at(request, '/entries/annotate')}">Save the note</button></div>`,
  );
}

function startBox(request: PageRequest, data: MyData, forms: Forms): Content {
  if (!mayAnywhere(data, 'time')) return html`<p>No workspace lets you record time. Ask the owner of one to make you a member there.</p>`;
  const fields = forms(`${PATH}/timer/start`);
  return myForm(
    request,
    data,
    { action: '/timer/start', class: 'timer' },
    html`<div class="pair">${workSelect(fields, data, 'time')}
${line(fields, 'note', '', html`maxlength="2000" placeholder="optional"`)}</div>
<button>Start timer</button>`,
  );
}
