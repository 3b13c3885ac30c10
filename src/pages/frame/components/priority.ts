/** Priorities as chevrons: two up for urgent, one up for high, a dash for normal, down for low. */
import { keysOf } from '../../../values/records.ts';
import { Html, html } from '../html.ts';

const shapes = {
  urgent: '<path d="m4 8 4-4 4 4M4 13l4-4 4 4"/>',
  high: '<path d="m4 10 4-4 4 4"/>',
  normal: '<path d="M5 8h6" stroke-width="1.5"/>',
  low: '<path d="m4 6 4 4 4-4"/>',
} as const;
type Urgency = keyof typeof shapes;
const urgencies = keysOf(shapes);

export interface PriorityProps {
  key: string;
  label: string;
  /** Higher is more urgent. New workspaces have 1 to 4, and 2 is the default. */
  rank: number;
  /** Hidden from screen readers, because the label is next to it. */
  beside?: boolean;
}

/** Urgency by name if the workspace uses the default name; otherwise by rank. */
export function urgencyOf({ key, rank }: Pick<PriorityProps, 'key' | 'rank'>): Urgency {
  const named = urgencies.find((one) => one === key);
  if (named) return named;
  if (rank >= 4) return 'urgent';
  if (rank === 3) return 'high';
  return rank === 2 ? 'normal' : 'low';
}

export function priorityIcon(props: PriorityProps): Html {
  const words = `${props.label} priority`;
  const name = props.beside ? html` aria-hidden="true"` : html` role="img" aria-label="${words}"`;
  const urgency = urgencyOf(props);
  return html`<svg class="prio ${urgency}" viewBox="0 0 16 16"${name}>${!props.beside && html`<title>${words}</title>`}${new Html(shapes[urgency])}</svg>`;
}
