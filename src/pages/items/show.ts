/** The page of an item in two columns; one column on phones (behaviour §21). */
import { html } from '../frame/html.ts';
import type { Answer, PageRequest } from '../frame/page.ts';
import type { Refusal } from '../frame/submitted.ts';
import { problemBox } from '../frame/widgets.ts';
import { approvalPart, jumpToApproval } from './approval.ts';
import { belowPart } from './below.ts';
import { changedSincePart } from './changedSince.ts';
import { typeLabel } from './fields.ts';
import { forecastPart } from './forecast.ts';
import { actionsOf, crumbsTo, placePart } from './head.ts';
import { openItem } from './open.ts';
import { pageOf } from './pageOf.ts';
import { acceptancePart, titlePart } from './parts.ts';
import { propertiesPart } from './properties.ts';
import { ricePart } from './ricePart.ts';
import { streamPart } from './stream.ts';
import { actPart, recordedPart } from './timePart.ts';

export async function showItem(request: PageRequest, refusal?: Refusal): Promise<Answer> {
  const opened = await openItem(request);
  const page = await pageOf(request, opened, refusal);
  const { item } = opened;
  return {
    title: `${typeLabel(item.type)} ${item.id}`,
    tab: item.title,
    status: refusal?.status ?? 200,
    wide: true,
    sheets: item.type === 'goal' ? ['goals'] : [],
    itemType: item.type,
    follow: { workspaceId: opened.workspace.id, itemId: item.id },
    crumbs: crumbsTo(opened.workspace, item.type, request.query.get('in')),
    meta: placePart(page),
    actions: actionsOf(page),
    // One part for htmx, because changes in one column affect the other.
    body: html`<div id="work" class="item" data-item="${item.id}">
<article>${problemBox(refusal?.problem)}${jumpToApproval(opened)}${titlePart(page)}${acceptancePart(page)}${changedSincePart(page)}${belowPart(page)}${streamPart(page)}</article>
<aside class="panel" aria-label="Properties">${approvalPart(page)}${actPart(page)}${propertiesPart(page)}${ricePart(page)}${forecastPart(page)}${recordedPart(page)}</aside>
</div>`,
  };
}
