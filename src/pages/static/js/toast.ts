// The toast leaves after 10 seconds, later while it is hovered or focused. An error stays until the next request.
import { around, icon, make } from './shared.ts';
import './keptRows.ts';

const LASTS_MS = 10_000;
const region = () => document.getElementById('notice');
let leaving = 0;

/** Without its parameters the address does not show the toast again. */
function forget(): void {
  const here = new URL(location.href);
  for (const name of ['notice', 'undo']) here.searchParams.delete(name);
  if (here.href !== location.href) history.replaceState(history.state, '', here);
}

function close(): void {
  region()?.replaceChildren();
  forget();
}

function arm(): void {
  clearTimeout(leaving);
  const result = document.querySelector('#notice > .toast:not(.fault)');
  if (result && !result.matches(':hover, :focus-within')) leaving = window.setTimeout(close, LASTS_MS);
}
for (const name of ['pointerover', 'pointerout', 'focusin', 'focusout'])
  document.addEventListener(name, ({ target }) => {
    // After the browser has moved the focus.
    if (around(target, '#notice')) setTimeout(arm);
  });

document.addEventListener('click', (event) => {
  if (!around(event.target, '[data-close-notice]')) return;
  event.preventDefault();
  close();
});

/** Shows an error. */
export function showFault(text: string): void {
  const shut = make('button', { type: 'button', class: 'icon-btn', 'aria-label': 'Close', 'data-close-notice': '' }, icon('x'));
  region()?.replaceChildren(make('div', { class: 'toast fault', role: 'alert' }, icon('octagon-alert'), make('p', {}, text), shut));
}

document.addEventListener('htmx:after:swap', ({ detail: { ctx } }) => {
  if (!ctx.following) arm();
});
arm();
