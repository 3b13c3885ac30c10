/** Groups of a list: title, rows, sums, and values for work added there. */

import { openOnly } from '../../overviews/workList/input.ts';
import type { ListGroup } from '../../overviews/workList/listWork.ts';
import { avatar, fullName } from '../frame/components/avatar.ts';
import { group } from '../frame/components/boxes.ts';
import { icon } from '../frame/components/icon.ts';
import { priorityIcon } from '../frame/components/priority.ts';
import { statusIcon } from '../frame/components/status.ts';
import { estimate } from '../frame/components/when.ts';
import { type Content, html } from '../frame/html.ts';
import { typesLabel } from '../items/fields.ts';
import { hrefOf, type ListPage, mayChange } from './list.ts';
import { columnsOf } from './listColumns.ts';
import { listRow, rowsClass } from './listRows.ts';
import { type GroupValues, quickAddRow } from './quickAdd.ts';

interface GroupWords {
  title: string;
  sign?: Content;
  /** Null if nothing can be added here. */
  given: GroupValues | null;
  late?: boolean;
}

const bucketTitles: Record<string, string> = {
  overdue: 'Overdue',
  today: 'Today',
  week: 'Next 6 days',
  later: 'Later',
  none: 'No due date',
};

function wordsOf(page: ListPage, key: string): GroupWords {
  const { found } = page;
  const { options } = found;
  switch (found.order.group) {
    case 'none':
      return { title: `All ${typesLabel(found.type).toLowerCase()}`, given: {} };
    case 'status': {
      const status = options.statuses.find((one) => one.key === key);
      if (!status) return { title: key, given: null };
      const addable = status.types.includes(found.type) && !status.approval && status.status !== 'blocked' && !status.closed;
      return {
        title: status.label,
        sign: statusIcon({ status: status.status, label: status.label, beside: true }),
        given: addable ? { statusKey: key } : null,
      };
    }
    case 'priority': {
      const priority = options.priorities.find((one) => one.key === key);
      if (!priority) return { title: key === '' ? 'No priority' : key, given: {} };
      return { title: priority.label, sign: priorityIcon({ ...priority, beside: true }), given: { priorityKey: key } };
    }
    case 'assignee': {
      const who = found.rows.find((row) => String(row.assignee?.id ?? '') === key)?.assignee ?? null;
      const addable = who === null || options.assignees.some(({ id }) => id === who.id);
      return { title: who ? fullName(who) : 'Unassigned', sign: avatar(who, { beside: true }), given: addable ? { personId: key } : null };
    }
    case 'parent': {
      const up = found.rows.find((row) => row.group === key)?.up;
      return { title: up?.title ?? 'No parent', sign: icon('layers', 's'), given: { below: key } };
    }
    case 'label': {
      const label = found.labels.find(({ id }) => String(id) === key);
      return { title: label?.name ?? 'No label', sign: icon('tag', 's'), given: label?.archived ? null : { labelId: key } };
    }
    case 'due': {
      const late = key === 'overdue' && openOnly(page.address);
      const title = key === 'overdue' && !late ? 'Before today' : (bucketTitles[key] ?? key);
      return {
        title,
        sign: icon(late ? 'triangle-alert' : 'calendar', 's'),
        late,
        given: key === 'overdue' ? null : { day: key === 'today' ? page.clock.today : '' },
      };
    }
  }
}

export const sumOf = (groups: readonly ListGroup[]): Pick<ListGroup, 'count' | 'estimated' | 'more'> => ({
  count: groups.reduce((sum, one) => sum + one.count, 0),
  estimated: groups.reduce((sum, one) => sum + one.estimated, 0),
  more: groups.some((one) => one.more),
});

export const countWords = ({ count, more }: Pick<ListGroup, 'count' | 'more'>): string =>
  `${count < 1_000 ? count : '1,000'}${more ? '+' : ''}`;

/** No sum if the items were not counted completely. */
export function sumWords({ estimated, remaining, more }: Pick<ListGroup, 'estimated' | 'remaining' | 'more'>): Content {
  if (more || estimated === 0) return null;
  return html`<b>${estimate(estimated)}</b> · ${estimate(remaining)} left`;
}

export function listGroups(page: ListPage): Content {
  const { found } = page;
  const listed = listRow(page, columnsOf(page));
  const keys = [...new Set(found.rows.map((row) => row.group))];
  return keys.map((key, at) => {
    const rows = found.rows.filter((row) => row.group === key).map(listed);
    const { given, title, sign, late } = wordsOf(page, key);
    // New work is added at the end of the group, which may be on a later page.
    const after = at === keys.length - 1 ? found.next : null;
    const adds = given && mayChange(page) && quickAddRow(addingTo(page, key, title, given));
    if (found.order.group === 'none') return html`<ul class="rows plain ${rowsClass(found.type)}">${rows}${adds}</ul>`;
    const counted = found.groups.find((one) => one.key === key);
    return group(
      {
        id: `g-${key || 'none'}`,
        icon: sign,
        title,
        rows: rowsClass(found.type),
        ...(counted && { count: countWords(counted), sum: sumWords(counted) }),
        ...(late && { late }),
      },
      html`${rows}${after !== null && html`<li class="row more"><span class="t"><a href="${hrefOf(page, { after })}">More in ${title}</a></span></li>`}${adds}`,
    );
  });
}

export const firstLine = (page: ListPage): Content =>
  mayChange(page) &&
  html`<ul class="rows plain ${rowsClass(page.found.type)}">${quickAddRow(addingTo(page, 'first', typesLabel(page.found.type), {}))}</ul>`;

export const addLine = (page: ListPage): Content =>
  mayChange(page) && quickAddRow(addingTo(page, '', `All ${typesLabel(page.found.type).toLowerCase()}`, {}));

const addingTo = ({ request, workspace, found, address, change }: ListPage, key: string, title: string, given: GroupValues) => ({
  context: request,
  path: workspace.path,
  type: found.type,
  id: key || 'none',
  where: title,
  // In a list of the user's own work, new work is assigned to the user.
  given: { ...((address.mine || address.assignee.join() === 'me') && { personId: String(request.user.id) }), ...given },
  back: change.back,
});
