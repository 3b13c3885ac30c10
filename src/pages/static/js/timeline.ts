// Dropping a bar sends the same form as its menu page, with the version shown. Refused moves are reverted.
import { clockNow, monthDay } from './clock.ts';
import { all, around, setValue, swallowClick, the } from './shared.ts';

/** Start and end date; one may be empty. */
interface Span {
  s: string;
  e: string;
}

interface Move {
  bar: SVGElement;
  was: Span;
  now: Span;
  /** The dates shown before. */
  told: string;
  sent?: boolean;
}

type Part = 'start' | 'end' | 'all';

const DAY = 86_400_000;
const EDGE = 9;
const REST_MS = 300;
const table = () => the('[data-timeline]');
const form = () => document.querySelector<HTMLFormElement>('form[data-drop]');
const said = (text: string) => {
  const region = document.getElementById('timeline-said');
  if (region) region.textContent = text;
};
const barOf = (at: EventTarget | null) => around<SVGElement>(at, '[data-timeline] .tbar');
const rowOf = (bar: SVGElement) => bar.closest<HTMLElement>('[data-item]');
const titleOf = (bar: SVGElement) => rowOf(bar)?.querySelector('.t a')?.textContent;
const datesIn = (bar: SVGElement) => rowOf(bar)?.querySelector('.e .when');
const later = (date: string, days: number) => date && new Date(Date.parse(date) + days * DAY).toISOString().slice(0, 10);
const words = ({ s, e }: Span) =>
  [s, e]
    .filter(Boolean)
    .map((date) => monthDay(date, clockNow()))
    .join(' to ');
const endsOf = ({ dataset: { s = '', e = '' } }: SVGElement): Span => ({ s, e });
const same = (a: Span, b: Span) => a.s === b.s && a.e === b.e;

let moving: Move | null = null;

function draw(bar: SVGElement, { s, e }: Span): void {
  const { from = '' } = table().dataset;
  const days = Number(table().dataset.days);
  const x = (date: string) => ((Date.parse(date) - Date.parse(from)) / DAY / days) * 100;
  const held = (value: number) => Math.min(100, Math.max(0, value));
  const one = 100 / days;
  const [first, last] = [x(s || e), x(e || s) + one];
  for (const rect of bar.querySelectorAll(':scope > rect')) {
    rect.setAttribute('x', `${held(first)}%`);
    rect.setAttribute('width', `${held(last) - held(first)}%`);
  }
  for (const at of bar.querySelectorAll(':scope > svg')) at.setAttribute('x', `${held((first + last) / 2)}%`);
  const told = datesIn(bar);
  if (told) told.textContent = words({ s, e });
}

/** `part`: start, end or all. Null if the end would be before the start. */
function moved({ s, e }: Span, part: Part, days: number): Span | null {
  const next = { s: part === 'end' && s && e ? s : later(s, days), e: part === 'start' && s && e ? e : later(e, days) };
  return next.s && next.e && next.s > next.e ? null : next;
}

function show(move: Move, next: Span | null): void {
  if (!next || same(next, move.now)) return;
  move.now = next;
  draw(move.bar, next);
}

function begin(bar: SVGElement): Move {
  moving = { bar, was: endsOf(bar), now: endsOf(bar), told: datesIn(bar)?.textContent ?? '' };
  bar.classList.add('moving');
  return moving;
}

function putBack({ bar, was, told }: Move): void {
  moving = null;
  if (!bar.isConnected) return;
  draw(bar, was);
  const shown = datesIn(bar);
  if (shown) shown.textContent = told;
  bar.classList.remove('moving');
}

function save(move: Move) {
  const { bar, was, now } = move;
  const sending = form();
  if (!sending || same(was, now)) return putBack(move);
  setValue(sending, 'version', rowOf(bar)?.dataset.version ?? '');
  setValue(sending, 'value', `${now.s}..${now.e}`);
  const button = the('button', sending);
  button.setAttribute('formaction', (bar.getAttribute('href') ?? '').split('?', 1).join());
  move.sent = true;
  sending.requestSubmit(button);
}

function leave(move: Move): void {
  const title = titleOf(move.bar);
  putBack(move);
  said(`${title} was not moved.`);
}

