/** The burn-up of a release: scope and done tasks and hours over time (behaviour §38.7). */
import { scaleLinear, scaleUtc } from 'd3-scale';
import { area, line } from 'd3-shape';
import { type BurnUpPoint, burnUpPoints, countUnrecorded } from '../../items/burnUp.ts';
import { MOST_SUMMED } from '../../overviews/openItem.ts';
import { todayIn } from '../../values/dates.ts';
import { elementAt } from '../../values/records.ts';
import type { Clock } from '../frame/clock.ts';
import { asideSection } from '../frame/components/boxes.ts';
import { chartNumbers } from '../frame/components/row.ts';
import { dayWords, estimate, within } from '../frame/components/when.ts';
import { type Content, type Html, html } from '../frame/html.ts';
import { quantity } from '../frame/widgets.ts';
import type { ItemPage } from './pageOf.ts';

const [WIDTH, HEIGHT, BASE, TOP] = [300, 84, 64, 6] as const;
const round = (value: number) => Math.round(value * 10) / 10;
const time = (date: string) => new Date(`${date}T00:00:00Z`);

interface Measure {
  name: string;
  scope(point: BurnUpPoint): number;
  done(point: BurnUpPoint): number;
  words(value: number): string;
}

const measures: readonly Measure[] = [
  { name: 'Tasks', scope: ({ tasks }) => tasks, done: ({ doneTasks }) => doneTasks, words: (count) => quantity(count, 'task') },
  {
    name: 'Hours',
    scope: ({ hours }) => hours,
    done: ({ doneHours }) => doneHours,
    words: estimate,
  },
];

export async function burnUpPart({ opened: { burnUp }, clock }: ItemPage): Promise<Content> {
  if (!burnUp) return null;
  const points = await burnUpPoints(burnUp, todayIn('UTC', clock.now));
  if (points.length < 2) return null;
  const shown = measures.filter(({ scope }) => points.some((point) => scope(point) > 0));
  return asideSection(
    'Burn-up',
    html`${shown.map((measure) => chart(measure, points, clock))}<p class="meta">Line: scope. Area: done.${burnUp.more && ` Only ${MOST_SUMMED.toLocaleString('en')} items are counted.`}${unrecordedWords(countUnrecorded(burnUp))}</p>${table(points, clock)}`,
    'burn-up',
  );
}

const unrecordedWords = (tasks: number): string =>
  tasks === 0
    ? ''
    : ` ${quantity(tasks, 'task')} began before changes were recorded. Earlier points use only the days of creation and completion.`;

function chart({ name, scope, done, words }: Measure, points: readonly BurnUpPoint[], clock: Clock): Html {
  const [first, last] = [elementAt(points, 0), elementAt(points, points.length - 1)];
  const x = scaleUtc([time(first.date), time(last.date)], [2, WIDTH - 6]);
  const y = scaleLinear([0, Math.max(1, ...points.map(scope))], [BASE, TOP]);
  const across = ({ date }: BurnUpPoint) => round(x(time(date)));
  const to = (value: (point: BurnUpPoint) => number) => line<BurnUpPoint>(across, (point) => round(y(value(point))))(points) ?? '';
  const filled = area<BurnUpPoint>(across, BASE, (point) => round(y(done(point))))(points) ?? '';
  const grown = scope(last) - scope(first);
  const said = `${name}: ${words(done(last))} of ${words(scope(last))} done today. The scope was ${words(scope(first))} on ${within(dayWords(first.date, clock))}${grown === 0 ? '' : grown > 0 ? ` and has grown by ${words(grown)}` : ` and has shrunk by ${words(-grown)}`}.`;
  return html`<p class="of"><b>${words(done(last))}</b> of ${words(scope(last))} done</p><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${said}"><path class="area-f" d="${filled}"/><path class="ln" d="${to(done)}"/><path class="ln scope" d="${to(scope)}"/><path class="ln thin" d="M0 ${BASE}H${WIDTH}"/><text x="0" y="80">${dayWords(first.date, clock)}</text><text x="${WIDTH}" y="80" text-anchor="end">today</text></svg>`;
}

const table = (points: readonly BurnUpPoint[], clock: Clock): Html =>
  chartNumbers(
    'Burn-up in numbers',
    ['Day', 'Tasks', 'Done', 'Hours', 'Done'],
    points.map(({ date, tasks, doneTasks, hours, doneHours }) => [
      dayWords(date, clock),
      tasks,
      doneTasks,
      estimate(hours),
      estimate(doneHours),
    ]),
  );
