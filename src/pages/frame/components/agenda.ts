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

/** The hours to show: those asked for, and whatever a block or the present needs. */
export function hoursOf({ from, to, blocks, now }: Pick<AgendaProps, 'from' | 'to' | 'blocks' | 'now'>): { first: number; last: number } {
  const minutes = [...blocks.flatMap((block) => [block.from, block.to]), ...(now ? [now.minute] : [])];
  const first = Math.max(0, Math.min(from, ...minutes.map((minute) => Math.floor(minute / 60))));
  const last = Math.min(24, Math.max(to, first + 1, ...minutes.map((minute) => Math.ceil(minute / 60))));
  return { first, last };
}

/** Its first row (from 1) and how many: at least one quarter hour, none before or behind the axis. */
export function rowsOf(
  { from, to }: { from: number; to: number },
  { first, last }: { first: number; last: number },
): { start: number; length: number } {
  const rows = (last - first) * 4;
  const start = Math.min(rows - 1, Math.max(0, Math.floor((from - first * 60) / QUARTER)));
  const end = Math.min(rows, Math.max(start + 1, Math.round((to - first * 60) / QUARTER)));
  return { start: start + 1, length: end - start };
}

/** Blocks of one lane that overlap stand side by side, two at most in a row; what comes third lies over the first. */
export function sidesOf(blocks: readonly AgendaBlock[]): ('whole' | 'left' | 'right')[] {
  return blocks.map((block, at) => {
    const others = blocks.filter((other, i) => i !== at && other.lane === block.lane && other.from < block.to && block.from < other.to);
    if (others.length === 0) return 'whole';
    const before = blocks.slice(0, at).filter((other) => others.includes(other)).length;
    return before % 2 === 0 ? 'left' : 'right';
  });
}

export function agenda(props: AgendaProps): Html {
  const { blocks, planned, recorded, now, hourName } = props;
  const shown = hoursOf(props);
  const sides = sidesOf(blocks);
  const nowRow = now && rowsOf({ from: now.minute, to: now.minute }, shown).start;
  const hourRows = Array.from({ length: shown.last - shown.first }, (_, i) => {
    const row = i * 4 + 1;
    const near = nowRow !== undefined && Math.abs(nowRow - row) <= 1;
    return html`<div class="hour q${row}">${!near && html`<span>${hourName(shown.first + i)}</span>`}</div>`;
  });
  return html`<div class="lanes"><span></span><span>${planned}</span><span>${recorded}</span></div><div class="agenda">${hourRows}${blocks.map((block, at) => blockOf(block, shown, sides[at]!))}${
    now && html`<div class="now q${nowRow}"><b>${now.words}</b></div>`
  }</div>`;
}

function blockOf(block: AgendaBlock, shown: { first: number; last: number }, side: 'whole' | 'left' | 'right'): Html {
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
