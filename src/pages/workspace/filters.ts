/** The filters above a list of work, as they stand in its address. */
import { type ItemType, itemTypes } from '../../access/rights.ts';
import { dueWindows } from '../../values/dates.ts';
import { type Content, html } from '../frame/html.ts';
import { option } from '../frame/widgets.ts';
import type { AllOptions } from '../items/form.ts';

export interface Filters {
  type: ItemType;
  /** open, closed, all, or key:KEY of a status. */
  status: string;
  /** all, me, unassigned or a user's id. */
  assignee: string;
  priority: string;
  due: string;
  search: string;
  after: number;
}

export function filtersIn(query: URLSearchParams, first: ItemType): Filters {
  const type = itemTypes.find((one) => one === query.get('type')) ?? first;
  const text = (name: string) => query.get(name)?.trim() ?? '';
  return {
    type,
    status: text('status') || 'open',
    assignee: text('assignee') || 'all',
    priority: text('priority'),
    due: text('due'),
    search: text('search'),
    after: Number(text('after')) || 0,
  };
}

/** The same filters as an address asks for them; defaults are left out. */
export function queryOf(filters: Filters, change: Partial<Filters> = {}): string {
  const { type, status, assignee, priority, due, search, after } = { ...filters, ...change };
  const given = { type, status: status === 'open' ? '' : status, assignee: assignee === 'all' ? '' : assignee, priority, due, search };
  const query = new URLSearchParams(Object.entries(given).filter(([, value]) => value !== ''));
  if (after > 0) query.set('after', String(after));
  return `?${query}`;
}

/** What findWork takes. */
export function findInput(workspaceId: number, { type, status, assignee, priority, due, search, after }: Filters) {
  return {
    workspaceId,
    type,
    ...(status.startsWith('key:') ? { status: 'all', statusKey: status.slice('key:'.length) } : { status }),
    assignee: /^\d+$/.test(assignee) ? Number(assignee) : assignee,
    ...(priority && { priorityKey: priority }),
    ...(due && { dueWindow: due }),
    ...(search && { search }),
    afterId: after,
    limit: 50,
  };
}

const dueLabels: Record<(typeof dueWindows)[number], string> = {
  today: 'today',
  next7Days: 'in the next 7 days',
  nextWeek: 'next week',
  overdue: 'overdue',
  all: 'any date or none',
};

/** A form that works by itself; with htmx the list follows every change. */
export function filterForm(action: string, filters: Filters, options: AllOptions): Content {
  const { type, status, assignee, priority, due, search } = filters;
  const keys = options.statuses.filter(({ types }) => types.includes(type));
  return html`<search><form method="get" action="${action}" class="filters" hx-get="${action}" hx-target="#list" hx-select="#list" hx-swap="outerHTML" hx-push-url="true" hx-sync="replace" hx-trigger="submit, change, input changed delay:400ms from:find input[type=search]">
<input type="hidden" name="type" value="${type}">
<label>Search <input type="search" name="search" maxlength="300" value="${search}"></label>
<label>Status <select name="status">${option('open', 'open', status)}${option('closed', 'closed', status)}${option('all', 'all', status)}${keys.map(({ key, label }) => option(`key:${key}`, label, status))}</select></label>
<label>Assignee <select name="assignee">${option('all', 'everybody', assignee)}${option('me', 'me', assignee)}${option('unassigned', 'nobody', assignee)}${options.assignees.map(({ id, name }) => option(String(id), name, assignee))}</select></label>
<label>Priority <select name="priority">${option('', 'any', priority)}${options.priorities.toReversed().map(({ key, label }) => option(key, label, priority))}</select></label>
<label>Due <select name="due">${option('', 'any', due)}${dueWindows.filter((window) => window !== 'all').map((window) => option(window, dueLabels[window], due))}</select></label>
<button class="secondary">Filter</button>
</form></search>`;
}
