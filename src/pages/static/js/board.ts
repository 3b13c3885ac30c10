// Drags cards by mouse, touch and keyboard. Dropping sends the same form as the card's menu. Refused cards move back.
import Sortable from 'sortablejs';
import { openMenu } from './menu.ts';
import { all, around, each, fieldValue, setValue, the } from './shared.ts';

interface Move {
  card: HTMLElement;
  list: HTMLElement;
  /** The card below. */
  next: Element | null;
  /** The title of the new column. */
  title?: string;
}

const board = () => document.querySelector<HTMLElement>('[data-board]');
const form = () => document.querySelector<HTMLFormElement>('form[data-drop]');
const said = (text: string) => {
  const region = document.getElementById('board-said');
  if (region) region.textContent = text;
};
const columns = () => all('[data-board] .col[data-column]');
const columnOf = (card: HTMLElement) => card.closest<HTMLElement>('.col');
const titleOf = (card: HTMLElement) => `${card.dataset.item} ${the('h3', card).textContent}`;

let moving: Move | null = null;

function begin(card: HTMLElement): void {
  const list = card.parentElement;
  moving = list && { card, list, next: card.nextElementSibling };
}

function putBack(): void {
  if (!moving) return;
  const { card, list, next } = moving;
  list.insertBefore(card, next?.parentNode === list ? next : null);
  moving = null;
}

function pathOf(card: HTMLElement): string {
  const { board: at, field } = the('[data-board]').dataset;
  return `${at}/items/${card.dataset.item}/change/${field}`;
}

function drop(card: HTMLElement) {
  const { column: value, title, closedTo } = columnOf(card)?.dataset ?? {};
  const sending = form();
  if (!sending || value === undefined || value === card.dataset.in) return putBack();
  if (closedTo === 'approval') {
    said(`${titleOf(card)} was not moved. To request or give approval, open the item.`);
    return putBack();
  }
  if (closedTo === 'reason') {
    putBack();
    const back = fieldValue(sending, 'back');
    openMenu(the('a.move', card), `${pathOf(card)}?back=${encodeURIComponent(back)}&to=${encodeURIComponent(value)}`);
    return said(`Enter what blocks ${titleOf(card)}.`);
  }
  setValue(sending, 'version', card.dataset.version ?? '');
  setValue(sending, 'value', value);
  const button = the('button', sending);
  button.setAttribute('formaction', pathOf(card));
  if (moving) moving.title = title;
  card.classList.add('sent');
  sending.requestSubmit(button);
}

document.addEventListener('htmx:after:request', ({ detail: { ctx } }) => {
  if (!moving || ctx.sourceElement !== form()) return;
  const { card, title } = moving;
  card.classList.remove('sent');
  if (ctx.response.status < 400) {
    said(`${titleOf(card)} moved to ${title}.`);
    moving = null;
  } else {
    const { status } = ctx.response;
    const why = status === 409 ? 'it has changed since you opened the page' : 'the server refused the change';
    said(`${titleOf(card)} was not moved: ${why}.`);
    putBack();
  }
});
document.addEventListener('htmx:error', ({ detail: { ctx } }) => {
  if (!moving || ctx?.sourceElement !== form()) return;
  moving.card.classList.remove('sent');
  said(`${titleOf(moving.card)} was not moved: no connection.`);
  putBack();
});

/** While a card is dragged, columns reach to the end of the window, and none shrinks when its card leaves. */
function fillWindow(at: HTMLElement) {
  at.style.minHeight = `${Math.max(at.offsetHeight, innerHeight - at.getBoundingClientRect().top)}px`;
}

