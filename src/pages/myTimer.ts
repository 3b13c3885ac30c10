/** The running timer: its box on /my, and the button that the page of an item shows. */
import { perform } from '../perform.ts';
import { type MyTime, myTime } from '../plans/myTime.ts';
import type { TimeEntry } from '../time/schema.ts';
import { type Content, html } from './html.ts';
import { csrfField } from './layout.ts';
import { at, fields, type MyData, runningFor, workLink, workSelect } from './myParts.ts';
import type { PageRequest } from './page.ts';

/** The reader's running timer, wherever it runs. */
export async function runningTimer({ deps, caller }: PageRequest): Promise<TimeEntry | null> {
  return ((await perform(deps.db, caller, myTime, { period: 'day' })) as MyTime).timer;
}

/** For the page of an item: start here, stop what runs here, or where else it runs. `timer` is from runningTimer. */
export function timerButton(request: PageRequest, item: { workspaceId: number; itemId: number }, timer: TimeEntry | null): Content {
  const back = html`${csrfField(request.csrf)}<input type="hidden" name="back" value="/workspaces/${item.workspaceId}/items/${item.itemId}">`;
  if (!timer) {
    return html`<form method="post" action="${at(request, '/timer/start')}" class="plain">${back}<input type="hidden" name="itemId" value="${item.itemId}"><button class="secondary">Start timer</button></form>`;
  }
  if (timer.itemId !== item.itemId) return html`<p>Your timer runs elsewhere: <a href="${at(request)}">see it</a>.</p>`;
  return html`<form method="post" action="${at(request, '/timer/stop')}" class="plain">${back}${entryFields(timer)}Your timer has been running for ${runningFor(timer)}. <button>Stop timer</button></form>`;
}

const entryFields = ({ id, revision }: TimeEntry): Content =>
  html`<input type="hidden" name="entryId" value="${id}"><input type="hidden" name="revision" value="${revision}">`;

export function timerBox(request: PageRequest, data: MyData): Content {
  const { timer } = data.time;
  if (!timer) {
    return html`<form method="post" action="${at(request, '/timer/start')}" class="timer">${fields(request, data)}
<div class="pair">${workSelect(data, data.chosen ? String(data.chosen) : '')}
<label>Note <input name="note" maxlength="2000" placeholder="optional"></label></div>
<button>Start timer</button></form>`;
  }
  return html`<form method="post" action="${at(request, '/timer/stop')}" class="timer">${fields(request, data)}${entryFields(timer)}
<p><strong>${workLink(request, timer.workspaceId, timer.itemId, timer.itemTitle)}</strong>: running for ${runningFor(timer)}, since <time datetime="${timer.startedAt}">${timer.startedAt?.slice(0, 16).replace('T', ' ')} UTC</time></p>
<label>Note <input name="note" maxlength="2000" value="${timer.note}"></label>
<div class="actions"><button>Stop timer</button> <button class="secondary outline" formaction="${at(request, '/entries/annotate')}">Save the note</button></div></form>`;
}
