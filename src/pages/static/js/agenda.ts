// The mouse drags a planned block of the agenda to another time, in quarters of an hour. Dropping sends the form of the day. Escape or a
// refused move puts the block back.
import { around, setValue, swallowClick } from './shared.ts';

/** A drag of a block; `left`: ended by Escape. */
interface Drag {
  block: HTMLElement;
  quarter: number;
  first: number;
  last: number;
  y: number;
  by: number;
  note: string;
  taken?: boolean;
  left?: boolean;
}

const MINUTES = 15;
const form = () => document.querySelector<HTMLFormElement>('form[data-agenda]');
const later = (local: string, by: number) => new Date(Date.parse(`${local}Z`) + by * MINUTES * 60_000).toISOString().slice(0, 16);

let held: Drag | null = null;
let sent: Drag | null = null;
function draw({ block, quarter, by, note }: Drag): void {
  block.style.translate = by === 0 ? '' : `0 ${by * quarter}px`;
  const told = block.querySelector('span');
  const { start = '', end = '' } = block.dataset;
  if (told) told.textContent = by === 0 ? note : `${later(start, by).slice(11)}–${later(end, by).slice(11)}`;
}
function putBack(one: Drag): void {
  one.block.classList.remove('moving');
  if (one.block.isConnected) draw({ ...one, by: 0 });
}

document.addEventListener('pointerdown', (event) => {
  const block = around(event.target, '.blk[data-block]');
  const agenda = block?.parentElement;
  if (!agenda || event.button !== 0 || event.pointerType !== 'mouse' || !form() || sent) return;
  const quarter = agenda.clientHeight / (agenda.querySelectorAll('.hour').length * 4);
  const first = Math.round(-block.offsetTop / quarter);
  const last = Math.round((agenda.clientHeight - block.offsetTop - block.offsetHeight) / quarter);
  held = { block, quarter, first, last, y: event.clientY, by: 0, note: block.querySelector('span')?.textContent ?? '' };
});
document.addEventListener('pointermove', (event) => {
  if (!held || held.left) return;
  const { block, quarter, first, last, y } = held;
  const moved = event.clientY - y;
  if (!held.taken && Math.abs(moved) < 5) return;
  if (!held.taken) block.setPointerCapture(event.pointerId);
  held.taken = true;
  block.classList.add('moving');
  held.by = Math.min(last, Math.max(first, Math.round(moved / quarter)));
  draw(held);
});
function leave() {
  if (held?.taken) putBack(held);
  held = null;
}
document.addEventListener('pointerup', () => {
  if (!held?.taken) return leave();
  swallowClick();
  const { block, by } = held;
  const day = form();
  if (by === 0 || held.left || !block.isConnected || !day) return leave();
  const { start = '', end = '', block: id = '', revision = '' } = block.dataset;
  const values = { blockId: id, revision, startLocal: later(start, by), endLocal: later(end, by), wasStart: start, wasEnd: end };
  for (const [name, value] of Object.entries(values)) setValue(day, name, value);
  [sent, held] = [held, null];
  day.requestSubmit();
});
document.addEventListener('pointercancel', leave);
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || !held?.taken) return;
  putBack(held);
  held.left = true;
  event.stopPropagation();
});

// A new agenda comes with the answer.
document.addEventListener('htmx:after:request', ({ detail: { ctx } }) => {
  if (sent && ctx.sourceElement === form()) sent = null;
});
document.addEventListener('htmx:error', ({ detail: { ctx } }) => {
  if (!sent || ctx?.sourceElement !== form()) return;
  putBack(sent);
  sent = null;
});
