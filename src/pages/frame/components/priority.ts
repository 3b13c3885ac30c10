/** A priority as chevrons: two for the most urgent, a dash for the usual one, down for less. */
import { Html, html } from '../html.ts';
import { kept } from '../kept.ts';

const shapes = {
  urgent: '<path d="m4 8 4-4 4 4M4 13l4-4 4 4"/>',
  high: '<path d="m4 10 4-4 4 4"/>',
  normal: '<path d="M5 8h6" stroke-width="1.5"/>',
  low: '<path d="m4 6 4 4 4-4"/>',
} as const;
export type Urgency = keyof typeof shapes;

export interface PriorityProps {
  key: string;
  label: string;
  /** Higher is more urgent; a new workspace has 1 to 4, of which 2 is the usual. */
  rank: number;
  /** Its label stands beside it: the icon itself is not read out. */
  beside?: boolean;
}

/** By name where a workspace kept the name, else by rank: a workspace may have its own priorities. */
export function urgencyOf({ key, rank }: Pick<PriorityProps, 'key' | 'rank'>): Urgency {
  if (Object.hasOwn(shapes, key)) return key as Urgency;
  if (rank >= 4) return 'urgent';
  if (rank === 3) return 'high';
  return rank === 2 ? 'normal' : 'low';
}

export const priorityIcon: (props: PriorityProps) => Html = kept(
  (props) => `${urgencyOf(props)} ${props.beside || `of ${props.label}`}`,
  drawn,
);

function drawn(props: PriorityProps): Html {
  const words = `${props.label} priority`;
  const name = props.beside ? html` aria-hidden="true"` : html` role="img" aria-label="${words}"`;
  const urgency = urgencyOf(props);
  return html`<svg class="prio ${urgency}" viewBox="0 0 16 16"${name}>${!props.beside && html`<title>${words}</title>`}${new Html(shapes[urgency])}</svg>`;
}
