import { type Content, type Html, html } from '../html.ts';
import { type Approval, statusIcon } from './status.ts';

export interface ApprovalProps {
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
