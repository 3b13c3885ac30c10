/** Seven days side by side: what was recorded and planned of each, against the hours one has. */
import { type Html, html } from '../html.ts';
import { hours } from './when.ts';

export interface WeekDay {
  /** "Wed 25" */
  name: string;
  href: string;
  recordedMinutes: number;
  plannedMinutes: number;
  current?: boolean;
}

const HEIGHT = 64;

/** The bar's upper end: 1.4 times a usual day, or the fullest one. */
const fullOf = (days: readonly WeekDay[], dayMinutes: number): number =>
  Math.max(60, dayMinutes * 1.4, ...days.flatMap(({ recordedMinutes, plannedMinutes }) => [recordedMinutes, plannedMinutes]));

const part = (kind: string, minutes: number, full: number) => {
  const height = Math.round((minutes / full) * HEIGHT * 10) / 10;
  return height > 0 && html`<rect class="${kind}" y="${Math.round((HEIGHT - height) * 10) / 10}" width="28" height="${height}"/>`;
};

const wordsOf = ({ recordedMinutes, plannedMinutes }: WeekDay): string =>
  `${recordedMinutes > 0 ? `${hours(recordedMinutes)} recorded` : 'nothing recorded'}, ${plannedMinutes > 0 ? `${hours(plannedMinutes)} planned` : 'nothing planned'}`;

/** Short: 5:10 recorded, else the plan ("6 h"), else a dash. */
function figureOf({ recordedMinutes, plannedMinutes }: WeekDay): string {
  if (recordedMinutes > 0) return `${Math.floor(recordedMinutes / 60)}:${String(recordedMinutes % 60).padStart(2, '0')}`;
  return plannedMinutes > 0 ? hours(plannedMinutes) : '–';
}

/** `dayMinutes`: what a working day has, the dashed line; 0 for none. */
export function weekStrip(days: readonly WeekDay[], dayMinutes: number): Html {
  const full = fullOf(days, dayMinutes);
  const line = Math.round((1 - dayMinutes / full) * HEIGHT * 10) / 10;
  return html`<ol class="week">${days.map(
    (one) =>
      html`<li><a href="${one.href}"${one.current && html` aria-current="date"`}><span>${one.name}</span><svg viewBox="0 0 28 64" role="img" aria-label="${wordsOf(one)}"><rect class="base" width="28" height="64"/>${part('plan', one.plannedMinutes, full)}${part('real', one.recordedMinutes, full)}${
        dayMinutes > 0 && html`<line class="capline" x1="0" x2="28" y1="${line}" y2="${line}"/>`
      }</svg><span>${figureOf(one)}</span></a></li>`,
  )}</ol>`;
}

/** What the two colours mean. */
export const weekKey = html`<span class="key"><svg aria-hidden="true"><rect class="real" width="14" height="10"/></svg>recorded</span><span class="key"><svg aria-hidden="true"><rect class="plan" width="14" height="10"/></svg>planned</span>`;
