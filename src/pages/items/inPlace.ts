/** What of an item changes without leaving the page: each value is a link to a small page with its menu, which a script opens beside it
 *  (behaviour §23.4). Who may not change it sees the value. */
import type { Status } from '../../workspaces/statuses.ts';
import type { Clock } from '../frame/clock.ts';
import { type AvatarProps, avatar } from '../frame/components/avatar.ts';
import { due } from '../frame/components/due.ts';
import { type PriorityProps, priorityIcon } from '../frame/components/priority.ts';
import { ring } from '../frame/components/ring.ts';
import { estimateCell } from '../frame/components/row.ts';
import { type Approval, statusIcon } from '../frame/components/status.ts';
import { estimate } from '../frame/components/when.ts';
import { type Content, html } from '../frame/html.ts';
import type { InPlaceField } from './change/fields.ts';

export interface InPlace {
  /** The workspace, with the context path: /workspaces/5. */
  at: string;
  /** The page to come back to, below the context path, with its query (frame/back.ts, hereOf). */
  back: string;
  /** Whether items of this type may be changed. */
  may: boolean;
}

interface Named {
  id: number;
  title: string;
}

const keys: Partial<Record<InPlaceField, string>> = {
  status: 's',
  assignee: 'a',
  priority: '!',
  due: 'd',
  target: 'd',
  dates: 'd',
  'due-dates': 'd',
};

/** All links of a page lead back to the same one. */
let last = { back: '/', encoded: '%2F' };
function encodedBack(back: string): string {
  if (last.back !== back) last = { back, encoded: encodeURIComponent(back) };
  return last.encoded;
}

export const changePath = (at: string, id: number, field: InPlaceField, back: string): string =>
  `${at}/items/${id}/change/${field}?back=${encodedBack(back)}`;

/** `value` as it is shown; `said`: what the link does, before the value. */
export function changeLink(field: InPlaceField, { id, title }: Named, { at, back, may }: InPlace, value: Content, said: string): Content {
  if (!may) return value;
  const key = keys[field];
  return html`<a class="chg chg-${field}" href="${changePath(at, id, field, back)}" data-menu${key && html` data-key="${key}" aria-keyshortcuts="${key.toUpperCase()}"`}><span class="vh">${said} of ${title}: </span>${value}</a>`;
}

const plain = (shown: Content, said: Content): Content => html`${shown}<span class="vh">${said}</span>`;

/** An icon alone; `label`: the workspace's word for the status. */
export function statusLink(
  item: Named & { status: Status; label: string; approval?: Approval | null },
  ctx: InPlace,
  beside: Content = null,
): Content {
  if (!ctx.may) return html`${statusIcon({ ...item, beside: beside !== null })}${beside}`;
  const shown = html`<span title="${item.label}">${statusIcon({ ...item, beside: true })}</span>${beside ?? plain(null, item.label)}`;
  return changeLink('status', item, ctx, shown, 'Change status');
}

export function assigneeLink(item: Named & { assignee: AvatarProps | null }, ctx: InPlace): Content {
  const { assignee } = item;
  if (!ctx.may) return avatar(assignee);
  const shown = html`<span title="${assignee?.name ?? 'Nobody assigned'}">${avatar(assignee, { beside: true })}</span>`;
  return changeLink('assignee', item, ctx, plain(shown, assignee?.name ?? 'nobody'), 'Change assignee');
}

export function ownerLink(item: Named & { owner: AvatarProps | null }, ctx: InPlace): Content {
  const { owner } = item;
  if (!ctx.may) return avatar(owner, { nobody: 'No owner' });
  const shown = html`<span title="${owner?.name ?? 'No owner'}">${avatar(owner, { beside: true })}</span>`;
  return changeLink('owner', item, ctx, plain(shown, owner?.name ?? 'nobody'), 'Change owner');
}

export function priorityLink(item: Named & { priority: PriorityProps | null }, ctx: InPlace): Content {
  const { priority } = item;
  if (!ctx.may) return priority ? priorityIcon(priority) : html`<span class="none" title="No priority">–</span>`;
  const shown = priority
    ? html`<span title="${priority.label} priority">${priorityIcon({ ...priority, beside: true })}</span>`
    : html`<span class="none" title="No priority" aria-hidden="true">–</span>`;
  return changeLink('priority', item, ctx, plain(shown, priority?.label ?? 'none'), 'Change priority');
}

/** The due date, or of types that have one instead the target date. */
export function dueLink(
  item: Named & { date: string | null; closed: boolean; field?: 'due' | 'target' },
  ctx: InPlace & { clock: Clock },
): Content {
  const { date, closed, field = 'due' } = item;
  const shown = due(date, { closed, ...(field === 'target' && { absent: 'no target date' }) }, ctx.clock);
  return changeLink(field, item, ctx, shown, field === 'due' ? 'Change due date' : 'Change target date');
}

export function estimateLink(item: Named & { hours: number | null }, ctx: InPlace): Content {
  return changeLink('estimate', item, ctx, estimateCell(item.hours === null ? null : estimate(item.hours)), 'Change estimate');
}

export function progressLink(item: Named & { percent: number | null }, ctx: InPlace): Content {
  const percent = item.percent ?? 0;
  return changeLink('progress', item, ctx, ring(percent / 100, `${percent} % done`), 'Change progress');
}
