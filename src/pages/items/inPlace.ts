/** Each value is a link to a menu page, which a script opens as a popover (behaviour §23.4). */
import type { Status } from '../../workspaces/statuses.ts';
import type { Clock } from '../frame/clock.ts';
import { type AvatarProps, avatar, fullName } from '../frame/components/avatar.ts';
import { due, dueText } from '../frame/components/due.ts';
import { ring } from '../frame/components/marks.ts';
import { type PriorityProps, priorityIcon } from '../frame/components/priority.ts';
import { estimateCell } from '../frame/components/row.ts';
import { type Approval, statusIcon } from '../frame/components/status.ts';
import { estimate } from '../frame/components/when.ts';
import { type Content, html } from '../frame/html.ts';
import type { InPlaceField } from './change/fields.ts';

export interface InPlace {
  /** The workspace's path, with the context path: /workspaces/5. */
  at: string;
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

/** The return path is not in the URL, because it made a list 17 % larger. change/one.ts uses the Referer. */
export const changePath = (at: string, id: number, field: InPlaceField): string => `${at}/items/${id}/change/${field}`;

/** `value`: visible content. `said`: purpose of the link. `now`: the value as text, if it differs from the visible content. */
export function changeLink(
  field: InPlaceField,
  { id, title }: Named,
  { at, may }: InPlace,
  value: Content,
  said: string,
  now?: Content,
): Content {
  if (!may) return value;
  const key = keys[field];
  return html`<a class="chg chg-${field}" href="${changePath(at, id, field)}"${key && html` data-key="${key}"`}${
    now === undefined ? html`><span class="vh">${said} of ${title}: </span>` : html` aria-label="${said} of ${title}: ${now}">`
  }${value}</a>`;
}

export function statusLink(
  item: Named & { status: Status; label: string; approval?: Approval | null },
  ctx: InPlace,
  beside: Content = null,
): Content {
  if (!ctx.may) return html`${statusIcon({ ...item, beside: beside !== null })}${beside}`;
  const shown = html`<span title="${item.label}">${statusIcon({ ...item, beside: true })}</span>`;
  return beside === null
    ? changeLink('status', item, ctx, shown, 'Change status', item.label)
    : changeLink('status', item, ctx, html`${shown}${beside}`, 'Change status');
}

/** Adds the full name to the initials, because the accessible name must contain the visible text (WCAG 2.5.3). */
const named = (shown: Content, person: AvatarProps | null): Content =>
  html`${shown}<span class="vh">${person ? fullName(person) : 'unassigned'}</span>`;

export function assigneeLink(item: Named & { assignee: AvatarProps | null }, ctx: InPlace): Content {
  const { assignee } = item;
  if (!ctx.may) return avatar(assignee);
  const shown = html`<span title="${assignee ? fullName(assignee) : 'Unassigned'}">${avatar(assignee, { beside: true })}</span>`;
  return changeLink('assignee', item, ctx, named(shown, assignee), 'Change assignee');
}

export function ownerLink(item: Named & { owner: AvatarProps | null }, ctx: InPlace): Content {
  const { owner } = item;
  if (!ctx.may) return avatar(owner, { noUser: 'No owner' });
  const shown = html`<span title="${owner ? fullName(owner) : 'No owner'}">${avatar(owner, { beside: true })}</span>`;
  return changeLink('owner', item, ctx, named(shown, owner), 'Change owner');
}

export function priorityLink(item: Named & { priority: PriorityProps | null }, ctx: InPlace): Content {
  const { priority } = item;
  if (!ctx.may) return priority ? priorityIcon(priority) : html`<span class="none" title="No priority">–</span>`;
  const shown = priority
    ? html`<span title="${priority.label} priority">${priorityIcon({ ...priority, beside: true })}</span>`
    : html`<span class="none" title="No priority" aria-hidden="true">–</span>`;
  return changeLink('priority', item, ctx, shown, 'Change priority', priority?.label ?? 'none');
}

export function dueLink(
  item: Named & { date: string | null; closed: boolean; field?: 'due' | 'target' },
  ctx: InPlace & { clock: Clock },
): Content {
  const { date, closed, field = 'due' } = item;
  const how = field === 'target' ? { closed, absent: 'no target date' } : { closed };
  if (!ctx.may) return due(date, how, ctx.clock);
  const said = field === 'due' ? 'Change due date' : 'Change target date';
  return changeLink(field, item, ctx, due(date, { ...how, beside: true }, ctx.clock), said, dueText(date, how, ctx.clock));
}

/** `words`: text that replaces the hours. */
export function estimateLink(item: Named & { hours: number | null; words?: string | null }, ctx: InPlace): Content {
  const { hours, words = hours === null ? null : estimate(hours) } = item;
  return changeLink('estimate', item, ctx, estimateCell(words), 'Change estimate', words ?? 'no estimate');
}

export function progressLink(item: Named & { percent: number | null }, ctx: InPlace): Content {
  const percent = item.percent ?? 0;
  const words = `${percent} % done`;
  if (!ctx.may) return ring(percent / 100, words);
  return changeLink('progress', item, ctx, ring(percent / 100, words, 'beside'), 'Change progress', words);
}
