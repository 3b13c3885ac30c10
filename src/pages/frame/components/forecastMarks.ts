/** What stands on a line of time beside the bar of the work left. Positions along it are percentages of its width. */
import { type Html, html } from '../html.ts';

/** The target. */
export const diamond = (x: number, y: number): Html =>
  html`<svg x="${x}%" y="${y}" overflow="visible"><path class="dia" d="M0-6 6 0 0 6-6 0Z"/></svg>`;

/** From the forecast to the date with a quarter more work. `reach`: half the height of its end; `open`: it goes on beyond the line. */
export function whisker(from: number, to: number, { y, reach, open = false }: { y: number; reach: number; open?: boolean }): Html {
  return html`<line class="whisk" x1="${from}%" x2="${to}%" y1="${y}" y2="${y}"/>${
    !open && html`<line class="whisk" x1="${to}%" x2="${to}%" y1="${y - reach}" y2="${y + reach}"/>`
  }`;
}
