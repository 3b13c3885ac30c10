/** A day hour by hour in two lanes: planned (dashed) and recorded (solid) on one axis of quarter hours. */
import { type Content, type Html, html } from '../html.ts';

export interface AgendaBlock {
  lane: 'plan' | 'real';
  /** Minutes since the day's begin in the person's zone, 0 to 1440. */
  from: number;
  to: number;
  title: Content;
  /** "09:10–10:25 · 1 h 15" */
  note?: Content;
  /** Without it nothing happens on a click. */
  href?: string;
  /** Runs now. */
  live?: boolean;
  /** A gap between two, with its length in words. */
  gap?: boolean;
}

export interface AgendaProps {
  /** First and last hour to show, 0 to 24: what blocks need is added. */
  from: number;
  to: number;
  blocks: readonly AgendaBlock[];
  /** "Planned 6 h" */
  planned: Content;
  recorded: Content;
  /** Minutes since the day's begin, and what the clock says; absent on other days. */
  now?: { minute: number; words: string };
  hourName: (hour: number) => string;
}

const QUARTER = 15;

export interface Hours {
  first: number;
  last: number;
}

/** The hours to show: those asked for, and whatever a block or the present needs. */
export function hoursOf({ from, to, blocks, now }: Pick<AgendaProps, 'from' | 'to' | 'blocks' | 'now'>): Hours {
  const minutes = [...blocks.flatMap((block) => [block.from, block.to]), ...(now ? [now.minute] : [])];
  const first = Math.max(0, Math.min(from, ...minutes.map((minute) => Math.floor(minute / 60))));
  const last = Math.min(24, Math.max(to, first + 1, ...minutes.map((minute) => Math.ceil(minute / 60))));
  return { first, last };
}

/** Its first row (from 1) and how many, to the nearest quarter: at least one, none before or behind the axis. */
export function rowsOf({ from, to }: { from: number; to: number }, { first, last }: Hours): { start: number; length: number } {
  const rows = (last - first) * 4;
  const nearest = (minute: number) => Math.round((minute - first * 60) / QUARTER);
  const start = Math.min(rows - 1, Math.max(0, nearest(from)));
  const end = Math.min(rows, Math.max(start + 1, nearest(to)));
  return { start: start + 1, length: end - start };
}

export type Side = 'whole' | 'left' | 'right';

/** Blocks of one lane that overlap stand side by side; what comes third lies over the first. */
export function sidesOf(blocks: readonly AgendaBlock[], shown: Hours): Side[] {
  const spans = blocks.map((block) => ({ lane: block.lane, ...rowsOf(block, shown) }));
  const sides: Side[] = [];
  for (const [at, one] of spans.entries()) {
    const beside = spans.flatMap((other, i) =>
      i !== at && other.lane === one.lane && other.start < one.start + one.length && one.start < other.start + other.length ? [i] : [],
    );
    const before = beside.filter((i) => i < at).map((i) => sides[i]);
    sides.push(beside.length === 0 ? 'whole' : before.includes('left') && !before.includes('right') ? 'right' : 'left');
  }
  return sides;
}

export function agenda(props: AgendaProps): Html {
  const { blocks, planned, recorded, now, hourName } = props;
  const shown = hoursOf(props);
  const sides = sidesOf(blocks, shown);
  const nowRow = now && rowsOf({ from: now.minute, to: now.minute }, shown).start;
  const hourRows = Array.from({ length: shown.last - shown.first }, (_, i) => {
    const row = i * 4 + 1;
    const near = nowRow !== undefined && Math.abs(nowRow - row) <= 1;
    return html`<div class="hour q${row} n4">${!near && html`<span>${hourName(shown.first + i)}</span>`}</div>`;
  });
  return html`<div class="lanes"><span></span><span>${planned}</span><span>${recorded}</span></div><div class="agenda">${hourRows}${blocks.map((block, at) => blockOf(block, shown, sides[at]!))}${
    now && html`<div class="now q${nowRow}"><b>${now.words}</b></div>`
  }</div>`;
}

function blockOf(block: AgendaBlock, shown: Hours, side: Side): Html {
  const { start, length } = rowsOf(block, shown);
  const kind = [
    'blk',
    block.lane,
    block.live && 'live',
    block.gap && 'gap',
    length >= 3 && 'tall',
    side !== 'whole' && side,
    `q${start}`,
    `n${length}`,
  ];
  const classes = kind.filter(Boolean).join(' ');
  if (block.gap) return html`<span class="${classes}">${block.title}</span>`;
  const content = html`<b>${block.title}</b>${length >= 2 && block.note && html`<span>${block.note}</span>`}`;
  return block.href === undefined
    ? html`<div class="${classes}">${content}</div>`
    : html`<a class="${classes}" href="${block.href}">${content}</a>`;
}
