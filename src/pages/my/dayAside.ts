/** The week's hours and the agenda of My day (behaviour §20.3). */
import type { MyDay } from '../../overviews/myDay.ts';
import type { PlanBlock } from '../../plans/schema.ts';
import type { TimeEntry } from '../../time/schema.ts';
import { weekRange } from '../../values/dates.ts';
import type { Clock } from '../frame/clock.ts';
import { section } from '../frame/components/boxes.ts';
import { type AgendaBlock, agenda, weekKey, weekStrip } from '../frame/components/stream.ts';
import { dayWords, hours, timeWords, weekdayName } from '../frame/components/when.ts';
import { type Content, type Html, html } from '../frame/html.ts';
import type { PageRequest } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { hiddenWork } from '../frame/widgets.ts';
import { type DayRange, type DayTimes, timesOf, type Week, type WeekTimes, weekOf } from './dayTimes.ts';
import { blockAnchor, entryAnchor } from './landing.ts';
import { utcDays } from './utcDays.ts';

const WORK_DAYS = 5;
/** Hours that are always shown. */
const [MORNING, EVENING] = [8, 18];

interface Shown {
  request: PageRequest;
  day: MyDay;
  clock: Clock;
}

export function dayAside(shown: Shown): Content {
  const { day, clock } = shown;
  const times = timesOf(day);
  const name = day.day === clock.today ? 'Today' : dayWords(day.day, clock);
  return html`${section({ title: inThisWeek(day, clock) ? 'This week' : 'That week', id: 'week', action: weekKey }, week(shown))}
${section({ title: `${name}, hour by hour`, id: 'agenda' }, html`${axis(shown, times)}${dropForm(shown)}${byHand(shown, times)}${utcRule(shown, times)}`)}`;
}

const inThisWeek = ({ day }: MyDay, { today }: Clock) => weekRange(day).from === weekRange(today).from;

function week({ request, day, clock }: Shown): Html {
  return html`${weekHours(request, day, clock, { current: day.day, said: (figures) => against(figures, day.weeklyMinutes) })}
<p class="meta all"><a href="${request.basePath}/my?week=${weekRange(day.day).from}">Entries and plans of the week</a></p>`;
}

interface WeekStrip {
  /** A day. */
  current: string;
  /** Text after the recorded hours. */
  said(figures: WeekTimes): string;
}

export function weekHours({ basePath }: PageRequest, week: Week & Pick<MyDay, 'weeklyMinutes'>, clock: Clock, strip: WeekStrip): Html {
  const figures = weekOf(week, clock.zone);
  const days = figures.days.map(({ date, recorded, planned }) => ({
    name: weekdayName(date, clock),
    href: `${basePath}/?day=${date}`,
    recordedMinutes: recorded,
    plannedMinutes: planned,
    current: date === strip.current,
  }));
  return html`<p class="tot"><span class="big">${hours(figures.recorded)}</span><span class="meta">${strip.said(figures)}</span></p>
${weekStrip(days, (week.weeklyMinutes ?? 0) / WORK_DAYS)}`;
}

function against({ recorded, ahead }: WeekTimes, weekly: number | null): string {
  const planned = ahead > 0 && `${hours(ahead)} planned`;
  const left = weekly === null ? 0 : weekly - recorded - ahead;
  const rest = weekly !== null && (left < 0 ? `${hours(-left)} over` : `${hours(left)} free`);
  return [weekly === null ? 'recorded' : `of ${hours(weekly)}`, planned, rest].filter(Boolean).join(' · ');
}

function axis({ request, day, clock }: Shown, times: DayTimes): Html {
  const { basePath } = request;
  const monday = weekRange(day.day).from;
  const at = (minute: number) => timeWords(new Date(Date.parse(day.starts) + minute * 60_000).toISOString(), clock);
  const span = (one: DayRange<unknown>) => `${one.before ? '…' : at(one.from)}–${one.after ? '…' : at(one.to)}`;
  const blocks: AgendaBlock[] = [
    ...times.planned.map((one) => ({
      lane: 'plan' as const,
      from: one.from,
      to: one.to,
      title: one.of.title ?? hiddenWork,
      note: [span(one), one.of.state === 'missed' && 'missed', (one.of.remindStart || one.of.remindEnd) && 'reminder']
        .filter(Boolean)
        .join(', '),
      href: `${basePath}/my?week=${monday}#${blockAnchor(one.of.id)}`,
      drag: !one.before && !one.after && dragged(one.of),
    })),
    ...times.recorded.map((one) => ({
      lane: 'real' as const,
      from: one.from,
      to: one.to,
      title: one.of.itemTitle ?? hiddenWork,
      note: `${one.of.endedAt !== null ? `${span(one)} · ` : one.before ? '' : `since ${at(one.from)} · `}${hours(Math.floor(one.to - one.from))}`,
      href: `${basePath}/my?week=${weekRange(one.of.date).from}#${entryAnchor(one.of.id)}`,
      live: one.of.endedAt === null,
    })),
    ...times.gaps.map(({ from, to }) => ({
      lane: 'real' as const,
      from,
      to,
      gap: true,
      title: html`<span class="vh">Record the gap: </span>${hours(to - from)} open`,
      href: `${basePath}/my/line?text=${encodeURIComponent(`${at(from)}-${at(to)} ${day.day} on `)}`,
    })),
  ];
  return agenda({
    from: MORNING,
    to: EVENING,
    hours: times.length / 60,
    blocks,
    planned: `Planned ${hours(times.plannedMinutes)}`,
    recorded: `Recorded ${hours(times.recordedMinutes)}`,
    ...(times.now !== null && { now: { minute: times.now, words: at(times.now) } }),
    hourName: (hour) => at(hour * 60),
  });
}

/** Only a scheduled block moves, as on My week. */
const dragged = ({ id, revision, state, itemId, startLocal, endLocal }: PlanBlock): Content =>
  state === 'scheduled' &&
  itemId !== null &&
  html` draggable="false" data-block="${id}" data-revision="${revision}" data-start="${startLocal}" data-end="${endLocal}"`;

/** The form that a dropped block sends. A script fills it in. */
function dropForm({ request, day }: Shown): Content {
  const hidden = { day: day.day, blockId: '', revision: '', startLocal: '', endLocal: '', wasStart: '', wasEnd: '' };
  return postForm(request, { action: '/my/blocks/move', hidden, live: '#beside', data: { agenda: true } });
}

function byHand({ request }: Shown, { byHand: entries }: DayTimes): Content {
  if (!entries.length) return null;
  const one = ({ id, date, itemTitle, minutes }: TimeEntry) =>
    html`<li><a href="${request.basePath}/my?week=${weekRange(date).from}#${entryAnchor(id)}">${itemTitle ?? hiddenWork}</a> <b>${hours(minutes)}</b></li>`;
  return html`<h3 class="by-hand">Logged without times</h3><ul class="by-hand">${entries.map(one)}</ul>`;
}

/** Only if the person's own day has other recorded time than the UTC day. */
function utcRule({ day, clock }: Shown, { recordedMinutes }: DayTimes): Content {
  const rule = recordedMinutes !== (day.days.get(day.day) ?? 0) && utcDays(day.day, clock);
  return rule && html`<p class="meta">${rule}</p>`;
}
