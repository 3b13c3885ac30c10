import { type ChosenItem, type ChosenItems, chosenItems } from '../../../overviews/chosenItems.ts';
import { Forbidden } from '../../../values/errors.ts';
import { clockOf } from '../../frame/clock.ts';
import { type Content, html } from '../../frame/html.ts';
import type { Answer, PageRequest } from '../../frame/page.ts';
import { call } from '../../frame/session.ts';
import { undoOf } from '../../frame/toast.ts';
import { asOpened, mayWork, type OpenWorkspace } from '../../workspace/openWorkspace.ts';
import type { ValueContext } from './fields.ts';

/** At least one. */
export type SomeItems = readonly [ChosenItem, ...ChosenItem[]];

export interface Opened extends Omit<ChosenItems, 'items'> {
  items: SomeItems;
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
  const [first, ...others] = found.items;
  if (!first || found.items.some(({ type }) => !mayWork(workspace, type, level))) throw new Forbidden();
  const telling = { options: found.options, releases: found.releases, clock: clockOf(request) };
  return { ...found, items: [first, ...others], workspace, telling };
}

interface Saved {
  id: number;
  version: number;
}

/** After a change of items: back, with Undo if a version differs from those that the form sent. */
export function changedAnswer(
  back: string,
  workspaceId: number,
  sent: readonly { id: number; version: number | null }[],
  saved: readonly Saved[],
  nothing = 'nothing',
): Answer {
  const changed = saved.find(({ id, version }) => sent.some((one) => one.id === id && one.version !== version));
  if (!changed) return { redirect: back, notice: nothing };
  return { redirect: back, undo: undoOf.items({ workspaceId, itemId: changed.id, version: changed.version }), notice: 'changed' };
}

export const itemLink = (at: string, { id, title }: Pick<ChosenItem, 'id' | 'title'>): Content =>
  html`<a href="${at}/items/${id}">#${id} ${title}</a>`;
