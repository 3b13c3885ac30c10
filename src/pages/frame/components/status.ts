/** Status icons: a dial that fills from planned to done. Shape carries the meaning, not only colour. */
import type { Status } from '../../../workspaces/statuses.ts';
import { Html, html } from '../html.ts';

/** Drawn on 16 x 16. Holes use the page colour, set as --hole in CSS. */
const shapes = {
  planned: '<circle cx="8" cy="8" r="6"/>',
  in_progress: '<circle cx="8" cy="8" r="6"/><path class="on" d="M8 4.8a3.2 3.2 0 0 1 0 6.4z"/>',
  in_review: '<circle cx="8" cy="8" r="6"/><path class="on" d="M8 4.8a3.2 3.2 0 1 1-3.2 3.2H8z"/>',
  testing: '<circle cx="8" cy="8" r="6"/><circle class="on" cx="8" cy="8" r="3.2"/>',
  blocked: '<path class="on" d="M5.4 1.8h5.2l3.6 3.6v5.2l-3.6 3.6H5.4l-3.6-3.6V5.4z"/><path class="cut" d="M5 8h6"/>',
  pending: '<circle cx="8" cy="8" r="6" stroke-dasharray="2.4 2.3"/><path d="M8 5.2V8l1.8 1.2"/>',
  approved: '<circle cx="8" cy="8" r="6"/><path d="m5.6 8.1 1.7 1.7 3.1-3.5"/>',
  rejected: '<circle cx="8" cy="8" r="6"/><path d="m6 6 4 4m0-4-4 4"/>',
  done: '<circle class="on" cx="8" cy="8" r="6.9"/><path class="cut" d="m5.2 8.2 2 2 3.6-4"/>',
  cancelled: '<circle cx="8" cy="8" r="6"/><path d="m6 6 4 4m0-4-4 4"/>',
} as const;
export type Shape = keyof typeof shapes;

const ofStatus: Record<Status, Shape> = {
  planned: 'planned',
  in_progress: 'in_progress',
  blocked: 'blocked',
  in_review: 'in_review',
  pending_approval: 'pending',
  approved: 'approved',
  done: 'done',
  cancelled: 'cancelled',
};

export type Approval = 'pending' | 'approved' | 'rejected';

/** Canonical status in words, for places without a workspace's own label. */
export const canonicalWords = (status: string): string => status.replaceAll('_', ' ');

interface StatusProps {
  /** Canonical status. Custom statuses of a workspace use its shape. */
  status: Status;
  label: string;
  /** Shows this approval state instead of the status. */
  approval?: Approval | null;
  /** Hidden from screen readers, because the label is next to it. */
  beside?: boolean;
}

/** Closed items show their status even if they have an approval. A workspace's own review status ("With testers") differs from "In review". */
export function shapeOf({ status, approval, label = '' }: Pick<StatusProps, 'status' | 'approval'> & { label?: string }): Shape {
  if (approval && status !== 'done' && status !== 'cancelled') return approval;
  return status === 'in_review' && label !== '' && label.toLowerCase() !== canonicalWords(status) ? 'testing' : ofStatus[status];
}

export function statusIcon(props: StatusProps): Html {
  const shape = shapeOf(props);
  const name = props.beside ? html` aria-hidden="true"` : html` role="img" aria-label="${props.label}"`;
  return html`<svg class="st st-${shape}" viewBox="0 0 16 16"${name}>${new Html(shapes[shape])}</svg>`;
}
