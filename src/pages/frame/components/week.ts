import { type Html, html } from '../html.ts';
import { figure, hours } from './when.ts';

export interface WeekDay {
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
  return plannedMinutes > 0 ? hours(plannedMinutes) : '–';
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
