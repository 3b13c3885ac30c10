/** The running timer: its box on /my, and the button that the page of an item shows. */
import { perform } from '../../operations/perform.ts';
import { type MyTime, myTime } from '../../plans/myTime.ts';
import type { TimeEntry } from '../../time/schema.ts';
import { type Content, html } from '../frame/html.ts';
import { csrfField, onceField } from '../frame/layout.ts';
import type { PageRequest } from '../frame/page.ts';
import { type MyData, mayAnywhere } from './data.ts';
import { at, fields, runningFor, workLink, workSelect } from './widgets.ts';

/** The reader's running timer, wherever it runs. */
export async function runningTimer({ deps, caller }: PageRequest): Promise<TimeEntry | null> {
  return ((await perform(deps.db, caller, myTime, { period: 'day' })) as MyTime).timer;
}

/** For the page of an item: start here, stop what runs here, or where else it runs; and the way to logging. `timer` is runningTimer's. */
export function timerButton(request: PageRequest, item: { workspaceId: number; itemId: number }, timer: TimeEntry | null): Content {
  const { workspaceId, itemId } = item;
  const back = html`${csrfField(request.csrf)}${onceField()}<input type="hidden" name="back" value="/workspaces/${workspaceId}/items/${itemId}">`;
  return html`${timerForm(request, itemId, back, timer)}<a href="${at(request)}?workspaceId=${workspaceId}&amp;itemId=${itemId}">Log or plan time</a>`;
}

function timerForm(request: PageRequest, itemId: number, back: Content, timer: TimeEntry | null): Content {
  if (!timer) {
    return html`<form method="post" action="${at(request, '/timer/start')}" class="plain">${back}<input type="hidden" name="itemId" value="${itemId}"><button class="secondary outline">Start timer</button></form>`;
  }
  if (timer.itemId !== itemId) return html`<a href="${at(request)}">Your timer runs elsewhere</a>`;
  return html`<form method="post" action="${at(request, '/timer/stop')}" class="plain">${back}${entryFields(timer)}<button>Stop timer</button> running for ${runningFor(timer)}</form>`;
}

const entryFields = ({ id, revision }: TimeEntry): Content =>
  html`<input type="hidden" name="entryId" value="${id}"><input type="hidden" name="revision" value="${revision}">`;

export function timerBox(request: PageRequest, data: MyData): Content {
  const { timer } = data.time;
  if (!timer) return startBox(request, data);
  return html`<form method="post" action="${at(request, '/timer/stop')}" class="timer">${fields(request, data)}${entryFields(timer)}
<p><strong>${workLink(request, timer.workspaceId, timer.itemId, timer.itemTitle)}</strong>: running for ${runningFor(timer)}, since <time datetime="${timer.startedAt}">${timer.startedAt?.slice(0, 16).replace('T', ' ')} UTC</time></p>
<label>Note <input name="note" maxlength="2000" value="${timer.note}"></label>
<div class="actions"><button>Stop timer</button> <button class="secondary outline" formaction="${at(request, '/entries/annotate')}">Save the note</button></div></form>`;
}

function startBox(request: PageRequest, data: MyData): Content {
  if (!mayAnywhere(data, 'time')) return html`<p>No workspace lets you record time. Ask the owner of one to make you a member there.</p>`;
  return html`<form method="post" action="${at(request, '/timer/start')}" class="timer">${fields(request, data)}
<div class="pair">${workSelect(data, 'time', data.chosen ? String(data.chosen) : '')}
<label>Note <input name="note" maxlength="2000" placeholder="optional"></label></div>
<button>Start timer</button></form>`;
}
