// Drags cards by mouse, touch and keyboard. Dropping sends the same form as the card's menu. Refused cards move back.
import Sortable from 'sortablejs';
import { openMenu } from './menu.ts';
import { each } from './shared.ts';

const board = () => document.querySelector('[data-board]');
const form = () => document.querySelector('form[data-drop]');
const said = (text) => {
  const region = document.getElementById('board-said');
  if (region) region.textContent = text;
};
const columns = () => [...board().querySelectorAll('.col[data-column]')];
const columnOf = (card) => card.closest('.col');
const titleOf = (card) => `${card.dataset.item} ${card.querySelector('h3').textContent}`;

let moving = null;

function putBack() {
  const { card, list, next } = moving;
  list.insertBefore(card, next?.parentNode === list ? next : null);
  moving = null;
}

const pathOf = (card) => `${board().dataset.board}/items/${card.dataset.item}/change/${board().dataset.field}`;

function drop(card) {
  const column = columnOf(card);
  const value = column.dataset.column;
  if (value === card.dataset.in) return putBack();
  const { title, closedTo } = column.dataset;
  if (closedTo === 'approval') {
    said(`${titleOf(card)} was not moved. To request or give approval, open the item.`);
    return putBack();
  }
  const sending = form();
  if (closedTo === 'reason') {
    putBack();
    const link = card.querySelector('a.move');
    const back = sending.elements.back.value;
    openMenu(link, `${pathOf(card)}?back=${encodeURIComponent(back)}&to=${encodeURIComponent(value)}`);
    return said(`Enter what blocks ${titleOf(card)}.`);
  }
  sending.elements.version.value = card.dataset.version;
  sending.elements.value.value = value;
  const button = sending.querySelector('button');
  button.setAttribute('formaction', pathOf(card));
  moving.title = title;
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
const sorted = new WeakSet();
function sortable(list) {
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
      moving = { card: item, list: item.parentNode, next: item.nextElementSibling };
      board().classList.add('dragging');
      fillWindow(board());
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
  if (event.target.closest?.('[data-board] .tile')) event.preventDefault();
});

// Space picks up and drops, arrows choose the column, Escape cancels.
const picked = () => board()?.querySelector('.tile.picked');
const focusOn = (card) => card?.querySelector('h3 a')?.focus({ preventScroll: true });

function goTo(card) {
  focusOn(card);
  card?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

function pickUp(card) {
  if (card.hasAttribute('data-held') || !form()) return said(`${titleOf(card)} can't be moved here.`);
  moving = { card, list: card.parentNode, next: card.nextElementSibling };
  card.classList.add('picked');
  said(`${titleOf(card)} picked up in ${columnOf(card).dataset.title}. Left and Right choose a column, Space drops it, Escape cancels.`);
}

function letGo(card, dropIt) {
  card.classList.remove('picked');
  for (const column of columns()) column.classList.remove('drop-here');
  if (dropIt) drop(card);
  else {
    putBack();
    said(`Move cancelled. ${titleOf(card)} is still in ${columnOf(card).dataset.title}.`);
  }
  focusOn(card);
}

function carry(card, step) {
  const all = columns();
  const to = all[all.indexOf(columnOf(card)) + step];
  if (!to) return said('No more columns.');
  to.querySelector('.cards').prepend(card);
  for (const column of all) column.classList.toggle('drop-here', column === to);
  focusOn(card);
  card.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  said(`${to.dataset.title}, ${to.querySelector('header .n').textContent}`);
}

function walk(card, key) {
  if (key === 'ArrowUp') return goTo(card.previousElementSibling);
  if (key === 'ArrowDown') return goTo(card.nextElementSibling);
  const all = columns().filter((column) => column.querySelector('.tile'));
  const to = all[all.indexOf(columnOf(card)) + (key === 'ArrowRight' ? 1 : -1)];
  if (!to) return;
  const at = [...card.parentNode.children].indexOf(card);
  const cards = to.querySelectorAll('.tile');
  goTo(cards[Math.min(at, cards.length - 1)]);
}

document.addEventListener('keydown', (event) => {
  const card = event.target.closest?.('[data-board] .tile');
  if (!card || event.target.closest('.move, .chg, input, textarea') || event.ctrlKey || event.metaKey || event.altKey) return;
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
document.addEventListener('focusout', (event) => {
  const card = picked();
  if (!card?.contains(event.target)) return;
  setTimeout(() => {
    if (picked() === card && !card.contains(document.activeElement)) letGo(card, false);
  });
});
