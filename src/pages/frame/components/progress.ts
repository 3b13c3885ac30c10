/** The progress of a sum as a bar: what is done, then what is in progress. */
import { type Html, html } from '../html.ts';
import { percentOf } from './ring.ts';

/** In hours, or in a number of items. */
export interface Sums {
  done: number;
  inProgress: number;
  total: number;
}

/** Whole percents of the total; the parts never exceed it, and without a total there are none. */
export function partsOf({ done, inProgress, total }: Sums): { done: number; inProgress: number } {
  if (!(total > 0)) return { done: 0, inProgress: 0 };
  const doneOf = percentOf(done / total);
  return { done: doneOf, inProgress: Math.min(100 - doneOf, percentOf(inProgress / total)) };
}

/** `label`: what is said instead of "26 % done, 31 % more in progress". */
export function progressBar(sums: Sums, label?: string): Html {
  const { done, inProgress } = partsOf(sums);
  const words = label ?? `${done} % done${inProgress > 0 ? `, ${inProgress} % more in progress` : ''}`;
  return html`<svg class="prog" role="img" aria-label="${words}">${
    inProgress > 0 && html`<rect class="b" width="${done + inProgress}%" height="100%"/>`
  }${done > 0 && html`<rect width="${done}%" height="100%"/>`}</svg>`;
}