// Touch drags need a long press, so that scrolling does not drag.
const sorted = new WeakSet<HTMLElement>();
function sortable(list: HTMLElement): void {
  if (sorted.has(list) || !form()) return;
  sorted.add(list);
  Sortable.create(list, {
    group: 'board',
    draggable: '.tile:not([data-held])',
    filter: 'a.move, .chg',
    preventOnFilter: false,
    sort: false,
    forceFallback: true,
    fallbackOnBody: true,
    fallbackTolerance: 5,
    fallbackClass: 'drag',
    ghostClass: 'ghost',
    animation: matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 120,
    delay: 180,
    delayOnTouchOnly: true,
    touchStartThreshold: 6,
    scroll: true,
    onStart({ item }) {
      begin(item);
      const at = the('[data-board]');
      at.classList.add('dragging');
      fillWindow(at);
    },
    onMove({ to }) {
      for (const column of columns()) column.classList.toggle('drop-here', column.contains(to));
    },
    onEnd({ item }) {
      board()?.classList.remove('dragging');
      board()?.style.removeProperty('min-height');
      for (const column of columns()) column.classList.remove('drop-here');
      if (moving) drop(item);
    },
  });
}
each('[data-board] .cards', sortable);
// The browser's own drag of a link would end ours.
document.addEventListener('dragstart', (event) => {
  if (around(event.target, '[data-board] .tile')) event.preventDefault();
});

// Space picks up and drops, arrows choose the column, Escape cancels.
const picked = () => document.querySelector<HTMLElement>('[data-board] .tile.picked');
const focusOn = (card: Element | null | undefined) => card?.querySelector<HTMLElement>('h3 a')?.focus({ preventScroll: true });

function goTo(card: Element | null | undefined): void {
  focusOn(card);
  card?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

function pickUp(card: HTMLElement) {
  if (card.hasAttribute('data-held') || !form()) return said(`${titleOf(card)} can't be moved here.`);
  begin(card);
  card.classList.add('picked');
  said(`${titleOf(card)} picked up in ${columnOf(card)?.dataset.title}. Left and Right choose a column, Space drops it, Escape cancels.`);
}

function letGo(card: HTMLElement, dropIt: boolean): void {
  card.classList.remove('picked');
  for (const column of columns()) column.classList.remove('drop-here');
  if (dropIt) drop(card);
  else {
    putBack();
    said(`Move cancelled. ${titleOf(card)} is still in ${columnOf(card)?.dataset.title}.`);
  }
  focusOn(card);
}

function carry(card: HTMLElement, step: number) {
  const found = columns();
  const to = found[found.findIndex((column) => column.contains(card)) + step];
  if (!to) return said('No more columns.');
  the('.cards', to).prepend(card);
  for (const column of found) column.classList.toggle('drop-here', column === to);
  focusOn(card);
  card.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  said(`${to.dataset.title}, ${the('header .n', to).textContent}`);
}

function walk(card: HTMLElement, key: string) {
  if (key === 'ArrowUp') return goTo(card.previousElementSibling);
  if (key === 'ArrowDown') return goTo(card.nextElementSibling);
  const found = columns().filter((column) => column.querySelector('.tile'));
  const to = found[found.findIndex((column) => column.contains(card)) + (key === 'ArrowRight' ? 1 : -1)];
  if (!to) return;
  const at = [...(card.parentElement?.children ?? [])].indexOf(card);
  const cards = to.querySelectorAll('.tile');
  goTo(cards[Math.min(at, cards.length - 1)]);
}

document.addEventListener('keydown', (event) => {
  const card = around(event.target, '[data-board] .tile');
  if (!card || around(event.target, '.move, .chg, input, textarea') || event.ctrlKey || event.metaKey || event.altKey) return;
  const carried = picked() === card;
  const arrow = event.key.startsWith('Arrow');
  if (event.key === ' ') {
    if (carried) letGo(card, true);
    else pickUp(card);
  } else if (carried && event.key === 'Escape') letGo(card, false);
  else if (carried && event.key === 'Enter') letGo(card, true);
  else if (carried && (event.key === 'ArrowLeft' || event.key === 'ArrowRight')) carry(card, event.key === 'ArrowRight' ? 1 : -1);
  else if (!carried && arrow) walk(card, event.key);
  else if (!carried) return;
  event.preventDefault();
  event.stopPropagation();
});
// Moving the focus away cancels the move.
document.addEventListener('focusout', ({ target }) => {
  const card = picked();
  if (!card || !(target instanceof Node) || !card.contains(target)) return;
  setTimeout(() => {
    if (picked() === card && !card.contains(document.activeElement)) letGo(card, false);
  });
});
