import { openMenu } from './menu.ts';
import { all, around, each, isField, make, queryOf, the } from './shared.ts';

const MOST = 100;
const form = () => document.querySelector<HTMLFormElement>('form[data-bulk]');
const boxes = () => all<HTMLInputElement>('input.pick');
let last: HTMLInputElement | null = null;

/** The box of a row. Cards get theirs when one is needed. */
export const pickIn = (row: HTMLElement): HTMLInputElement | null => {
  const found = row.querySelector<HTMLInputElement>('input.pick');
  const bulk = form();
  if (found || !row.matches('.tile') || !bulk) return found;
  const { item, version } = row.dataset;
  const box = make('input', {
    ...{ type: 'checkbox', class: 'pick', name: 'ids', value: `${item}.${version}` },
    ...{ form: bulk.id, 'aria-label': `Select ${item}` },
  });
  the('.top', row).prepend(box);
  return box;
};

export const selectSeveral = (on: boolean): void => {
  the('#work').classList.toggle('selecting', on);
  document.querySelector('[data-select-mode]')?.setAttribute('aria-pressed', String(on));
  if (on) for (const card of all('[data-board] .tile[data-item]')) pickIn(card);
  else clear();
};

function show() {
  const bulk = form();
  if (!bulk) return;
  const count = boxes().filter((box) => box.checked).length;
  bulk.hidden = count === 0;
  const words = the('[data-selected]', bulk);
  words.setAttribute('aria-live', 'polite');
  words.textContent = count > MOST ? `${count} selected (maximum ${MOST})` : `${count} selected`;
  for (const button of all<HTMLButtonElement>('button[name="change"]', bulk)) button.disabled = count > MOST;
  the('[data-select-all]', bulk).hidden = count === boxes().length;
}

function clear() {
  for (const box of boxes()) box.checked = false;
  last = null;
  show();
}

document.addEventListener('click', ({ target, shiftKey }) => {
  const box = around<HTMLInputElement>(target, 'input.pick');
  if (box) {
    const list = boxes();
    const [from, to] = [last ? list.indexOf(last) : -1, list.indexOf(box)];
    if (shiftKey && from >= 0) for (const one of list.slice(Math.min(from, to), Math.max(from, to) + 1)) one.checked = box.checked;
    last = box;
    return show();
  }
  const mode = around(target, '[data-select-mode]');
  if (mode) {
    selectSeveral(!document.querySelector('#work.selecting'));
    const menu = mode.closest('details');
    if (menu) menu.open = false;
  }
  if (around(target, '[data-select-all]')) {
    for (const one of boxes()) one.checked = true;
    show();
  }
});
document.addEventListener('change', ({ target }) => isField(target) && target.matches('input.pick') && show());
document.addEventListener('reset', (event) => {
  if (event.target !== form()) return;
  event.preventDefault();
  const back = boxes().find((box) => box.checked);
  selectSeveral(false);
  back?.focus();
});

document.addEventListener('keydown', (event) => {
  const { target, key } = event;
  if (key !== 'Escape' || event.defaultPrevented || document.querySelector('[popover]:popover-open, dialog[open], details.pop[open]'))
    return;
  if ((isField(target) && !target.matches('.pick')) || !boxes().some((box) => box.checked)) return;
  event.preventDefault();
  clear();
});

document.addEventListener('submit', (event) => {
  const { target, submitter } = event;
  if (!(target instanceof HTMLFormElement) || target !== form() || !submitter) return;
  event.preventDefault();
  openMenu(submitter, `${target.action}?${queryOf(target, submitter)}`);
});

document.addEventListener('htmx:after:swap', ({ detail: { ctx } }) => {
  const action = ctx.request?.action.split('?')[0] ?? '';
  if (ctx.request?.method === 'POST' && /\/(?:bulk|undo)$/.test(action)) clear();
});
each('form[data-bulk]', show);
