// Dropping a bar sends the same form as its menu page, with the version shown. Refused moves are reverted.
const DAY = 86_400_000;
const EDGE = 9;
const REST_MS = 300;
const table = () => document.querySelector('[data-timeline]');
const form = () => document.querySelector('form[data-drop]');
const said = (text) => {
  const region = document.getElementById('timeline-said');
  if (region) region.textContent = text;
};
const barOf = (at) => at?.closest?.('[data-timeline] .tbar');
const rowOf = (bar) => bar.closest('[data-item]');
const titleOf = (bar) => rowOf(bar).querySelector('.t a').textContent;
const later = (date, days) => date && new Date(Date.parse(date) + days * DAY).toISOString().slice(0, 10);
const dayForm = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
const words = ({ s, e }) =>
  [s, e]
    .filter(Boolean)
    .map((date) => dayForm.format(Date.parse(date)))
    .join(' to ');
const endsOf = (bar) => ({ s: bar.dataset.s, e: bar.dataset.e });
const same = (a, b) => a.s === b.s && a.e === b.e;

let moving = null;

function draw(bar, { s, e }) {
  const { from, days } = table().dataset;
  const x = (date) => ((Date.parse(date) - Date.parse(from)) / DAY / days) * 100;
  const held = (value) => Math.min(100, Math.max(0, value));
  const one = 100 / days;
  const [first, last] = [x(s || e), x(e || s) + one];
  for (const rect of bar.querySelectorAll(':scope > rect')) {
    rect.setAttribute('x', `${held(first)}%`);
    rect.setAttribute('width', `${held(last) - held(first)}%`);
  }
  for (const at of bar.querySelectorAll(':scope > svg')) at.setAttribute('x', `${held((first + last) / 2)}%`);
  const told = rowOf(bar).querySelector('.e .when');
  if (told) told.textContent = words({ s, e });
}

/** `part`: start, end or all. Null if the end would be before the start. */
function moved({ s, e }, part, days) {
  const next = { s: part === 'end' && s && e ? s : later(s, days), e: part === 'start' && s && e ? e : later(e, days) };
  return next.s && next.e && next.s > next.e ? null : next;
}

function show(next) {
  if (!next || same(next, moving.now)) return;
  moving.now = next;
  draw(moving.bar, next);
}

function begin(bar) {
  moving = { bar, was: endsOf(bar), now: endsOf(bar), told: rowOf(bar).querySelector('.e .when')?.textContent };
  bar.classList.add('moving');
}

function putBack() {
  const { bar, was, told } = moving;
  moving = null;
  if (!bar.isConnected) return;
  draw(bar, was);
  const shown = rowOf(bar).querySelector('.e .when');
  if (shown) shown.textContent = told;
  bar.classList.remove('moving');
}

function save() {
  const { bar, was, now } = moving;
  if (same(was, now)) return putBack();
  const sending = form();
  sending.elements.version.value = rowOf(bar).dataset.version;
  sending.elements.value.value = `${now.s}..${now.e}`;
  const button = sending.querySelector('button');
  button.setAttribute('formaction', bar.getAttribute('href').split('?')[0]);
  moving.sent = true;
  sending.requestSubmit(button);
}

function leave() {
  const title = titleOf(moving.bar);
  putBack();
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
    putBack();
    said(`${title} was not moved: ${status === 409 ? 'it has changed since you opened the page' : 'the server refused the change'}.`);
  }
});
document.addEventListener('htmx:error', ({ detail: { ctx } }) => {
  if (!moving?.sent || ctx?.sourceElement !== form()) return;
  said(`${titleOf(moving.bar)} was not moved: no connection.`);
  putBack();
});

// Touch drags need a long press, so that scrolling does not drag.
let held = null;
const partAt = (bar, x) => {
  const rect = bar.querySelector('.barr');
  if (!rect || !bar.dataset.s || !bar.dataset.e) return 'all';
  const { left, right } = rect.getBoundingClientRect();
  const edge = Math.min(EDGE, (right - left) / 3);
  if (x < left + edge) return 'start';
  return x > right - edge ? 'end' : 'all';
};
const isOut = (bar) => !bar.querySelector('.barr, .dia');

function take() {
  const { bar, pointer } = held;
  begin(bar);
  bar.setPointerCapture?.(pointer);
  held.taken = true;
}

document.addEventListener('pointerdown', (event) => {
  const bar = barOf(event.target);
  if (!bar || event.button !== 0 || moving || !form() || isOut(bar)) return;
  const { width } = bar.ownerSVGElement.getBoundingClientRect();
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
  const next = moved(moving.was, held.part, Math.round(dx / held.day));
  show(next);
});
function drop() {
  clearTimeout(held?.rest);
  held = null;
}
document.addEventListener('pointerup', () => {
  const taken = held?.taken;
  drop();
  if (!taken || !moving) return;
  // The click after a drag must not open the link.
  addEventListener('click', swallow, { capture: true, once: true });
  setTimeout(() => removeEventListener('click', swallow, true));
  save();
});
const swallow = (event) => {
  event.preventDefault();
  event.stopPropagation();
};
document.addEventListener('pointercancel', () => {
  const taken = held?.taken;
  drop();
  if (taken && moving) putBack();
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
    if (moving?.bar !== bar) begin(bar);
    const next = moved(moving.now, event.shiftKey ? 'end' : 'all', by);
    show(next);
    said(next ? `${words(next)}. Enter saves.` : 'The end would be before the start.');
  } else if (up) {
    const bars = [...table().querySelectorAll('.tbar')];
    bars[bars.indexOf(bar) + up]?.focus();
  } else if (moving?.bar === bar && event.key === 'Enter') save();
  else if (moving?.bar === bar && event.key === 'Escape') leave();
  else return;
  event.preventDefault();
  event.stopPropagation();
});
document.addEventListener('focusout', (event) => {
  if (moving && !moving.sent && !held && moving.bar === barOf(event.target)) leave();
});
