/** Recorded and planned time per day, editable in place (behaviour §20.10). */
import type { PlanBlock } from '../../plans/schema.ts';
import type { EarlierEntry, TimeEntry } from '../../time/schema.ts';
import { addDays, daysBetween, instantToLocal, todayIn } from '../../values/dates.ts';
import { inPieces } from '../../values/pieces.ts';
import { keysOf } from '../../values/records.ts';
import type { Clock } from '../frame/clock.ts';
import { group } from '../frame/components/boxes.ts';
import { icon } from '../frame/components/icon.ts';
import { badge } from '../frame/components/marks.ts';
import { dayWords, fullDay, hours, longDay, momentWithin, timeWords, within } from '../frame/components/when.ts';
import { type Content, type Html, html } from '../frame/html.ts';
import { changes, moves } from './blocks.ts';
import { blockAnchor, entryAnchor, type MyContext, type MyData, workLink } from './landing.ts';

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
  const { monday, blocks, entries } = shown.data;
  const planned = await inPieces(
    blocks,
    (block): Timed => ({ date: dayOfBlock(block, shown.data), at: block.startsAt, row: blockRow(shown, block) }),
  );
  const recorded = await inPieces(entries, (entry): Timed => {
    const date = entry.date < monday ? monday : entry.date;
    return { date, at: entry.startedAt, row: entryRow(shown, entry, date) };
  });
  const byDay = Map.groupBy([...planned, ...recorded], ({ date }) => date);
  return Array.from({ length: 7 }, (_, n) => addDays(monday, n)).map((date) => dayOf(shown.data, date, byDay.get(date) ?? []));
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

function entryRow(shown: MyContext, entry: TimeEntry, date: string): Html {
  const { request, data } = shown;
  const { startedAt, endedAt } = entry;
  return timeRow({
    id: entryAnchor(entry.id),
    landed: request.query.get('landed') === entryAnchor(entry.id),
    sign: icon(startedAt ? 'timer' : 'pencil', 's'),
    when: startedAt && endedAt ? spanWords(startedAt, endedAt, data) : 'By hand',
    what: workLink(request, entry.workspaceId, entry.itemId, entry.itemTitle),
    length: hours(entry.minutes),
    facts: html`${entry.corrected && badge('plain', 'history', entry.minutes === 0 && !startedAt ? 'removed' : 'corrected')}${countsOn(entry, date, data)}`,
    note: html`${entry.note && html`<p class="text">${entry.note}</p>`}${earlierVersions(data, entry)}`,
    acts: changes(shown, entry),
  });
}

/** "09:10–10:25", plus the day if it is another one. */
function spanWords(from: string, to: string, { clock }: MyData): string {
  const same = todayIn(clock.zone, from) === todayIn(clock.zone, to);
  return `${timeWords(from, clock)}–${same ? '' : `${dayWords(todayIn(clock.zone, to), clock)} `}${timeWords(to, clock)}`;
}

/** Shown if an entry counts on another day (behaviour §9.1, §20.3). */
function countsOn({ startedAt, date }: TimeEntry, shownOn: string, { clock }: MyData): Content {
  if (!startedAt) return null;
  const local = todayIn(clock.zone, startedAt);
  if (local === date && date === shownOn) return null;
  return badge('plain', 'info', `started ${within(dayWords(local, clock))}, counts on ${longDay(date, clock)} (UTC day)`);
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
