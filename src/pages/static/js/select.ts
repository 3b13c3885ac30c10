import { openMenu } from './menu.ts';
import { each, make } from './shared.ts';

const MOST = 100;
const form = () => document.querySelector('form[data-bulk]');
const boxes = () => [...document.querySelectorAll('input.pick')];
let last = null;

/** The box of a row. Cards get theirs when one is needed. */
export const pickIn = (row) => {
  const found = row.querySelector('input.pick');
  if (found || !row.matches('.tile') || !form()) return found;
  const { item, version } = row.dataset;
  const box = make('input', {
    ...{ type: 'checkbox', class: 'pick', name: 'ids', value: `${item}.${version}` },
    ...{ form: form().id, 'aria-label': `Select ${item}` },
  });
  row.querySelector('.top').prepend(box);
  return box;
};

export const selectSeveral = (on) => {
  document.getElementById('work').classList.toggle('selecting', on);
  document.querySelector('[data-select-mode]')?.setAttribute('aria-pressed', String(on));
  if (on) for (const card of document.querySelectorAll('[data-board] .tile[data-item]')) pickIn(card);
  else clear();
};

function show() {
  const bulk = form();
  if (!bulk) return;
  const count = boxes().filter((box) => box.checked).length;
  bulk.hidden = count === 0;
  const words = bulk.querySelector('[data-selected]');
  words.setAttribute('aria-live', 'polite');
  words.textContent = count > MOST ? `${count} selected (maximum ${MOST})` : `${count} selected`;
  for (const button of bulk.querySelectorAll('button[name="change"]')) button.disabled = count > MOST;
  const all = bulk.querySelector('[data-select-all]');
  all.hidden = count === boxes().length;
}

function clear() {
  for (const box of boxes()) box.checked = false;
  last = null;
  show();
}

document.addEventListener('click', (event) => {
  const box = event.target.closest?.('input.pick');
  if (box) {
    const all = boxes();
    const [from, to] = [all.indexOf(last), all.indexOf(box)].sort((a, b) => a - b);
    if (event.shiftKey && from >= 0) for (const one of all.slice(from, to + 1)) one.checked = box.checked;
    last = box;
    return show();
  }
  const mode = event.target.closest?.('[data-select-mode]');
  if (mode) {
    selectSeveral(!document.querySelector('#work.selecting'));
    const menu = mode.closest('details');
    if (menu) menu.open = false;
  }
  if (event.target.closest?.('[data-select-all]')) {
    for (const one of boxes()) one.checked = true;
    show();
  }
});
document.addEventListener('change', ({ target }) => target.matches?.('input.pick') && show());
document.addEventListener('reset', (event) => {
  if (event.target !== form()) return;
  event.preventDefault();
  const back = boxes().find((box) => box.checked);
  selectSeveral(false);
  back?.focus();
});

document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || event.defaultPrevented || document.querySelector('[popover]:popover-open, dialog[open], details.pop[open]'))
    return;
  if (event.target.matches?.('input:not(.pick), textarea, select') || !boxes().some((box) => box.checked)) return;
  event.preventDefault();
  clear();
});

document.addEventListener('submit', (event) => {
  if (event.target !== form() || !event.submitter) return;
  event.preventDefault();
  const fields = new URLSearchParams(new FormData(event.target as HTMLFormElement, event.submitter) as never);
  openMenu(event.submitter, `${event.target.action}?${fields}`);
});

document.addEventListener('htmx:after:swap', ({ detail: { ctx } }) => {
  const action = ctx.request?.action ?? '';
  if (ctx.request?.method === 'POST' && /\/(?:bulk|undo)$/.test(action.split('?')[0])) clear();
});
each('form[data-bulk]', show);
