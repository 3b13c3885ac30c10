// The toast leaves after 10 seconds, later while it is hovered or focused. Rows and cards of items marked done stay until the pointer leaves
// the list or column, at most 10 seconds. tell(text) shows an error, which stays until the next request.
import { icon, make } from './shared.ts';

const LASTS_MS = 10_000;
const region = () => document.getElementById('notice');
const result = () => document.querySelector('#notice > .toast:not(.fault)');
let leaving = 0;

/** Without its parameters the address does not show the toast again. */
function forget() {
  const here = new URL(location.href);
  for (const name of ['notice', 'undo']) here.searchParams.delete(name);
  if (here.href !== location.href) history.replaceState(history.state, '', here);
}

function close() {
  region()?.replaceChildren();
  forget();
}

function arm() {
  clearTimeout(leaving);
  if (result() && !result().matches(':hover, :focus-within')) leaving = setTimeout(close, LASTS_MS);
}
for (const name of ['pointerover', 'pointerout', 'focusin', 'focusout'])
  document.addEventListener(name, ({ target }) => {
    // After the browser has moved the focus.
    if (target.closest?.('#notice')) setTimeout(arm);
  });

document.addEventListener('click', (event) => {
  if (!event.target.closest?.('[data-close-notice]')) return;
  event.preventDefault();
  close();
});

export const showFault = (text) => {
  const shut = make('button', { type: 'button', class: 'icon-btn', 'aria-label': 'Close', 'data-close-notice': '' }, icon('x'));
  region()?.replaceChildren(make('div', { class: 'toast fault', role: 'alert' }, icon('octagon-alert'), make('p', {}, text), shut));
};

const find = (root, item) => root.querySelector(`[data-item="${CSS.escape(item)}"]`);
const keptRows = () => [...document.querySelectorAll('#work [data-kept]')];
let clearing = 0;

function drop() {
  clearTimeout(clearing);
  for (const row of keptRows()) {
    const place = document.querySelector(`#work [data-kept-place="${row.dataset.kept}"]`);
    if (place) {
      letGo(row, place);
      continue;
    }
    const group = row.closest('[data-kept-group]');
    row.remove();
    if (group && !group.querySelector('[data-kept]')) group.remove();
  }
}

/** The card goes to its column with the focus. */
function letGo(card, place) {
  const focused = card.contains(document.activeElement) && document.activeElement;
  place.replaceWith(card);
  delete card.dataset.kept;
  card.classList.remove('is-done');
  focused?.focus({ preventScroll: true });
}

function keptCopy(item) {
  const row = find(document, item);
  if (!row?.matches('#work .rows > .row, #work .cards > .tile')) return null;
  const copy = row.cloneNode(true);
  delete copy.dataset.item;
  copy.removeAttribute('id');
  copy.dataset.kept = item;
  copy.inert = true;
  copy.classList.add('is-done');
  for (const one of copy.querySelectorAll('.pick, .acts, .act-more, .row-menu, .move')) one.remove();
  return { row, copy };
}

const idOf = (group) => group.dataset.keptGroup ?? group.id;
const sameGroup = (root, group) =>
  root.querySelector(`#${CSS.escape(idOf(group))}`) ?? root.querySelector(`[data-kept-group="${CSS.escape(idOf(group))}"]`);

/** An empty copy of a group that the new list lacks, at its old place. */
function keptGroup(work, group) {
  const shell = group.cloneNode(true);
  shell.dataset.keptGroup = idOf(group);
  shell.removeAttribute('id');
  shell.querySelector('.rows').replaceChildren();
  shell.querySelector('summary .sum')?.remove();
  const count = shell.querySelector('summary .n');
  if (count) count.textContent = '0';
  const all = [...document.querySelectorAll('#work details.group')];
  const above = all.slice(0, all.indexOf(group)).reverse();
  const before = above.map((one) => sameGroup(work, one)).find(Boolean);
  if (before) before.after(shell);
  else (work.querySelector('details.group')?.parentElement ?? work).prepend(shell);
  return shell;
}

/** Puts the row where it was, after the same row. */
function keep(work, { row, copy }) {
  const group = row.closest('details.group');
  const column = row.closest('.col')?.dataset.column;
  const place = group
    ? (sameGroup(work, group) ?? keptGroup(work, group))
    : column === undefined
      ? work
      : work.querySelector(`[data-column="${CSS.escape(column)}"]`);
  const list = place?.querySelector('.rows, .cards');
  for (let at = row.previousElementSibling; at; at = at.previousElementSibling) {
    const there = at.dataset.item && list?.querySelector(`[data-item="${at.dataset.item}"]`);
    if (there) return there.after(copy);
  }
  list?.prepend(copy);
}

/** A card that the board still has stays in place itself. A hidden mark holds its new place. */
function stay(work, one, card) {
  const column = card.closest('.col').dataset.column;
  if (!card.matches('.tile.done') || column === one.row.closest('.col')?.dataset.column) return;
  card.before(make('li', { hidden: '', 'data-kept-place': one.item }));
  card.classList.add('is-done');
  card.dataset.kept = one.item;
  keep(work, { ...one, copy: card });
}

document.addEventListener('htmx:before:swap', ({ detail: { ctx, tasks } }) => {
  const main = tasks.find(({ type }) => type === 'main');
  const work = main?.fragment.querySelector('#work');
  if (!work || !document.getElementById('work')) return;
  const before = keptRows().map((row) => ({ row, copy: row.cloneNode(true), item: row.dataset.kept }));
  // A card that was dragged is where it belongs.
  const told =
    ctx.following || ctx.sourceElement.matches?.('[data-drop]')
      ? null
      : tasks.map(({ fragment }) => fragment.querySelector('.toast[data-done]')).find(Boolean);
  const sign = told?.querySelector('.st-done');
  const now = (told?.dataset.done.split(' ') ?? []).flatMap((item) => {
    const kept = keptCopy(item);
    if (!kept) return [];
    kept.copy.querySelector('.c-st')?.replaceChildren(sign.cloneNode(true));
    return [{ ...kept, item }];
  });
  for (const one of [...before, ...now]) {
    const there = find(work, one.item);
    if (!there) keep(work, one);
    else if (there.matches('.tile')) stay(work, one, there);
  }
  if (now.length > 0) {
    clearTimeout(clearing);
    clearing = setTimeout(drop, LASTS_MS);
  }
});
document.addEventListener('pointerout', ({ target, relatedTarget, pointerType }) => {
  // The toast may open below the pointer.
  if (pointerType !== 'mouse' || (relatedTarget as Element)?.closest('#notice')) return;
  const column = target.closest?.('#work .col');
  const list = column?.querySelector('[data-kept]') ? column : target.closest?.('#work');
  if (list && !list.contains(relatedTarget as Element)) drop();
});

document.addEventListener('htmx:after:swap', ({ detail: { ctx } }) => {
  if (!ctx.following) arm();
});
arm();
