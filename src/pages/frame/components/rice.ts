/** A RICE score with its parts: reach × impact × confidence / effort. */
import { type Content, type Html, html } from '../html.ts';

export interface RiceProps {
  /** Null while a value is missing. */
  score: number | null;
  reach: number | null;
  impact: number | null;
  /** Percent. */
  confidence: number | null;
  effort: number | null;
  place?: Content;
}

const figure = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });
const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

/** Scores from 100 as whole numbers: 1,387. */
export const scoreWords = (score: number): string => (score >= 100 ? whole : figure).format(score);

export function rice({ score, reach, impact, confidence, effort, place }: RiceProps): Html {
  const of = (value: number | null, before = '', after = '') => (value === null ? '–' : `${before}${figure.format(value)}${after}`);
  return html`<div class="rice"><p class="big">${score === null ? html`<b>–</b><span class="meta">needs all four values</span>` : html`<b>${scoreWords(score)}</b>`}${
    place && html`<span class="meta">${place}</span>`
  }</p><dl class="calc"><div><dt>Reach</dt><dd>${of(reach)}</dd></div><div><dt>Impact</dt><dd>${of(impact, '× ')}</dd></div><div><dt>Confidence</dt><dd>${of(confidence, '× ', ' %')}</dd></div><div><dt>Effort</dt><dd>${of(effort, '÷ ')}</dd></div></dl></div>`;
}
