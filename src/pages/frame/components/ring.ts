import { type Html, html } from '../html.ts';

/** A progress ring. `fraction`: 0 to 1. `label`: its words ("60 % done"). `beside`: hidden from screen readers. */
export function ring(fraction: number, label: string, how?: 'big' | 'beside'): Html {
  const percent = percentOf(fraction);
  const said = how === 'beside' ? html` aria-hidden="true"` : html` role="img" aria-label="${label}"`;
  return html`<svg class="ring${how === 'big' && ' big'}" viewBox="0 0 18 18"${said}><title>${label}</title><circle cx="9" cy="9" r="6.5"/>${
    percent > 0 &&
    html`<circle class="on" cx="9" cy="9" r="6.5" pathLength="100" stroke-dasharray="${percent} 100" transform="rotate(-90 9 9)"/>`
  }</svg>`;
}

/** Whole percentage. Anything between nothing and all gives 1 to 99. */
export function percentOf(fraction: number): number {
  if (!(fraction > 0)) return 0;
  return fraction >= 1 ? 100 : Math.min(99, Math.max(1, Math.round(fraction * 100)));
}
