/** /my: the user's week with forms to record and plan (behaviour §20.10); /my/timer: switching the timer. */
import { MOST_SHOWN } from '../../overviews/myWeek.ts';
import { addDays, todayIn, weekRange } from '../../values/dates.ts';
import { empty, notice, section } from '../frame/components/boxes.ts';
import { weekKey } from '../frame/components/stream.ts';
import { dayWords, hours } from '../frame/components/when.ts';
import { formsOf } from '../frame/fields.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest } from '../frame/page.ts';
import type { Refusal } from '../frame/submitted.ts';
import { logForm, planForm } from './blocks.ts';
import { weekHours } from './dayAside.ts';
import type { WeekTimes } from './dayTimes.ts';
import { at, labels, loadMyData, type MyContext, type MyData, mayAnywhere, reportLinks, weekWords, workLink } from './landing.ts';
import { emptyLine, lineForm, type ShownLine } from './line.ts';
import { startForm, switchForm } from './timer.ts';
import { utcDays } from './utcDays.ts';
import { switches } from './views.ts';
import { weekDays } from './weekDays.ts';
import { workOffers } from './work.ts';

/** `refused`: a line that was refused. */
export async function showMy(request: PageRequest, refusal?: Refusal, refused?: { line: ShownLine; status: number }): Promise<Answer> {
  const data = await loadMyData(request);
  const shown = { request, data, forms: formsOf(request, labels, refusal) };
  const { monday, clock } = data;
  return {
    title: 'My week',
    follow: 'mine',
    status: refusal?.status ?? refused?.status ?? 200,
    wide: true,
    ...(refusal && { notice: notice('error', refusal.problem) }),
    ...switches(request, {
      ...{ word: 'week', view: 'Days', date: monday, meta: weekWords(monday, clock), isNow: monday === weekRange(clock.today).from },
      ...{ before: `${at(request)}?week=${addDays(monday, -7)}`, now: at(request), after: `${at(request)}?week=${addDays(monday, 7)}` },
    }),
    body: html`<div class="my"><div class="left">${(mayAnywhere(data, 'time') || mayAnywhere(data, 'plans')) && lineForm(request, refused?.line ?? emptyLine(request, `/my?week=${monday}`))}
<div id="work">${await days(shown)}</div></div>
<div class="right" id="beside">${strip(shown)}${forms(shown, refusal)}</div></div>`,
  };
}

async function days(shown: MyContext): Promise<Content> {
  const { entries, blocks, timer, days: minutes, hasMore } = shown.data;
  const all =
    hasMore && notice('info', `This week has more than ${MOST_SHOWN} entries or blocks; the first ${MOST_SHOWN} of each are here.`);
  if (entries.length || blocks.length || (timer && minutes.size)) return html`${all}${await weekDays(shown)}`;
  return empty({
    icon: 'calendar',
    title: 'No time recorded or planned this week',
    text: 'Log or plan time in the line above, or start a timer.',
  });
}

function strip({ request, data }: MyContext): Content {
  const { clock, weeklyMinutes, away } = data;
  const of = weeklyMinutes === null ? 'recorded' : `of ${hours(weeklyMinutes)}`;
  const said = ({ ahead }: WeekTimes) => (ahead > 0 ? `${of} · ${hours(ahead)} still planned` : of);
  return section(
    { title: 'Hours', action: weekKey },
    html`${weekHours(request, { ...data, day: data.monday }, clock, { current: clock.today, said })}
${away.length > 0 && html`<p class="meta">Away: ${away.map((date) => dayWords(date, clock)).join(', ')}</p>`}${utcRule(data)}`,
  );
}

function utcRule({ monday, clock }: MyData): Content {
  const rule = utcDays(monday, clock);
  return rule && html`<p class="meta">${rule} Planned time uses your time zone.</p>`;
}

function forms(shown: MyContext, refusal?: Refusal): Content {
  const { data } = shown;
  const parts = html`${startForm(shown, refusal)}${logForm(shown, todayIn('UTC', data.clock.now), refusal)}${planForm(shown, refusal)}`;
  return section(
    { title: 'More options' },
    html`${workOffers(data, 'time')}${workOffers(data, 'plans')}${parts}${reportLinks(shown.request)}`,
  );
}

export async function showSwitch(request: PageRequest, refusal?: Refusal): Promise<Answer> {
  const data = await loadMyData(request);
  const shown = { request, data, forms: formsOf(request, labels, refusal) };
  const { timer } = data;
  return {
    title: timer ? 'Switch timer' : 'Start a timer',
    status: refusal?.status ?? 200,
    ...(refusal && { notice: notice('error', refusal.problem) }),
    body: html`${workOffers(data, 'time')}${
      timer &&
      html`<p>The timer is running on ${timer.itemId === null ? 'an item you can no longer see' : workLink(request, timer.workspaceId, timer.itemId, timer.itemTitle)}. Switching stops it there.</p>`
    }
<div id="switch">${switchForm(shown, refusal)}</div>`,
  };
}
