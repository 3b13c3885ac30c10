/** Approval on an item's page: where it stands, and the forms of those who decide (behaviour §4.14, §4.15). */
import { approvers } from '../../items/approval.ts';
import { type ApprovableName, type Approved, differing, nowOf } from '../../items/approved.ts';
import type { Work } from '../../items/schema.ts';
import { closedStatuses } from '../../workspaces/statuses.ts';
import type { Fields } from '../frame/fields.ts';
import { type Content, html } from '../frame/html.ts';
import type { PageRequest } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { mayWork } from '../workspace/openWorkspace.ts';
import { isLink, labels } from './fields.ts';
import type { OpenedItem } from './open.ts';

export function approvalPart(request: PageRequest, opened: OpenedItem, fields: Fields): Content {
  const { item, workspace } = opened;
  if (item.type !== 'requirement' && item.type !== 'release') return null;
  const decides = approvers.includes(workspace.role) && mayWork(workspace, item.type, 'write');
  return html`<h2 id="approval">Approval</h2>
<p>${standing(item.status, item.type, decides)}</p>
${opened.approved && sinceApproval(item, opened.approved, workspace.at)}
${decides && decisionForm(request, opened, fields)}`;
}

/** The approval stands; what it was given for is shown beside what the item says now (behaviour §4.24). */
function sinceApproval(item: Work, approved: Approved, at: string): Content {
  const value = (name: ApprovableName, given: string | number | null | undefined): Content => {
    if (given == null || given === '') return html`<span class="muted">empty</span>`;
    return isLink(name) ? html`<a href="${at}/items/${given}">item ${given}</a>` : html`<div class="text">${given}</div>`;
  };
  const names = Object.keys(differing(item, approved)) as ApprovableName[];
  return html`<p class="notice" id="changed-since-approval">Changed since it was approved.</p>
${
  names.length > 0 &&
  html`<div class="scroll"><table><thead><tr><th scope="col">What</th><th scope="col">As approved</th><th scope="col">Now</th></tr></thead>
<tbody>${names.map((name) => html`<tr><th scope="row">${labels[name]}</th><td>${value(name, approved[name])}</td><td>${value(name, nowOf(item, name))}</td></tr>`)}</tbody></table></div>`
}`;
}

function standing(status: string, type: string, decides: boolean): string {
  if (status === 'pending_approval')
    return decides ? 'Waits for your decision, or another owner’s or manager’s.' : 'Waits for an owner or manager.';
  if (status === 'approved') return `This ${type} is approved.`;
  return 'Not requested.';
}

/** What can be decided now; null where there is nothing. */
function decisionForm(request: PageRequest, { item, workspace }: OpenedItem, fields: Fields): Content {
  const pending = item.status === 'pending_approval';
  if (!pending && (item.status === 'approved' || closedStatuses.includes(item.status))) return null;
  const buttons = pending
    ? html`<button name="decision" value="approve">Approve</button> <button name="decision" value="reject" class="secondary">Reject</button>`
    : html`<button name="decision" value="request">Request approval</button>`;
  const hint = pending ? 'Needed to reject: say what has to change.' : 'Optional.';
  const control = (mark: Content) => html`<textarea name="comment" rows="2"${mark}>${`\n${fields.value('comment')}`}</textarea>`;
  return postForm(
    request,
    { action: `${workspace.path}/items/${item.id}/approval`, once: true, hidden: { version: item.version } },
    html`${fields.field('comment', control, hint, 'Comment on the decision')}
<div class="actions">${buttons}</div>`,
  );
}
