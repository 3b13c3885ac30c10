import { type BoardWork, boardGroupings } from '../../overviews/workList/input.ts';
import type { PageRequest } from '../frame/page.ts';
import type { InPlaceField } from '../items/change/fields.ts';
import { type ListAddress, listAddress } from './listAddress.ts';

type BoardGroup = BoardWork['group'];

/** The field that a card gets when it is moved to a column. */
export const fieldOf = { status: 'status', assignee: 'assignee', priority: 'priority', label: 'label' } as const satisfies Record<
  BoardGroup,
  InPlaceField | 'label'
>;

export const boardGroup = ({ group }: Pick<ListAddress, 'group'>): BoardGroup => boardGroupings.find((one) => one === group) ?? 'status';

/** Adds the reader's remembered board layout where the URL sets none. Saved views have their own. */
export function withLayout(request: PageRequest): PageRequest {
  const { view, saved, type } = listAddress(request.query);
  const { id } = request.params;
  const layout = request.user.frame?.workspaces.find((one) => String(one.id) === id)?.boards?.[type];
  if (view !== 'board' || saved !== '' || !layout) return request;
  const query = new URLSearchParams(request.query);
  for (const name of ['group', 'sort'] as const) if (!query.has(name) && layout[name]) query.set(name, layout[name]);
  if (!query.has('open')) for (const key of layout.open ?? []) query.append('open', key);
  return { ...request, query };
}

/** The board's address without its remembered settings. */
export function withoutLayout(path: string): string {
  const [place = '', query = ''] = path.split('?', 2);
  const kept = new URLSearchParams(query);
  for (const name of ['group', 'sort', 'open']) kept.delete(name);
  return kept.size > 0 ? `${place}?${kept}` : place;
}

export const unfoldedIn = (query: URLSearchParams): string[] => query.getAll('open').slice(0, 50);

export const fullIn = (query: URLSearchParams): string[] => query.getAll('more').slice(0, 50);
