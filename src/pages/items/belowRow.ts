/** A row of the work below an item. */
import type { BelowRow } from '../../overviews/openItem.ts';
import { closedStatuses } from '../../workspaces/statuses.ts';
import { avatar } from '../frame/components/avatar.ts';
import { due } from '../frame/components/due.ts';
import { priorityIcon } from '../frame/components/priority.ts';
import { ring } from '../frame/components/ring.ts';
import { estimateCell, row } from '../frame/components/row.ts';
import { statusIcon } from '../frame/components/status.ts';
import { estimate } from '../frame/components/when.ts';
import { type Content, html } from '../frame/html.ts';
import type { ItemPage } from './pageOf.ts';

export function belowRow(page: ItemPage, one: BelowRow): Content {
  const { clock, opened } = page;
  const closed = closedStatuses.includes(one.status);
  const percent = one.status === 'done' ? 100 : (one.progressPercent ?? 0);
  const priority = opened.options.priorities.find(({ key }) => key === one.priorityKey);
  return row({
    item: one.id,
    status: statusIcon({ status: one.status, label: one.statusLabel }),
    number: one.id,
    title: one.title,
    href: `${opened.workspace.at}/items/${one.id}`,
    why: one.blockedReason,
    class: [one.under !== null && 'child', closed && 'done'].filter(Boolean).join(' '),
    tags: one.changedSinceApproval && html`<span class="meta">changed since approved</span>`,
    cells: [
      { kind: 'ring', content: ring(percent / 100, `${percent} % done`) },
      { kind: 'est', content: estimateCell(hoursWords(one.estimatedHours, percent)) },
      { kind: 'due', content: due(one.due, { closed }, clock) },
      { kind: 'prio', content: priority && priorityIcon(priority) },
      { kind: 'who', content: avatar(one.assignee) },
    ],
  });
}

/** "4.8 of 12 h", "16 h" */
function hoursWords(hours: number | null, percent: number): string | null {
  if (hours === null) return null;
  return percent > 0 && percent < 100 ? `${estimate((hours * percent) / 100).replace(' h', '')} of ${estimate(hours)}` : estimate(hours);
}
