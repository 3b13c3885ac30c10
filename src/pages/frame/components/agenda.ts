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
  /** A gap between two, with its length in words; `href` leads to filling it. */
  gap?: boolean;
}

export interface AgendaProps {
  /** First and last hour to show, 0 to 24: what blocks need is added. */
  from: number;
  to: number;
  /** Of the day; 23 or 25 where clocks change. 24 unless given. */
  hours?: number;
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
export function hoursOf({ from, to, hours = 24, blocks, now }: Pick<AgendaProps, 'from' | 'to' | 'hours' | 'blocks' | 'now'>): Hours {
  const minutes = [...blocks.flatMap((block) => [block.from, block.to]), ...(now ? [now.minute] : [])];
  const first = Math.max(0, Math.min(from, ...minutes.map((minute) => Math.floor(minute / 60))));
  const last = Math.min(Math.ceil(hours), Math.max(to, first + 1, ...minutes.map((minute) => Math.ceil(minute / 60))));
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

/** How many can stand side by side and still be read. */
const MOST_BESIDE = 4;

export interface Side {
  /** From 1. */
  at: number;
  of: number;
}

/** Blocks of one lane whose rows overlap, also through others, stand side by side, each in the first place that is free. */
export function sidesOf(blocks: readonly Pick<AgendaBlock, 'lane' | 'from' | 'to'>[], shown: Hours): Side[] {
  const spans = blocks.map((block) => rowsOf(block, shown));
  const sides: Side[] = blocks.map(() => ({ at: 1, of: 1 }));
  for (const lane of ['plan', 'real'] as const) {
    const inOrder = blocks
      .flatMap((block, i) => (block.lane === lane ? [i] : []))
      .sort((a, b) => spans[a]!.start - spans[b]!.start || a - b);
    let together: number[] = [];
    let ends: number[] = [];
    for (const i of inOrder) {
      const { start, length } = spans[i]!;
      if (ends.every((end) => end <= start)) [together, ends] = [[], []];
      const free = ends.findIndex((end) => end <= start);
      const at = free >= 0 ? free : ends.length;
      ends[at] = start + length;
      together.push(i);
      sides[i] = { at: (at % MOST_BESIDE) + 1, of: 1 };
      const of = Math.min(MOST_BESIDE, ends.length);
      for (const one of together) sides[one]!.of = of;
    }
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

function blockOf(block: AgendaBlock, shown: Hours, { at, of }: Side): Html {
  const { start, length } = rowsOf(block, shown);
  const kind = [
    'blk',
    block.lane,
    block.live && 'live',
    block.gap && 'gap',
    length >= 3 && 'tall',
    of > 1 && `of${of} at${at}`,
    `q${start}`,
    `n${length}`,
  ];
  const classes = kind.filter(Boolean).join(' ');
  const content = block.gap ? block.title : html`<b>${block.title}</b>${length >= 2 && block.note && html`<span>${block.note}</span>`}`;
  return block.href === undefined
    ? html`<div class="${classes}">${content}</div>`
    : html`<a class="${classes}" href="${block.href}">${content}</a>`;
}
