// Rows and cards of items marked done stay until the pointer leaves the list or column, at most 10 seconds.
import { all, around, make } from './shared.ts';

const LASTS_MS = 10_000;
const KEPT = '#work [data-kept]';
let clearing = 0;

const findItem = (root: ParentNode, item: string) => root.querySelector<HTMLElement>(`[data-item="${CSS.escape(item)}"]`);

function dropKept(): void {
  clearTimeout(clearing);
  for (const row of all(KEPT)) {
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
function letGo(card: HTMLElement, place: Element): void {
  const { activeElement } = document;
  place.replaceWith(card);
  delete card.dataset.kept;
  card.classList.remove('is-done');
  if (activeElement instanceof HTMLElement && card.contains(activeElement)) activeElement.focus({ preventScroll: true });
}

interface Kept {
  item: string;
  /** The row on the page. */
  row: HTMLElement;
  /** Its row in the new page. */
  copy: HTMLElement;
}

function copyOf(row: HTMLElement): HTMLElement {
  const copy = document.importNode(row, true);
  delete copy.dataset.item;
  copy.removeAttribute('id');
  return copy;
}

function keptCopy(item: string): Kept | null {
  const row = findItem(document, item);
  if (!row?.matches('#work .rows > .row, #work .cards > .tile')) return null;
  const copy = copyOf(row);
  copy.dataset.kept = item;
  copy.inert = true;
  copy.classList.add('is-done');
  for (const one of all('.pick, .acts, .act-more, .row-menu, .move', copy)) one.remove();
  return { item, row, copy };
}

const idOf = (group: HTMLElement): string => group.dataset.keptGroup ?? group.id;
const sameGroup = (root: ParentNode, group: HTMLElement): Element | null =>
  root.querySelector(`#${CSS.escape(idOf(group))}`) ?? root.querySelector(`[data-kept-group="${CSS.escape(idOf(group))}"]`);

/** An empty copy of a group that the new list lacks, at its old place. */
function keptGroup(work: Element, group: HTMLElement): Element {
  const shell = copyOf(group);
  shell.dataset.keptGroup = idOf(group);
  shell.querySelector('.rows')?.replaceChildren();
  shell.querySelector('summary .sum')?.remove();
  const count = shell.querySelector('summary .n');
  if (count) count.textContent = '0';
  const groups = all('#work details.group');
  const above = groups.slice(0, groups.indexOf(group)).reverse();
  const before = above.map((one) => sameGroup(work, one)).find(Boolean);
  if (before) before.after(shell);
  else (work.querySelector('details.group')?.parentElement ?? work).prepend(shell);
  return shell;
}

const columnOf = (row: Element): string | undefined => row.closest<HTMLElement>('.col')?.dataset.column;

/** The group or column of the new page, or all of it. */
function placeIn(work: Element, row: HTMLElement): Element | null {
  const group = row.closest<HTMLElement>('details.group');
  if (group) return sameGroup(work, group) ?? keptGroup(work, group);
  const column = columnOf(row);
  return column === undefined ? work : work.querySelector(`[data-column="${CSS.escape(column)}"]`);
}

/** Puts the row where it was, after the same row. */
function keep(work: Element, { row, copy }: Kept) {
  const list = placeIn(work, row)?.querySelector('.rows, .cards');
  for (let at = row.previousElementSibling; at; at = at.previousElementSibling) {
    const item = at instanceof HTMLElement && at.dataset.item;
    const there = item && list ? findItem(list, item) : null;
    if (there) return there.after(copy);
  }
  list?.prepend(copy);
}

/** A card that the board still has stays in place itself. A hidden mark holds its new place. */
function stay(work: Element, one: Kept, card: HTMLElement): void {
  if (!card.matches('.tile.done') || columnOf(card) === columnOf(one.row)) return;
  card.before(make('li', { hidden: '', 'data-kept-place': one.item }));
  card.classList.add('is-done');
  card.dataset.kept = one.item;
  keep(work, { ...one, copy: card });
}

/** Items that the answer says are done now. */
function doneNow(tasks: readonly HtmxTask[]): Kept[] {
  const told = tasks.map(({ fragment }) => fragment.querySelector<HTMLElement>('.toast[data-done]')).find(Boolean);
  const sign = told?.querySelector('.st-done');
  const kept = (told?.dataset.done?.split(' ') ?? []).map(keptCopy).filter((one) => one !== null);
  for (const { copy } of kept) copy.querySelector('.c-st')?.replaceChildren(...(sign ? [sign.cloneNode(true)] : []));
  return kept;
}

document.addEventListener('htmx:before:swap', ({ detail: { ctx, tasks } }) => {
  const work = tasks.find(({ type }) => type === 'main')?.fragment.querySelector('#work');
  if (!work || !document.getElementById('work')) return;
  const before = all(KEPT).map((row) => ({ row, copy: document.importNode(row, true), item: row.dataset.kept ?? '' }));
  // A card that was dragged is where it belongs.
  const now = ctx.following || ctx.sourceElement.matches('[data-drop]') ? [] : doneNow(tasks);
  for (const one of [...before, ...now]) {
    const there = findItem(work, one.item);
    if (!there) keep(work, one);
    else if (there.matches('.tile')) stay(work, one, there);
  }
  if (now.length > 0) {
    clearTimeout(clearing);
    clearing = window.setTimeout(dropKept, LASTS_MS);
  }
});
document.addEventListener('pointerout', ({ target, relatedTarget, pointerType }) => {
  // The toast may open below the pointer.
  if (pointerType !== 'mouse' || around(relatedTarget, '#notice')) return;
  const column = around(target, '#work .col');
  const list = column?.querySelector('[data-kept]') ? column : around(target, '#work');
  if (list && !(relatedTarget instanceof Node && list.contains(relatedTarget))) dropKept();
});
