import type { Outlook } from '../../../capacity/forecast/schema.ts';
import { ownValue } from '../../../values/records.ts';
import type { LabelColor } from '../../../workspaces/labelSchema.ts';
import { type Content, type Html, html } from '../html.ts';
import { icon } from './icon.ts';
import type { IconName } from './icons.ts';
import { type Approval, statusIcon } from './status.ts';

export const mark = html`<svg class="mark" viewBox="0 0 20 20" aria-hidden="true" focusable="false"><g fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round"><circle cx="10" cy="10" r="8.1" stroke-width="2.4" opacity=".28"/><path d="M10 1.9a8.1 8.1 0 0 1 5.73 13.83" stroke-width="2.4"/><path d="M10 5.6V10l2.9 2.9" stroke-width="2.2"/></g></svg>`;

/** Marks on a timeline. Horizontal positions are percentages of the width. */
export const diamond = (x: number, y: number): Html =>
  html`<svg x="${x}%" y="${y}" overflow="visible"><path class="dia" d="M0-6 6 0 0 6-6 0Z"/></svg>`;

/** From the forecast date to the date with 25 % more work. `reach`: half the height of the end mark. `open`: ends outside the chart. */
export function whisker(from: number, to: number, { y, reach, open = false }: { y: number; reach: number; open?: boolean }): Html {
  return html`<line class="whisk" x1="${from}%" x2="${to}%" y1="${y}" y2="${y}"/>${
    !open && html`<line class="whisk" x1="${to}%" x2="${to}%" y1="${y - reach}" y2="${y + reach}"/>`
  }`;
}

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

interface ChipProps {
  label: string;
  value?: Content;
  icon?: IconName;
  /** The menu; without it the chip is not a link. */
  href?: string;
  removeHref?: string;
  opens?: boolean;
  attributes?: Content;
}

export function chip({ label, value, icon: name, href, removeHref, opens, attributes }: ChipProps): Html {
  const said = [name && icon(name, 's'), label, value !== undefined && html` <b>${value}</b>`, opens && icon('chevron-down', 's')];
  const first = href === undefined ? html`<span>${said}</span>` : html`<a href="${href}"${attributes}>${said}</a>`;
  const remove = `Remove the filter ${label}`;
  return html`<span class="chip">${first}${removeHref !== undefined && html`<a href="${removeHref}" aria-label="${remove}" title="${remove}">${icon('x', 's')}</a>`}</span>`;
}

export function addChip(label: string, href: string, attributes?: Content): Html {
  return html`<span class="chip add"><a href="${href}"${attributes}>${icon('plus', 's')}${label}</a></span>`;
}

export type Tone = 'plain' | 'red' | 'amber' | 'green' | 'violet' | 'accent';

/** Always has an icon and a word: colour alone is not accessible. */
export function badge(tone: Tone, iconName: IconName, text: Content): Html {
  return html`<span class="badge${tone !== 'plain' && ` ${tone}`}">${icon(iconName, 's')}${text}</span>`;
}

/** `tint` 1 to 5; a grey dot without it. */
export function label(text: Content, tint?: 1 | 2 | 3 | 4 | 5): Html {
  return html`<span class="label${tint && ` c${tint}`}">${text}</span>`;
}

const tints: Readonly<Record<LabelColor, 1 | 2 | 3 | 4 | 5 | undefined>> = {
  grey: undefined,
  teal: 1,
  amber: 2,
  violet: 3,
  pink: 4,
  green: 5,
};

/** Its dot alone, beside its name. */
export const labelDot = ({ color }: { color: LabelColor }): Html => label('', tints[color]);

/** A label of a workspace. */
export const labelChip = ({ name, color }: { name: string; color: LabelColor }): Html => label(name, tints[color]);

/** Hidden from screen readers: the control has aria-keyshortcuts. */
export const kbd = (key: string): Html => html`<kbd class="kbd" aria-hidden="true">${key}</kbd>`;

/** A RICE score with its parts: reach × impact × confidence / effort. */
interface RiceProps {
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

interface ApprovalProps {
  state: Approval;
  title: Content;
  text?: Content;
  /** The form for users who may decide: a field, then two() buttons. */
  decide?: Content;
  id?: string;
}

const canonical = { pending: 'pending_approval', approved: 'approved', rejected: 'planned' } as const;

export function approvalBox({ state, title, text, decide, id = 'approve' }: ApprovalProps): Html {
  const sign = statusIcon({ status: canonical[state], label: '', approval: state, beside: true });
  return html`<section class="approve ${state}" id="${id}" aria-label="Approval"><div class="state">${sign}${title}</div>${text && html`<div class="told">${text}</div>`}${decide}</section>`;
}

export const two = (first: Content, second: Content): Html => html`<div class="two">${first}${second}</div>`;

// A forecast verdict as a badge, always with icon and words (behaviour §6.14).

interface Verdict {
  tone: Tone;
  sign: IconName;
  words: string;
  /** The words after a count: "2 need data". */
  several: string;
}

const verdicts: Record<Outlook, Verdict> = {
  overcommitted: { tone: 'red', sign: 'octagon-alert', words: 'Overcommitted', several: 'overcommitted' },
  at_risk: { tone: 'amber', sign: 'triangle-alert', words: 'At risk', several: 'at risk' },
  needs_data: { tone: 'violet', sign: 'circle-question-mark', words: 'Needs data', several: 'need data' },
  needs_target: { tone: 'violet', sign: 'circle-question-mark', words: 'Needs a target', several: 'need a target' },
  within_capacity: { tone: 'green', sign: 'circle-check', words: 'Within capacity', several: 'within capacity' },
  no_scope: { tone: 'plain', sign: 'circle-dashed', words: 'No tasks yet', several: 'without tasks' },
};

export const outlookCountWords = (outlook: Outlook): string => verdicts[outlook].several;

const verdictOf = (outlook: string): Omit<Verdict, 'several'> =>
  ownValue(verdicts, outlook) ?? { tone: 'plain', sign: 'circle-dashed', words: outlook };

/** A verdict badge with other visible text. Screen readers get the verdict too; `more` is the tooltip. */
export function outlookBadgeWithText(outlook: string, said: string, more: readonly string[] = []): Html {
  const { tone, sign, words } = verdictOf(outlook);
  return badge(
    tone,
    sign,
    html`<span title="${more.length > 0 ? `${words}. ${more.join(' ')}` : words}">${said}</span><span class="vh">, ${words.toLowerCase()}</span>`,
  );
}

export function outlookBadge(outlook: string): Html {
  const { tone, sign, words } = verdictOf(outlook);
  return badge(tone, sign, words);
}
