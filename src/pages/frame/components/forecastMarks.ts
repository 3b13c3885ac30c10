/** Marks on a timeline. Horizontal positions are percentages of the width. */
import { type Html, html } from '../html.ts';

export const diamond = (x: number, y: number): Html =>
  html`<svg x="${x}%" y="${y}" overflow="visible"><path class="dia" d="M0-6 6 0 0 6-6 0Z"/></svg>`;

/** From the forecast date to the date with 25 % more work. `reach`: half the height of the end mark. `open`: ends outside the chart. */
export function whisker(from: number, to: number, { y, reach, open = false }: { y: number; reach: number; open?: boolean }): Html {
  return html`<line class="whisk" x1="${from}%" x2="${to}%" y1="${y}" y2="${y}"/>${
    !open && html`<line class="whisk" x1="${to}%" x2="${to}%" y1="${y - reach}" y2="${y + reach}"/>`
  }`;
}
