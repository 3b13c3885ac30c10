/** Recorded and planned time per day, editable in place (behaviour §20.10). */
import type { PlanBlock } from '../../plans/schema.ts';
import { minutesByDay } from '../../time/correction.ts';
import type { EarlierEntry, TimeEntry } from '../../time/schema.ts';
import { addDays, daysBetween, instantToLocal, todayIn } from '../../values/dates.ts';
import { inPieces } from '../../values/pieces.ts';
import { keysOf } from '../../values/records.ts';
import type { Clock } from '../frame/clock.ts';
import { group } from '../frame/components/boxes.ts';
import { icon } from '../frame/components/icon.ts';
import { badge } from '../frame/components/marks.ts';
import { dayWords, fullDay, hours, momentWithin, timeWords, weekdayName, within } from '../frame/components/when.ts';
import { type Content, type Html, html } from '../frame/html.ts';
import { changes, moves } from './blocks.ts';
import { blockAnchor, entryAnchor, type MyContext, type MyData, mayIn, workLink } from './landing.ts';

/** Earlier versions of a corrected entry (behaviour §28.6). */
type After = Pick<EarlierEntry, 'itemId' | 'note'>;

function earlierVersions({ earlier: all, clock }: Pick<MyData, 'earlier' | 'clock'>, entry: TimeEntry): Content {
  const before = all.get(entry.id);
  if (!before) return null;
  // A hidden item has no id here. 0 differs from every id.
  const now: After = { itemId: entry.itemId ?? 0, note: entry.note };
  return html`<ul class="was">${before.map((one, n) => html`<li>${wordsOf(one, before[n - 1] ?? now, clock)}</li>`)}</ul>`;
}

function wordsOf(one: EarlierEntry, after: After, clock: Clock): Content {
  const other = one.itemId !== after.itemId && html` on ${one.itemTitle ?? 'an item that you cannot see'}`;
  const note = one.note !== after.note && one.note !== '' && html` with the note “${one.note}”`;
  return html`was <del>${hours(one.minutes ?? 0)}, ${placeOf(one, clock)}${other}${note}</del>, changed ${momentWithin(one.replacedAt, clock)}: ${one.reason}`;
}

function placeOf({ startedAt, endedAt, date }: EarlierEntry, clock: Clock): string {
  if (!startedAt) return within(dayWords(date, clock));
  const day = within(dayWords(todayIn(clock.zone, startedAt), clock));
  return `${day}, ${timeWords(startedAt, clock)}–${endedAt ? timeWords(endedAt, clock) : ''}`;
}

/** A row, and when it is shown. */
interface Timed {
  date: string;
  at: string | null;
  row: Html;
}

export async function weekDays(shown: MyContext): Promise<Content> {
  const { blocks, entries, timer } = shown.data;
  const planned = await inPieces(
    blocks,
    (block): Timed => ({ date: dayOfBlock(block, shown.data), at: block.startsAt, row: blockRow(shown, block) }),
  );
  const recorded = await inPieces(timer ? [...entries, timer] : entries, (entry) => entryRows(shown, entry));
  const byDay = Map.groupBy([...planned, ...recorded.flat()], ({ date }) => date);
  return Array.from({ length: 7 }, (_, n) => addDays(shown.data.monday, n)).map((date) => dayOf(shown.data, date, byDay.get(date) ?? []));
}

function dayOf({ clock, days }: MyData, date: string, rows: Timed[]): Content {
  if (rows.length === 0) return null;
  const minutes = days.get(date);
  return group(
    {
      id: `day-${date}`,
      title: titleOf(date, clock),
      count: rows.length,
      sum: minutes !== undefined && html`<b>${hours(minutes)}</b> recorded`,
      rows: 'times',
    },
    inOrder(rows),
  );
}

/** Sorted by start; entries without start time come last. */
const inOrder = (rows: Timed[]): Html[] =>
  rows
    .sort((one, other) => Number(one.at === null) - Number(other.at === null) || (one.at ?? '').localeCompare(other.at ?? ''))
    .map(({ row }) => row);

function titleOf(date: string, clock: Clock): string {
  const name = fullDay(date, clock);
  return Math.abs(daysBetween(clock.today, date)) <= 1 ? `${dayWords(date, clock)}, ${name}` : name;
}

/** In the user's time zone. A block that began before the week is shown on its first day. */
function dayOfBlock({ startsAt }: PlanBlock, { clock, monday }: MyData): string {
  const date = todayIn(clock.zone, startsAt);
  return date < monday ? monday : date;
}

interface TimeRow {
  id: string;
  /** The entry was just added. */
  landed: boolean;
  sign: Content;
  when: Content;
  what: Content;
  length: string;
  facts: Content;
  note: Content;
  acts: Content;
}

const timeRow = ({ id, landed, sign, when, what, length, facts, note, acts }: TimeRow): Html =>
  html`<li class="time${landed && ' landed'}" id="${id}">${sign}<span class="when">${when}</span><div class="what">${what}${facts && html` <span class="facts">${facts}</span>`}${note}</div><b class="length">${length}</b><div class="does">${acts}</div></li>`;

