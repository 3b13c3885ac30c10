import { type Html, html } from '../html.ts';
import { percentOf } from './ring.ts';

/** In hours or in number of items. */
export interface Sums {
  done: number;
  inProgress: number;
  total: number;
}

/** Whole percentages of the total. Their sum is at most 100; both are 0 without a total. */
export function partsOf({ done, inProgress, total }: Sums): { done: number; inProgress: number } {
  if (!(total > 0)) return { done: 0, inProgress: 0 };
  const doneOf = percentOf(done / total);
  return { done: doneOf, inProgress: Math.min(100 - doneOf, percentOf(inProgress / total)) };
}

/** `label` replaces "26 % done, 31 % more in progress". */
export function progressBar(sums: Sums, label?: string): Html {
  const { done, inProgress } = partsOf(sums);
  const words = label ?? `${done} % done${inProgress > 0 ? `, ${inProgress} % more in progress` : ''}`;
  return html`<svg class="prog" role="img" aria-label="${words}">${
    inProgress > 0 && html`<rect class="b" width="${done + inProgress}%" height="100%"/>`
  }${done > 0 && html`<rect width="${done}%" height="100%"/>`}</svg>`;
}
