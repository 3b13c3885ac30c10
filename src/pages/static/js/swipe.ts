// Touch on rows and cards. A swipe to the right or left presses the row's control with data-swipe; holding selects several. The row's menus
// have the same actions. Vertical scrolling stays with the browser (touch-action in rows.css).
import { openMenu } from './menu.ts';
import { rowTools } from './rows.ts';
import { pickIn, selectSeveral } from './select.ts';
import { around, each, icon, make } from './shared.ts';

const ROW = '.row[data-item], .told[data-item]';
const HELD = '[data-rows] .row[data-item], [data-board] .tile[data-item]';
const ACTS_PX = 72;
const BEGINS_PX = 12;
const HOLD_MS = 450;
/** At the screen's edges the system's own gestures begin. */
const EDGE_PX = 20;

const SIDES = ['right', 'left'] as const;
type Side = (typeof SIDES)[number];
interface Touch {
  /** The row that a swipe moves; null if the touch can only be held. */
  row: HTMLElement | null;
  x: number;
  y: number;
  id: number;
  /** The elements behind the row, which name the action of each direction. */
  boxes: Map<Side, HTMLElement>;
  side: Side | null;
  far: boolean;
}

let touch: Touch | null = null;
let holding = 0;
/** The click that follows a swipe or a hold opens nothing. */
let quiet = false;

const selecting = () => document.querySelector('#work.selecting') !== null;
const controlOf = (row: HTMLElement, side: Side) =>
  side === 'right' && row.matches('.done') ? null : row.querySelector<HTMLElement>(`[data-swipe="${side}"]`);

/** The element behind the row: icon and verb of the action that releasing the row starts. */
function under(side: Side, control: HTMLElement): HTMLElement {
  const { verb = '' } = control.dataset;
  const sign = icon(side === 'right' ? 'check' : verb === 'Snooze' ? 'alarm-clock' : 'calendar-plus', 'l');
  return make('span', { class: `under to-${side}`, 'aria-hidden': 'true' }, sign, make('b', {}, verb));
}

function start(event: PointerEvent): void {
  const { target, pointerType, isPrimary, clientX, clientY } = event;
  end();
  quiet = false;
  if (pointerType !== 'touch' || !isPrimary || around(target, 'input, textarea, select, details[open]:not(.group), .renaming')) return;
  const held = around(target, HELD);
  if (held && !selecting()) holding = setTimeout(hold, HOLD_MS, held);
  const row = selecting() || clientX < EDGE_PX || clientX > innerWidth - EDGE_PX ? null : around(target, ROW);
  if (row || held) touch = { row, x: clientX, y: clientY, id: event.pointerId, boxes: new Map(), side: null, far: false };
}

function move({ clientX, clientY, pointerId }: PointerEvent): void {
  if (!touch) return;
  const [x, y] = [clientX - touch.x, clientY - touch.y];
  if (Math.hypot(x, y) > BEGINS_PX) clearTimeout(holding);
  const { row } = touch;
  if (!row || pointerId !== touch.id) return;
  if (!touch.side && !begin(row, touch, x, y)) return;
  const side = x > 0 ? 'right' : 'left';
  const shift = touch.boxes.has(side) ? x : 0;
  touch.far = Math.abs(shift) > ACTS_PX;
  touch.side = side;
  row.style.transform = `translateX(${shift}px)`;
  row.classList.toggle('acting', touch.far);
}

function begin(row: HTMLElement, { id, boxes }: Touch, x: number, y: number): boolean {
  if (Math.abs(y) > BEGINS_PX || Math.abs(x) < BEGINS_PX) {
    if (Math.abs(y) > BEGINS_PX) touch = null;
    return false;
  }
  rowTools?.(row);
  for (const side of SIDES) {
    const control = controlOf(row, side);
    if (control) boxes.set(side, under(side, control));
  }
  if (boxes.size === 0) {
    touch = null;
    return false;
  }
  getSelection()?.removeAllRanges();
  row.append(...boxes.values());
  row.classList.add('swiping');
  row.setPointerCapture(id);
  return true;
}

/** The row springs back; beyond the threshold it acts. */
function end(): void {
  clearTimeout(holding);
  const { row, side, boxes } = touch ?? {};
  touch = null;
  if (!row || !side) return;
  quiet = true;
  row.classList.remove('swiping', 'acting');
  row.style.removeProperty('transform');
  for (const box of boxes?.values() ?? []) box.remove();
}

function up() {
  const { row, side, far } = touch ?? {};
  end();
  const control = far && row && side && controlOf(row, side);
  if (control) act(control);
}

function act(control: HTMLElement): void {
  if (control.dataset.opens) openMenu(control, control.dataset.opens);
  else control.click();
}

function hold(row: HTMLElement): void {
  const box = pickIn(row);
  touch = null;
  if (!box) return;
  getSelection()?.removeAllRanges();
  quiet = true;
  selectSeveral(true);
  box.click();
}

// Where nothing hovers, a button opens the menu of a row. On phones there is no room for it.
if (matchMedia('(hover: none) and (min-width: 740px)').matches)
  each('[data-rows] .row[data-item]', (row) => {
    const at = document.getElementById('row-tools')?.dataset.at;
    const { item } = row.dataset;
    if (!at || row.querySelector('.row-menu')) return;
    const link = {
      class: 'icon-btn row-menu',
      href: `${at + item}/menu`,
      'data-menu': '',
      tabindex: '-1',
      'aria-label': `Actions for ${item}`,
    };
    row.append(make('a', link, icon('ellipsis')));
  });

document.addEventListener('pointerdown', start);
document.addEventListener('pointermove', move);
document.addEventListener('pointerup', up);
document.addEventListener('pointercancel', end);
// Otherwise a quick swipe is a fling to Chromium, and it drops the click of the next tap, which may be on Undo. The listener is on the rows,
// because scrolling has to wait for it.
const preventFling = (event: TouchEvent) => touch?.side && event.cancelable && event.preventDefault();
each(ROW, (row) => row.addEventListener('touchmove', preventFling, { passive: false }));
// Holding a link would open its menu.
document.addEventListener('contextmenu', (event) => {
  if (event.pointerType === 'touch' && around(event.target, HELD)) event.preventDefault();
});
document.addEventListener(
  'click',
  (event) => {
    if (!event.isTrusted) return;
    const row = selecting() ? around(event.target, HELD) : null;
    if (!quiet && (!row || around(event.target, '.pick'))) return;
    event.preventDefault();
    event.stopPropagation();
    if (!quiet && row) pickIn(row)?.click();
  },
  true,
);
