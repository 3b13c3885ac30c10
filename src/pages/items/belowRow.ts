import type { BelowRow } from '../../overviews/openItem.ts';
import { closedStatuses } from '../../workspaces/statuses.ts';
import { row } from '../frame/components/row.ts';
import { estimate } from '../frame/components/when.ts';
import { type Content, html } from '../frame/html.ts';
import { assigneeLink, dueLink, estimateLink, priorityLink, progressLink, statusLink } from './inPlace.ts';
import type { ItemPage } from './pageOf.ts';

export function belowRow(page: ItemPage, one: BelowRow): Content {
  const { clock, opened } = page;
  const { assignee, due: date, dueField: field, estimatedHours: hours, statusLabel: label } = one;
  const closed = closedStatuses.includes(one.status);
  const percent = one.status === 'done' ? 100 : (one.progressPercent ?? 0);
  const priority = opened.options.priorities.find(({ key }) => key === one.priorityKey) ?? null;
  const ctx = page.inPlace(one.type);
  return row({
    item: one.id,
    status: statusLink({ ...one, label }, ctx),
    number: one.id,
    title: one.title,
    href: `${opened.workspace.at}/items/${one.id}`,
    why: one.blockedReason,
    class: [one.under !== null && 'child', closed && 'done'].filter(Boolean).join(' '),
    tags: one.changedSinceApproval && html`<span class="meta">changed since approval</span>`,
    cells: [
      { kind: 'ring', content: progressLink({ ...one, percent }, ctx) },
      { kind: 'est', content: estimateLink({ ...one, hours, words: hoursWords(hours, percent) }, ctx) },
      { kind: 'due', content: dueLink({ ...one, date, closed, field }, { ...ctx, clock }) },
      { kind: 'prio', content: priorityLink({ ...one, priority }, ctx) },
      { kind: 'who', content: assigneeLink({ ...one, assignee }, ctx) },
    ],
  });
}

function hoursWords(hours: number | null, percent: number): string | null {
  if (hours === null) return null;
  return percent > 0 && percent < 100 ? `${estimate((hours * percent) / 100).replace(' h', '')} of ${estimate(hours)}` : estimate(hours);
}
