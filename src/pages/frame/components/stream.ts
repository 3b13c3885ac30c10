/** The history of an item, oldest first: changes as lines, comments and decisions as cards. */
import { type Content, type Html, html } from '../html.ts';
import { type AvatarProps, avatar } from './avatar.ts';
import { icon } from './icon.ts';
import type { IconName } from './icons.ts';
import { figure, hours } from './when.ts';

export const stream = (entries: Content, id?: string): Html => html`<ol class="stream"${id && html` id="${id}"`}>${entries}</ol>`;

interface ChangeProps {
  icon: IconName;
  text: Content;
  when: Content;
  below?: Content;
  id?: string;
}

export function change({ icon: name, text, when, below, id }: ChangeProps): Html {
  return html`<li class="ev"${id && html` id="${id}"`}><span class="ic">${icon(name, 's')}</span><p>${text} ${when}</p>${below}</li>`;
}

interface SayProps {
  who: AvatarProps | null;
  title: Content;
  when: Content;
  body: Content;
  /** 'agent': written by an agent. */
  kind?: 'comment' | 'decision' | 'rejected' | 'agent';
  sign?: Content;
  badge?: Content;
  /** Content of "Show as submitted". */
  submitted?: Content;
  foot?: Content;
  /** Buttons over the upper edge, on hover and focus. */
  tools?: Content;
  /** A form that replaces the body while it is edited in place. */
  edit?: Content;
  id?: string;
}

const classes = { comment: 'say', decision: 'say decision', rejected: 'say decision rejected', agent: 'say agent' };

export function say({ who, title, when, body, kind = 'comment', sign, badge, submitted, foot, tools, edit, id }: SayProps): Html {
  return html`<li class="${classes[kind]}"${id && html` id="${id}"`}>${avatar(who, { beside: true, noUser: 'Unknown user' })}<article class="card"${edit && html` data-in-place="comment"`}><header>${sign}<b>${title}</b>${badge}${when}</header>${edit ? html`<div class="shown">${body}</div>${edit}` : body}${
    submitted &&
    html`<details><summary>${icon('chevron-right', 's')}Show as submitted</summary><blockquote>${submitted}</blockquote></details>`
  }${foot && html`<footer>${foot}</footer>`}${tools && html`<div class="hov">${tools}</div>`}</article></li>`;
}

export function composer(control: Content, foot: Content): Html {
  return html`<div class="card composer">${control}<footer>${foot}</footer></div>`;
}

export interface AgendaBlock {
  lane: 'plan' | 'real';
  /** Minutes since the start of the day in the user's zone, 0 to 1440. */
  from: number;
  to: number;
  title: Content;
  note?: Content;
  /** Without it the block is not a link. */
  href?: string;
  /** Attributes of a block that can be dragged. */
  drag?: Content;
  /** A running timer. */
  live?: boolean;
  /** A gap between two entries. `href` opens a form to fill it. */
  gap?: boolean;
}

interface AgendaProps {
  /** First and last hour to show, 0 to 24. Extended if blocks need more. */
  from: number;
  to: number;
  /** Hours of the day: 24 by default, 23 or 25 when clocks change. */
  hours?: number;
  blocks: readonly AgendaBlock[];
  planned: Content;
  recorded: Content;
  /** `minute`: minutes since the start of the day; `words`: the time as text. Absent on other days. */
  now?: { minute: number; words: string };
  hourName: (hour: number) => string;
}

const QUARTER = 15;

export interface Hours {
  first: number;
  last: number;
}

export function hoursOf({ from, to, hours = 24, blocks, now }: Pick<AgendaProps, 'from' | 'to' | 'hours' | 'blocks' | 'now'>): Hours {
  const minutes = [...blocks.flatMap((block) => [block.from, block.to]), ...(now ? [now.minute] : [])];
  const first = Math.max(0, Math.min(from, ...minutes.map((minute) => Math.floor(minute / 60))));
  const last = Math.min(Math.ceil(hours), Math.max(to, first + 1, ...minutes.map((minute) => Math.ceil(minute / 60))));
  return { first, last };
}

/** First row (from 1) and number of rows, rounded to quarter hours. At least one row, all within the axis. */
export function rowsOf({ from, to }: { from: number; to: number }, { first, last }: Hours): { start: number; length: number } {
  const rows = (last - first) * 4;
  const nearest = (minute: number) => Math.round((minute - first * 60) / QUARTER);
  const start = Math.min(rows - 1, Math.max(0, nearest(from)));
  const end = Math.min(rows, Math.max(start + 1, nearest(to)));
  return { start: start + 1, length: end - start };
}

/** More blocks side by side would be too narrow to read. */
const MOST_COLUMNS = 4;

/** Column `at` (from 1) of `of` columns side by side. */
type Placed<Block> = Block & { rows: ReturnType<typeof rowsOf>; at: number; of: number };

