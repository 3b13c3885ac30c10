/** A requirement's RICE score and rank (behaviour §21.8). */
import { asideSection } from '../frame/components/panel.ts';
import { rice } from '../frame/components/rice.ts';
import { type Content, html } from '../frame/html.ts';
import { mayWork } from '../workspace/openWorkspace.ts';
import type { ItemPage } from './pageOf.ts';

export function ricePart({ opened: { item, rice: scored, workspace, at } }: ItemPage): Content {
  const { reach = null, impact = null, confidence = null, effort = null, reachPeriod } = item.fields;
  const isSet = [reach, impact, confidence, effort].some((value) => value !== null);
  if (item.type !== 'requirement' || !(isSet || mayWork(workspace, 'requirement', 'write'))) return null;
  if (!isSet) return asideSection('RICE score', html`<p><a class="quiet-link" href="${at}/edit#reach">Add a RICE score</a></p>`);
  const place = scored?.rank && `${ordinal(scored.rank.place)} of ${scored.rank.of} in this workspace`;
  const box = rice({ score: scored?.score ?? null, reach, impact, confidence, effort, ...(place && { place }) });
  return asideSection('RICE score', html`${box}${reachPeriod && html`<p class="meta">Reach in ${reachPeriod.replace('-', ' ')}</p>`}`);
}

const first = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'];
const suffixes: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' };
const rules = new Intl.PluralRules('en', { type: 'ordinal' });

export const ordinal = (place: number): string => first[place - 1] ?? `${place}${suffixes[rules.select(place)] ?? 'th'}`;