document.addEventListener('htmx:after:request', ({ detail: { ctx } }) => {
  if (!moving?.sent || ctx.sourceElement !== form()) return;
  const { bar, now } = moving;
  const { status } = ctx.response;
  if (status < 400) {
    said(`${titleOf(bar)}: ${words(now)}.`);
    bar.classList.remove('moving');
    moving = null;
  } else {
    const title = titleOf(bar);
    putBack(moving);
    said(`${title} was not moved: ${status === 409 ? 'it has changed since you opened the page' : 'the server refused the change'}.`);
  }
});
document.addEventListener('htmx:error', ({ detail: { ctx } }) => {
  if (!moving?.sent || ctx?.sourceElement !== form()) return;
  said(`${titleOf(moving.bar)} was not moved: no connection.`);
  putBack(moving);
});

// Touch drags need a long press, so that scrolling does not drag.
let held: { bar: SVGElement; pointer: number; x: number; part: Part; day: number; rest?: number; taken?: boolean } | null = null;
const partAt = (bar: SVGElement, x: number): Part => {
  const rect = bar.querySelector('.barr');
  if (!rect || !bar.dataset.s || !bar.dataset.e) return 'all';
  const { left, right } = rect.getBoundingClientRect();
  const edge = Math.min(EDGE, (right - left) / 3);
  if (x < left + edge) return 'start';
  return x > right - edge ? 'end' : 'all';
};
const isOut = (bar: SVGElement) => !bar.querySelector('.barr, .dia');

function take(): void {
  if (!held) return;
  begin(held.bar);
  held.bar.setPointerCapture(held.pointer);
  held.taken = true;
}

document.addEventListener('pointerdown', (event) => {
  const bar = barOf(event.target);
  const chart = bar?.ownerSVGElement;
  if (!bar || !chart || event.button !== 0 || moving || !form() || isOut(bar)) return;
  const { width } = chart.getBoundingClientRect();
  held = { bar, pointer: event.pointerId, x: event.clientX, part: partAt(bar, event.clientX), day: width / Number(table().dataset.days) };
  if (event.pointerType === 'touch') held.rest = setTimeout(take, REST_MS);
});
document.addEventListener('pointermove', (event) => {
  if (!held) {
    const bar = event.pointerType === 'mouse' && barOf(event.target);
    if (bar) bar.toggleAttribute('data-at', !isOut(bar) && partAt(bar, event.clientX) !== 'all');
    return;
  }
  const dx = event.clientX - held.x;
  if (!held.taken) {
    if (Math.abs(dx) < 5) return;
    if (held.rest !== undefined) return drop();
    take();
  }
  if (moving) show(moving, moved(moving.was, held.part, Math.round(dx / held.day)));
});
function drop() {
  clearTimeout(held?.rest);
  held = null;
}
document.addEventListener('pointerup', () => {
  const taken = held?.taken;
  drop();
  if (!taken || !moving) return;
  swallowClick();
  save(moving);
});
document.addEventListener('pointercancel', () => {
  const taken = held?.taken;
  drop();
  if (taken && moving) putBack(moving);
});
document.addEventListener('touchmove', (event) => held?.taken && event.preventDefault(), { passive: false });
document.addEventListener('contextmenu', (event) => held?.taken && event.preventDefault());
document.addEventListener('dragstart', (event) => barOf(event.target) && event.preventDefault());

// Arrows move by a day, with Shift the end. Enter saves; Escape or leaving the bar cancels.
document.addEventListener('keydown', (event) => {
  const bar = barOf(event.target);
  if (!bar || event.ctrlKey || event.metaKey || event.altKey) return;
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const up = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (by && form()) {
    if (moving?.sent) return event.preventDefault();
    const move = moving?.bar === bar ? moving : begin(bar);
    const next = moved(move.now, event.shiftKey ? 'end' : 'all', by);
    show(move, next);
    said(next ? `${words(next)}. Enter saves.` : 'The end would be before the start.');
  } else if (up) {
    const bars = all<SVGElement>('.tbar', table());
    bars[bars.indexOf(bar) + up]?.focus();
  } else if (moving?.bar === bar && event.key === 'Enter') save(moving);
  else if (moving?.bar === bar && event.key === 'Escape') leave(moving);
  else return;
  event.preventDefault();
  event.stopPropagation();
});
document.addEventListener('focusout', (event) => {
  if (moving && !moving.sent && !held && moving.bar === barOf(event.target)) leave(moving);
});
