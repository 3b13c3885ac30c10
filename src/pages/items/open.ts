import { type EditedItem, editItem, type ShownItem, showItem } from '../../overviews/openItem.ts';
import { call } from '../frame/call.ts';
import type { PageRequest } from '../frame/page.ts';
import { asOpened, type OpenWorkspace } from '../workspace/openWorkspace.ts';

interface InWorkspace {
  workspace: OpenWorkspace;
  /** With the context path. */
  at: string;
}

export type OpenedItem = ShownItem & InWorkspace;

/** Throws Forbidden for an item that is missing, hidden or in another workspace. */
export async function openItem(request: PageRequest): Promise<OpenedItem> {
  const until = untilOf(request);
  const found = await call(request, showItem, { ...idsOf(request), ...(until !== null && { until }) });
  return { ...found, ...inWorkspace(request, found) };
}

export async function openForEditing(request: PageRequest): Promise<EditedItem & InWorkspace> {
  const found = await call(request, editItem, idsOf(request));
  return { ...found, ...inWorkspace(request, found) };
}

/** Shows history only before this instant; null if absent or invalid. */
export function untilOf({ query }: PageRequest): string | null {
  const asked = query.get('until') ?? '';
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(asked) && !Number.isNaN(Date.parse(asked)) ? asked : null;
}

export const idsOf = ({ params }: PageRequest) => ({ workspaceId: Number(params.id), id: Number(params.itemId) });

function inWorkspace(request: PageRequest, { membership, item }: Pick<ShownItem, 'membership' | 'item'>): InWorkspace {
  const workspace = asOpened(request, membership);
  return { workspace, at: `${workspace.at}/items/${item.id}` };
}