/** A row for each UTC day of the week on which the entry has time; if it has none, one on its first day. */
function entryRows(shown: MyContext, entry: TimeEntry): Timed[] {
  const { monday, now } = shown.data;
  const { kind, startedAt, endedAt, date: day, minutes } = entry;
  const all = [...minutesByDay({ kind, started_at: startedAt, ended_at: endedAt, day, minutes }, now)].map(([date, part]) => ({
    date,
    part,
  }));
  const held = all.filter(({ part }) => part > 0);
  return (held.length > 0 ? held : all.slice(0, 1))
    .filter(({ date }) => date >= monday && date <= addDays(monday, 6))
    .map(({ date, part }, n) => ({ date, at: startedAt, row: entryRow(shown, entry, { date, part, isFirst: n === 0 }) }));
}

interface DayPart {
  date: string;
  /** Minutes on this day. */
  part: number;
  isFirst: boolean;
}

/** An entry is changed on the first of its days. The running timer has its own bar. */
function entryRow(shown: MyContext, entry: TimeEntry, { date, part, isFirst }: DayPart): Html {
  const { request, data } = shown;
  const { startedAt, endedAt, minutes } = entry;
  const runs = data.timer?.id === entry.id;
  const id = isFirst ? entryAnchor(entry.id) : `${entryAnchor(entry.id)}-${date}`;
  return timeRow({
    id,
    landed: request.query.get('landed') === id,
    sign: icon(startedAt ? 'timer' : 'pencil', 's'),
    when: startedAt ? spanWords(startedAt, endedAt, data, date) : 'By hand',
    what: workLink(request, entry.workspaceId, entry.itemId, entry.itemTitle),
    length: hours(part),
    facts: html`${runs && badge('accent', 'timer', 'Timer running')}${entry.corrected && badge('plain', 'history', minutes === 0 && !startedAt ? 'removed' : 'corrected')}${part !== minutes && html` <span class="meta">of ${hours(minutes)}</span>`}`,
    note: isFirst && html`${entry.note && html`<p class="text">${entry.note}</p>`}${earlierVersions(data, entry)}`,
    acts: isFirst && !runs && mayIn(data, 'time', entry.workspaceId) && changes(shown, entry),
  });
}

/** "09:10–10:25", with the user's day where it is not `date`, or ends on another one. `to`: null means now. */
function spanWords(from: string, to: string | null, { clock }: Pick<MyData, 'clock'>, date = todayIn(clock.zone, from)): string {
  const starts = todayIn(clock.zone, from);
  const ends = to === null ? starts : todayIn(clock.zone, to);
  const first = starts === date ? '' : `${weekdayName(starts, clock).slice(0, 3)} `;
  const last = to === null ? 'now' : `${ends === starts ? '' : `${dayWords(ends, clock)} `}${timeWords(to, clock)}`;
  return `${first}${timeWords(from, clock)}–${last}`;
}

function blockRow(shown: MyContext, block: PlanBlock): Html {
  const { request, data } = shown;
  const minutes = Math.floor((Date.parse(block.endsAt) - Date.parse(block.startsAt)) / 60_000);
  return timeRow({
    id: blockAnchor(block.id),
    landed: request.query.get('landed') === blockAnchor(block.id),
    sign: icon('calendar', 's'),
    when: spanWords(block.startsAt, block.endsAt, data),
    what: workLink(request, block.workspaceId, block.itemId, block.title),
    length: hours(minutes),
    facts: blockFacts(block, data),
    note: block.note && html`<p class="text">${block.note}</p>`,
    acts: moves(shown, block),
  });
}

const stateBadges = {
  scheduled: badge('plain', 'calendar', 'planned'),
  running: badge('accent', 'timer', 'running'),
  finished: badge('green', 'check', 'finished'),
  cancelled: badge('plain', 'x', 'cancelled'),
  missed: badge('amber', 'triangle-alert', 'missed'),
} as const;

const promises = {
  autoStart: () => 'starts the timer',
  autoStop: () => 'stops the timer',
  remindStart: ({ remindMinutes }: PlanBlock) =>
    remindMinutes ? `reminder ${hours(remindMinutes)} before the start` : 'reminder at the start',
  remindEnd: () => 'reminder before the end',
};

function blockFacts(block: PlanBlock, { clock }: MyData): Content {
  const kept = block.state === 'scheduled' ? keysOf(promises).filter((name) => block[name]) : [];
  const there = block.timezone !== clock.zone && instantToLocal(block.startsAt, block.timezone).slice(11);
  const facts = [
    ...kept.map((name) => promises[name](block)),
    ...(there ? [`${there} in ${block.timezone}`] : []),
    block.reason ?? '',
  ].filter(Boolean);
  return html`${stateBadges[block.state]}${facts.length > 0 && html` <span class="meta">${facts.join(', ')}</span>`}`;
}
