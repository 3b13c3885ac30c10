import type { ItemType } from '../../../access/rights.ts';
import { type ChosenItem, type ChosenItems, chosenItems } from '../../../overviews/chosenItems.ts';
import { Forbidden } from '../../../values/errors.ts';
import { clockOf } from '../../frame/clock.ts';
import { type Content, html } from '../../frame/html.ts';
import type { PageRequest } from '../../frame/page.ts';
import { call } from '../../frame/session.ts';
import { asOpened, mayWork, type OpenWorkspace } from '../../workspace/openWorkspace.ts';
import type { ValueContext } from './fields.ts';

export interface Opened extends ChosenItems {
  workspace: OpenWorkspace;
  telling: ValueContext;
}

/** The selected items that the reader can see. Throws Forbidden if there are none, or if the reader lacks `level` for one of them. */
export async function openChosen(
  request: PageRequest,
  ids: readonly number[],
  wanted: { releases?: boolean; history?: boolean; level?: 'read' | 'write' | 'delete' },
): Promise<Opened> {
  const { level = 'write', ...more } = wanted;
  const found = await call(request, chosenItems, { workspaceId: Number(request.params.id), ids, ...more });
  const workspace = asOpened(request, found.membership);
  const types = new Set<ItemType>(found.items.map(({ type }) => type));
  if (types.size === 0 || [...types].some((type) => !mayWork(workspace, type, level))) throw new Forbidden();
  return { ...found, workspace, telling: { options: found.options, releases: found.releases, clock: clockOf(request) } };
}

export const itemLink = (at: string, { id, title }: Pick<ChosenItem, 'id' | 'title'>): Content =>
  html`<a href="${at}/items/${id}">#${id} ${title}</a>`;
