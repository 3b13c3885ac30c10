/** The forms of the timer return to the current page. */
import type { FrameData, FrameTimer, SignedIn } from '../../overviews/signedIn.ts';
import { button, linkButton } from './components/button.ts';
import { icon } from './components/icon.ts';
import { menu } from './components/menu.ts';
import { hours, running } from './components/when.ts';
import type { Frame } from './frame.ts';
import { type Content, type Html, html } from './html.ts';
import { type PostForm, postForm } from './postForm.ts';

/** Empty and hidden without a timer, so that htmx can swap the bar in. */
export function timerBar(frame: Frame, user: SignedIn): Html {
  const timer = user.frame?.timer;
  if (!user.frame || !timer) return html`<div class="timer" id="timer" hidden></div>`;
  const seconds = (frame.clock.now - Date.parse(timer.startedAt)) / 1000;
  return html`<div class="timer" id="timer" role="region" aria-label="Running timer"><span class="dot" aria-hidden="true"></span>
<time data-since="${timer.startedAt}" data-seconds>${running(seconds)}</time>
<p class="what">${work(frame, timer)}</p>
<span class="sum">Today ${hours(todayWith(user.frame, timer, frame.clock.now))}</span>
${noteMenu(frame, timer)}
${linkButton(`${frame.basePath}/my/timer?back=${encodeURIComponent(frame.path + frame.search)}`, html`<span class="t-label">Switch</span>`, { small: true, icon: 'repeat', wideOnly: true, title: 'Switch to another item' })}
${timerForm(frame, timer, '/timer/stop', button('Stop', { kind: 'primary', small: true, icon: 'square', said: 'Stop the timer' }))}
</div>`;
}

/** Minutes recorded today plus today's part of the running timer. Days are UTC days. */
function todayWith({ todayMinutes }: FrameData, { startedAt }: FrameTimer, now: number): number {
  const midnight = now - (now % 86_400_000);
  return todayMinutes + Math.max(0, Math.floor((now - Math.max(midnight, Date.parse(startedAt))) / 60_000));
}

function work({ basePath }: Frame, { workspaceId, workspace, itemId, title }: FrameTimer): Content {
  if (title === null) return html`<span>An item that you can no longer see</span>`;
  return html`<a href="${basePath}/workspaces/${workspaceId}/items/${itemId}">${title}</a><span>#${itemId} · ${workspace}</span>`;
}

function timerForm({ path, search, ...context }: Frame, { entryId, revision }: FrameTimer, action: string, content: Content): Content {
  const form: PostForm = { action: `/my${action}`, once: true, hidden: { back: path + search, entryId, revision }, live: '#timer' };
  return postForm(context, form, content);
}

function noteMenu(frame: Frame, timer: FrameTimer): Content {
  const area = html`<label class="flabel" for="timer-note">Note</label><textarea class="area" id="timer-note" name="note" maxlength="2000" rows="3">
${timer.note}</textarea>`;
  const save = html`<div class="do">${button('Save note', { kind: 'primary', small: true })}</div>`;
  const label = timer.note ? 'Edit note' : 'Add note';
  return menu(
    html`<span class="btn small">${icon('pencil', 's')}<span class="t-label">Note</span></span>`,
    timerForm(frame, timer, '/entries/annotate', html`${area}${save}`),
    { label, class: 'timer-note', end: true },
  );
}
