/** The actions of a focused or hovered row. They are in the page once; rows.js puts them into the row (behaviour §19.13). */
import { longest } from '../../values/text.ts';
import { iconButton, iconLink } from '../frame/components/button.ts';
import { type Content, html } from '../frame/html.ts';
import { postForm } from '../frame/postForm.ts';
import { hereOf } from '../frame/submitted.ts';
import { type ListPage, mayChange } from './list.ts';
import { may } from './openWorkspace.ts';

/** rows.js completes labels and addresses with the number of the row. */
const forRow = (path: string) => html` data-to="${path}"`;

export function rowTools(page: ListPage): Content {
  const { workspace, address, found } = page;
  if (found.rows.length === 0 || address.archived) return null;
  const to = (path: string) => html`${forRow(path)} data-menu`;
  return html`<div id="row-tools" data-at="${workspace.at}/items/" hidden><div class="acts">${may(workspace, 'time', 'write') && timerForm(page)}${
    may(workspace, 'plans', 'write') &&
    iconLink('#', 'calendar-plus', 'Plan', { key: 'P', attributes: html`${to('/when')} data-swipe="left" data-verb="Plan"` })
  }${may(workspace, 'comments', 'write') && iconLink('#', 'message-square', 'Comment on', { key: 'C', attributes: forRow('#comments') })}${doneForm(page)}${iconLink('#', 'ellipsis', 'More for', { key: '.', attributes: to('/menu') })}${mayChange(page) && renameForm(page)}</div></div>`;
}

/** A switch is refused if another timer runs by then. */
function timerForm({ request }: ListPage): Content {
  const timer = request.user.frame?.timer;
  return postForm(
    request,
    {
      action: timer ? '/my/timer/switch' : '/my/timer/start',
      once: true,
      live: '#timer',
      hidden: { itemId: '', back: hereOf(request), ...(timer && { entryId: timer.entryId, revision: timer.revision }) },
    },
    iconButton('play', timer ? 'Switch timer to' : 'Start timer on', { key: 'T' }),
  );
}

/** Pressed by a swipe. The status menu does the same. */
function doneForm(page: ListPage): Content {
  const { request, workspace, found } = page;
  const done = found.options.statuses.find(({ status, types, approval }) => status === 'done' && types.includes(found.type) && !approval);
  if (!done || !mayChange(page)) return null;
  return postForm(
    request,
    {
      action: `${workspace.path}/items/`,
      hidden: { version: '', value: done.key, back: hereOf(request) },
      live: '#work',
      data: { to: '/change/status' },
    },
    html`<button class="vh" tabindex="-1" aria-label="Mark done:" data-swipe="right" data-verb="Done"></button>`,
  );
}

/** Hidden until `e`; rows.js moves it into the title. */
const renameForm = ({ request, workspace }: ListPage): Content =>
  html`<button type="button" class="vh" tabindex="-1" data-key="e" data-rename aria-label="Edit the title of"></button>${postForm(
    request,
    {
      action: `${workspace.path}/items/`,
      hidden: { version: '', back: hereOf(request) },
      live: '#work',
      class: 'rename',
      data: { to: '/change/title' },
    },
    html`<input class="input" name="value" required maxlength="${longest.title}" dir="auto" autocomplete="off" aria-label="Title of">`,
  )}`;