/** Blocks of one lane that overlap, directly or through others, share the width. Each takes the first free column. */
export function placed<Block extends Pick<AgendaBlock, 'lane' | 'from' | 'to'>>(blocks: readonly Block[], shown: Hours): Placed<Block>[] {
  const all = blocks.map((block) => ({ ...block, rows: rowsOf(block, shown), at: 1, of: 1 }));
  for (const lane of ['plan', 'real']) {
    let together: Placed<Block>[] = [];
    let ends: number[] = [];
    for (const one of all.filter((block) => block.lane === lane).sort((a, b) => a.rows.start - b.rows.start)) {
      const { start, length } = one.rows;
      if (ends.every((end) => end <= start)) [together, ends] = [[], []];
      const free = ends.findIndex((end) => end <= start);
      const at = free >= 0 ? free : ends.length;
      ends[at] = start + length;
      together.push(one);
      one.at = (at % MOST_COLUMNS) + 1;
      for (const other of together) other.of = Math.min(MOST_COLUMNS, ends.length);
    }
  }
  return all;
}

export function agenda(props: AgendaProps): Html {
  const { blocks, planned, recorded, now, hourName } = props;
  const shown = hoursOf(props);
  const nowRow = now && rowsOf({ from: now.minute, to: now.minute }, shown).start;
  const hourRows = Array.from({ length: shown.last - shown.first }, (_, i) => {
    const row = i * 4 + 1;
    const near = nowRow !== undefined && Math.abs(nowRow - row) <= 1;
    return html`<div class="hour q${row} n4">${!near && html`<span>${hourName(shown.first + i)}</span>`}</div>`;
  });
  return html`<div class="lanes"><span></span><span>${planned}</span><span>${recorded}</span></div><div class="agenda">${hourRows}${placed(blocks, shown).map(blockOf)}${
    now && html`<div class="now q${nowRow}"><b>${now.words}</b></div>`
  }</div>`;
}

function blockOf({ rows: { start, length }, at, of, ...block }: Placed<AgendaBlock>): Html {
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
    : html`<a class="${classes}" href="${block.href}"${block.drag}>${content}</a>`;
}

interface WeekDay {
  name: string;
  href: string;
  recordedMinutes: number;
  plannedMinutes: number;
  current?: boolean;
}

const HEIGHT = 64;

/** Minutes at full height: 1.4 times a working day, or the fullest day. */
const fullOf = (days: readonly WeekDay[], dayMinutes: number): number =>
  Math.max(60, dayMinutes * 1.4, ...days.flatMap(({ recordedMinutes, plannedMinutes }) => [recordedMinutes, plannedMinutes]));

const part = (kind: string, minutes: number, full: number) => {
  const height = Math.round((minutes / full) * HEIGHT * 10) / 10;
  const fill = kind === 'plan' && html` fill="url(#week-hatch)"`;
  return height > 0 && html`<rect class="${kind}"${fill} y="${Math.round((HEIGHT - height) * 10) / 10}" width="28" height="${height}"/>`;
};

const wordsOf = ({ recordedMinutes, plannedMinutes }: WeekDay): string =>
  `${recordedMinutes > 0 ? `${hours(recordedMinutes)} recorded` : 'no time recorded'}, ${plannedMinutes > 0 ? `${hours(plannedMinutes)} planned` : 'no time planned'}`;

/** Recorded time ("5:10"), else planned time ("6 h"), else a dash. */
function figureOf({ recordedMinutes, plannedMinutes }: WeekDay): string {
  if (recordedMinutes > 0) return figure(recordedMinutes);
  return figure(plannedMinutes) || '–';
}

/** Fill pattern of planned time. The fixed id is safe, because all strips define the same pattern. */
const hatch = html`<svg class="vh" aria-hidden="true"><defs><pattern id="week-hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path class="hatch-line" d="M0 0v5"/></pattern></defs></svg>`;

/** `dayMinutes`: working time per day, drawn as a dashed line; 0 for none. */
export function weekStrip(days: readonly WeekDay[], dayMinutes: number): Html {
  const full = fullOf(days, dayMinutes);
  const line = Math.round((1 - dayMinutes / full) * HEIGHT * 10) / 10;
  return html`${hatch}<ol class="week">${days.map(
    (one) =>
      html`<li><a href="${one.href}"${one.current && html` aria-current="date"`}><span>${one.name}</span><svg viewBox="0 0 28 64" role="img" aria-label="${wordsOf(one)}"><rect class="base" width="28" height="64"/>${part('plan', one.plannedMinutes, full)}${part('real', one.recordedMinutes, full)}${
        dayMinutes > 0 && html`<line class="capline" x1="0" x2="28" y1="${line}" y2="${line}"/>`
      }</svg><span>${figureOf(one)}</span></a></li>`,
  )}</ol>`;
}

export const weekKey = html`<span class="legend-key"><svg aria-hidden="true"><rect class="real" width="14" height="10"/></svg>recorded</span><span class="legend-key"><svg aria-hidden="true"><rect fill="url(#week-hatch)" width="14" height="10"/></svg>planned</span>`;
