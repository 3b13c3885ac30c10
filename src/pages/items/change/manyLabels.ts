/** Adds and removes labels of the selected items (behaviour §33.14). */
import { changeRelations } from '../../../items/relations.ts';
import { type ListedLabel, listDescribedLabels } from '../../../workspaces/labels.ts';
import { button } from '../../frame/components/button.ts';
import { menuTitle } from '../../frame/components/palette.ts';
import { type Content, html } from '../../frame/html.ts';
import type { Answer, PageRequest } from '../../frame/page.ts';
import { postForm } from '../../frame/postForm.ts';
import { call } from '../../frame/session.ts';
import { quantity } from '../../frame/widgets.ts';
import { labelTick } from '../labels.ts';
import type { Version } from './conflict.ts';
import { changedAnswer } from './open.ts';
import { manyNames } from './panel.ts';

interface Place {
  action: string;
  back: string;
}

const idsIn = ({ form }: PageRequest, name: string): number[] => form.all(name).map(Number);

/** Labels in use to add, and all labels to remove. Keeps what was ticked in a refused form. */
export async function labelsPanel(request: PageRequest, { action, back }: Place, versions: readonly Version[]): Promise<Content> {
  const all = await call(request, listDescribedLabels, { workspaceId: Number(request.params.id) });
  const ticks = (name: 'add' | 'remove', offered: readonly ListedLabel[]) =>
    html`<fieldset class="ticks"><legend class="flabel">${name === 'add' ? 'Add' : 'Remove'}</legend>${offered.map((label) => labelTick(label, idsIn(request, name).includes(label.id), name))}</fieldset>`;
  const inUse = all.filter(({ archived }) => !archived);
  const fields = html`${ticks('add', inUse)}${ticks(
    'remove',
    all.filter(({ items }) => items > 0),
  )}`;
  const form = postForm(
    request,
    { action, hidden: { back, change: 'labels' }, live: '#work' },
    manyNames(versions),
    all.length > 0 ? fields : html`<p class="hint">No labels yet. Add the first one on an item.</p>`,
    all.length > 0 && html`<p class="show">${button(`Change ${quantity(versions.length, 'item')}`, { small: true, kind: 'primary' })}</p>`,
  );
  return html`<section id="change" class="change" aria-label="Labels">${menuTitle('Labels')}${form}</section>`;
}

export async function changeLabels(
  request: PageRequest,
  { back }: Place,
  picked: readonly { id: number; version: number | null }[],
): Promise<Answer> {
  const workspaceId = Number(request.params.id);
  const labels = { add: idsIn(request, 'add'), remove: idsIn(request, 'remove') };
  const { items } = await call(request, changeRelations, { workspaceId, items: picked, labels });
  return changedAnswer(back, workspaceId, picked, items);
}

/** The ticked labels as hidden fields, to send them again after a conflict. */
export const tickedLabels = (request: PageRequest): Content =>
  (['add', 'remove'] as const).map((name) => idsIn(request, name).map((id) => html`<input type="hidden" name="${name}" value="${id}">`));
