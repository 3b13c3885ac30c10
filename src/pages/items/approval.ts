/** Approval on an item's page (behaviour §4.14, §4.15, §21.7). */
import { approvers } from '../../items/approval.ts';
import type { Approval } from '../../overviews/openItem.ts';
import { closedStatuses } from '../../workspaces/statuses.ts';
import { asideSection } from '../frame/components/boxes.ts';
import { button } from '../frame/components/button.ts';
import { icon } from '../frame/components/icon.ts';
import { approvalBox, two } from '../frame/components/marks.ts';
import { statusIcon } from '../frame/components/status.ts';
import { dateIn, dayWithin, momentWithin } from '../frame/components/when.ts';
import { type Content, html } from '../frame/html.ts';
import { postForm } from '../frame/postForm.ts';
import { mayWork } from '../workspace/openWorkspace.ts';
import { changedWords } from './changeLine.ts';
import type { ItemPage, OpenedItem } from './pageOf.ts';

const isDecidedOf = ({ item }: Pick<OpenedItem, 'item'>): boolean => item.type === 'requirement' || item.type === 'release';

const canDecide = ({ item, workspace }: OpenedItem): boolean =>
  isDecidedOf({ item }) && approvers.includes(workspace.role) && mayWork(workspace, item.type, 'write');

const isPending = ({ item }: OpenedItem): boolean => item.status === 'pending_approval';

export const jumpToApproval = (opened: OpenedItem): Content =>
  canDecide(opened) &&
  isPending(opened) &&
  html`<a class="jump narrow" href="#approve">${statusIcon({ status: 'pending_approval', label: '', approval: 'pending', beside: true })}<b>Needs your approval</b><span class="push">Decide</span>${icon('arrow-down', 's')}</a>`;

export function approvalPart(page: ItemPage): Content {
  const { opened } = page;
  if (!isDecidedOf(opened)) return null;
  const [latest] = opened.context.approvals;
  if (isPending(opened)) return pendingBox(page, latest);
  if (!latest || latest.action === 'requested') return notRequested(page);
  return decidedBox(page, latest);
}

function pendingBox(page: ItemPage, asked: Approval | undefined): Content {
  const mine = canDecide(page.opened);
  return approvalBox({
    state: 'pending',
    title: mine ? 'Needs your approval' : 'Waiting for approval',
    text: html`${asked && requestText(page, asked)}${!mine && html`<p>An owner or manager of the workspace can approve or reject it.</p>`}`,
    decide: mine && decideForm(page),
  });
}

function requestText(page: ItemPage, { by, at, comment }: Approval): Content {
  const said = html`<b>${by.name}</b> requested approval ${momentWithin(at, page.clock)}`;
  return comment ? html`<p>${said}:</p>${page.prose(comment)}` : html`<p>${said}.</p>`;
}

/** The status alone, for items without approval history, e.g. after an import. */
function notRequested(page: ItemPage): Content {
  const { item } = page.opened;
  const words = item.status === 'approved' ? `This ${item.type} is approved.` : 'Approval has not been requested.';
  return html`<div id="approve">${asideSection('Approval', html`<p class="meta">${words}</p>${requestForm(page)}`)}</div>`;
}

function decidedBox(page: ItemPage, { action, by, at, comment }: Approval): Content {
  const { clock, opened } = page;
  const approved = action === 'approved';
  return approvalBox({
    state: approved ? 'approved' : 'rejected',
    title: html`<span>${approved ? 'Approved' : 'Rejected'} by ${by.name}, ${dayWithin(dateIn(at, clock), clock)}</span>`,
    text: html`${comment && page.prose(comment)}${opened.approved && changedWords(opened, opened.approved)}`,
    decide: requestForm(page),
  });
}

const formOf = ({ opened: { workspace, item }, listFields }: ItemPage) => ({
  action: `${workspace.path}/items/${item.id}/approval`,
  once: true,
  live: '#work',
  hidden: { version: item.version, ...listFields },
});

function decideForm(page: ItemPage): Content {
  const fields = page.fieldsOf('approval');
  const control = html`<label class="vh" for="why">Comment on the decision</label><textarea class="input" id="why" name="comment" rows="2" placeholder="Comment (required to reject)"${fields.mark('comment')}>${`\n${fields.value('comment')}`}</textarea>${fields.note('comment')}`;
  const approve = button('Approve', { kind: 'primary', icon: 'check', name: 'decision', value: 'approve' });
  const reject = button('Reject', { kind: 'danger', icon: 'x', name: 'decision', value: 'reject' });
  return postForm(page.request, formOf(page), control, two(approve, reject));
}

function requestForm(page: ItemPage): Content {
  const { item } = page.opened;
  if (!canDecide(page.opened) || item.status === 'approved' || closedStatuses.includes(item.status)) return null;
  const fields = page.fieldsOf('approval');
  const control = html`<label class="flabel" for="why">Message to the approver</label><textarea class="input" id="why" name="comment" rows="2" placeholder="Optional"${fields.mark('comment')}>${`\n${fields.value('comment')}`}</textarea>${fields.note('comment')}`;
  const send = button('Request approval', { block: true, icon: 'hourglass', name: 'decision', value: 'request' });
  return html`<details class="ask"${fields.refused && html` open`}><summary>${icon('chevron-right', 's')}Request approval</summary>${postForm(page.request, formOf(page), control, send)}</details>`;
}
