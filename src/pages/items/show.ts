/** The page of an item in two columns; one column on phones (behaviour §21). */

import { VersionConflict } from '../../values/errors.ts';
import { asideSection } from '../frame/components/boxes.ts';
import { rice } from '../frame/components/marks.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest } from '../frame/page.ts';
import type { Refusal } from '../frame/submitted.ts';
import { problemBox } from '../frame/widgets.ts';
import { mayWork } from '../workspace/openWorkspace.ts';
import { approvalPart, jumpToApproval } from './approval.ts';
import { belowPart } from './below.ts';
import { burnUpPart } from './burnUp.ts';
import { changedSincePart, whoChanged } from './changeLine.ts';
import { dependenciesPart } from './dependencies.ts';
import { typeLabel } from './fields.ts';
import { filesPart } from './filesPart.ts';
import { awayPart, forecastPart } from './forecast.ts';
import { formLabels } from './form.ts';
import { actionsOf, crumbsTo, placePart } from './head.ts';
import { type ItemPage, openItem, pageOf } from './pageOf.ts';
import { propertiesPart } from './properties.ts';
import { streamPart } from './stream.ts';
import { acceptancePart, descriptionPart, titlePart } from './texts.ts';
import { actPart, recordedPart } from './timePart.ts';

/** A requirement's RICE score and rank (behaviour §21.8). */
function ricePart({ opened: { item, rice: scored, workspace, at } }: ItemPage): Content {
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

export async function showItem(request: PageRequest, refusal?: Refusal): Promise<Answer> {
  const opened = await openItem(request);
  const page = await pageOf(request, opened, refusal);
  const { item } = opened;
  const burnUp = await burnUpPart(page);
  return {
    title: `${typeLabel(item.type)} ${item.id}`,
    tab: item.title,
    status: refusal?.status ?? 200,
    wide: true,
    ownHeading: true,
    scripts: ['item'],
    sheets: item.type === 'goal' ? ['editor', 'itemTexts', 'measure'] : ['editor', 'itemTexts'],
    itemType: item.type,
    follow: { workspaceId: opened.workspace.id, itemId: item.id },
    crumbs: crumbsTo(opened.workspace, item.type, request.query.get('in')),
    meta: placePart(page),
    actions: actionsOf(page),
    // One part for htmx, because changes in one column affect the other.
    body: html`<div id="work" class="item" data-item="${item.id}">
<article>${problemBox(refusal?.problem)}${jumpToApproval(opened)}${titlePart(page)}${descriptionPart(page)}${acceptancePart(page)}${filesPart(page)}${changedSincePart(page)}${belowPart(page)}${dependenciesPart(page)}${streamPart(page)}</article>
<aside class="panel" id="properties" aria-label="Properties">${awayPart(page)}${approvalPart(page)}${actPart(page)}${propertiesPart(page)}${ricePart(page)}${forecastPart(page)}${burnUp}${recordedPart(page)}</aside>
</div>`,
  };
}

/** For version conflicts; the page shows the stored version. */
const movedOn = (who: string) => `${who} changed this item since you opened it. Check the current version below, then decide.`;

export const formRefusal = (request: PageRequest) => ({
  labels: formLabels,
  async again(refusal: Refusal): Promise<Answer> {
    if (!(refusal.error instanceof VersionConflict)) return showItem(request, refusal);
    const { history } = await openItem(request);
    return showItem(request, { ...refusal, problem: movedOn(whoChanged(history.changes, request.form.number('version') ?? 0)) });
  },
});
