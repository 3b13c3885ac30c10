/** All columns that the filters allow, even empty ones, because cards can be dropped there. */

import { statusesWanted } from '../../overviews/workList/input.ts';
import type { ListGroup, Person } from '../../overviews/workList/listWork.ts';
import type { LimitedColumn, WorkBoard } from '../../overviews/workList/showBoard.ts';
import type { Status } from '../../workspaces/statuses.ts';
import { avatar, fullName } from '../frame/components/avatar.ts';
import { icon } from '../frame/components/icon.ts';
import { priorityIcon } from '../frame/components/priority.ts';
import { statusIcon } from '../frame/components/status.ts';
import type { Content } from '../frame/html.ts';
import type { ListPage } from './list.ts';
import type { ListAddress } from './listAddress.ts';
import type { GroupValues } from './quickAdd.ts';

export interface BoardColumn {
  /** '' is unassigned, or no priority. */
  key: string;
  title: string;
  sign: Content;
  /** Shows only the count. */
  folded: boolean;
  closed: boolean;
  counted: ListGroup;
  given: GroupValues | null;
  /** The reason why a card cannot be dropped here, or the confirmation that it needs. */
  closedTo?: 'approval' | 'reason';
  filter: Partial<ListAddress>;
  limited?: LimitedColumn | undefined;
}

const none = (key: string): ListGroup => ({ key, count: 0, more: false, estimated: 0, remaining: 0 });

type BoardPage = ListPage & { found: WorkBoard };

export function columnsOfBoard(page: BoardPage, unfolded: readonly string[]): BoardColumn[] {
  const counted = (key: string) => page.found.groups.find((one) => one.key === key) ?? none(key);
  switch (page.found.order.group) {
    case 'assignee':
      return byPerson(page, counted);
    case 'priority':
      return byPriority(page, counted);
    case 'label':
      return byLabel(page, counted);
    default:
      return byStatus(page, counted, unfolded);
  }
}

type Counted = (key: string) => ListGroup;

function byStatus({ found, address }: BoardPage, counted: Counted, unfolded: readonly string[]): BoardColumn[] {
  const asked = statusesWanted({ status: address.status.length ? address.status : ['all'], archived: false });
  const wanted = (status: Status, key: string, closed: boolean) =>
    asked.closed.includes(closed) || asked.statuses.includes(status) || asked.keys.includes(key);
  return found.options.statuses
    .toSorted((a, b) => Number(a.closed) - Number(b.closed))
    .filter(({ key, status, types, closed }) => wanted(status, key, closed) && (types.includes(found.type) || counted(key).count > 0))
    .map(({ key, label, status, types, closed, approval }) => ({
      key,
      title: label,
      sign: statusIcon({ status, label, beside: true }),
      folded: closed && !unfolded.includes(key),
      closed,
      counted: counted(key),
      given: types.includes(found.type) && !approval && status !== 'blocked' && !closed ? { statusKey: key } : null,
      ...(approval ? { closedTo: 'approval' as const } : status === 'blocked' && { closedTo: 'reason' as const }),
      filter: { status: [`key:${key}`] },
      limited: found.limits.find((one) => one.key === key),
    }));
}

function byPriority({ found, address }: BoardPage, counted: Counted): BoardColumn[] {
  const { priority } = address;
  const wanted = (key: string) => priority.length === 0 || priority.includes(key || '-');
  const named = found.options.priorities
    .toReversed()
    .map(({ key, label, rank }) => ({ key, title: label, sign: priorityIcon({ key, label, rank, beside: true }) }));
  return [...named, { key: '', title: 'No priority', sign: null }]
    .filter(({ key }) => wanted(key))
    .map((column) => ({
      ...{ ...column, folded: false, closed: false, counted: counted(column.key) },
      given: { priorityKey: column.key },
      filter: { priority: [column.key || '-'] },
    }));
}

/** An item with several labels is in the column of the first by name, as in lists. */
function byLabel({ found, address }: BoardPage, counted: Counted): BoardColumn[] {
  const narrowed = address.label.length + address.allLabels.length > 0;
  const all = found.labels.filter(({ id, archived }) => counted(String(id)).count > 0 || (!archived && !narrowed));
  const shown = all.length <= MOST_LABELS ? all : all.filter(({ id }) => counted(String(id)).count > 0).slice(0, MOST_LABELS);
  const column = (key: string, title: string, given: GroupValues | null, filter: Partial<ListAddress>): BoardColumn => ({
    ...{ key, title, sign: icon('tag', 's'), folded: false, closed: false, counted: counted(key), given, filter },
  });
  const columns = shown.map(({ id, name, archived }) =>
    column(String(id), name, archived ? null : { labelId: String(id) }, { label: [String(id)] }),
  );
  return narrowed && counted('').count === 0 ? columns : [...columns, column('', 'No label', {}, { group: 'label' })];
}

function byPerson({ found, address, request }: BoardPage, counted: Counted): BoardColumn[] {
  const { assignee, mine } = address;
  const me = request.user.id;
  const narrowed = assignee.length > 0 || mine;
  const all = new Map<number, Person>(found.options.assignees.map(({ id, name }) => [id, { id, name, kind: 'person' }]));
  for (const person of found.people) all.set(person.id, person);
  const wanted = ({ id }: Person) =>
    !narrowed || assignee.includes(String(id)) || (assignee.includes('me') && id === me) || counted(String(id)).count > 0;
  const people = [...all.values()]
    .filter(wanted)
    .sort((a, b) => Number(b.id === me) - Number(a.id === me) || a.name.localeCompare(b.name, 'en') || a.id - b.id);
  const shown =
    people.length <= MOST_PEOPLE ? people : people.filter(({ id }) => id === me || counted(String(id)).count > 0).slice(0, MOST_PEOPLE);
  const columns = shown.map((person): BoardColumn => {
    const key = String(person.id);
    const addable = found.options.assignees.some(({ id }) => id === person.id);
    return {
      ...{ key, title: fullName(person), sign: avatar(person, { beside: true }), folded: false, closed: false, counted: counted(key) },
      given: addable ? { personId: key } : null,
      filter: { assignee: [key] },
    };
  });
  if (narrowed && !assignee.includes('unassigned') && counted('').count === 0) return columns;
  const unassigned = { key: '', title: 'Unassigned', sign: avatar(null, { beside: true }), folded: false, closed: false };
  return [...columns, { ...unassigned, counted: counted(''), given: {}, filter: { assignee: ['unassigned'] } }];
}

const MOST_PEOPLE = 30;
const MOST_LABELS = 30;
