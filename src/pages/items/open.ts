/** The item of a page's address, with its context. */
import { getItemWithProgressNotes } from '../../comments/getItemWithProgressNotes.ts';
import type { ProgressNote } from '../../comments/schema.ts';
import { getItemContext, type ItemContext } from '../../items/itemContext.ts';
import type { Work } from '../../items/schema.ts';
import { Forbidden } from '../../values/errors.ts';
import { getOptions } from '../../workspaces/getOptions.ts';
import { call } from '../frame/call.ts';
import type { PageRequest } from '../frame/page.ts';
import { type OpenWorkspace, openWorkspace } from '../workspace/openWorkspace.ts';
import type { AllOptions } from './form.ts';

export interface OpenedItem {
  workspace: OpenWorkspace;
  item: Work;
  context: ItemContext;
  options: AllOptions;
  /** Newest first; left out for who may not read comments. */
  notes?: ProgressNote[];
  /** With the context path. */
  at: string;
}

/** Throws Forbidden for an item that is absent, hidden or in another workspace. */
export async function openItem(request: PageRequest): Promise<OpenedItem> {
  const workspace = await openWorkspace(request);
  const id = Number(request.params.itemId);
  const { item, notes } = await call(request, getItemWithProgressNotes, {
    id,
    includeOriginals: true,
  });
  if (item.workspaceId !== workspace.id) throw new Forbidden();
  const context = await call(request, getItemContext, { workspaceId: workspace.id, id });
  const options = await call(request, getOptions, { workspaceId: workspace.id });
  return { workspace, item, context, options, at: `${workspace.at}/items/${id}`, ...(notes && { notes }) };
}
