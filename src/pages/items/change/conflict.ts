/** The page for version conflicts: stored and chosen values, and the options (behaviour §23.5). */
import type { ChosenItem } from '../../../overviews/chosenItems.ts';
import { VersionConflicts } from '../../../values/errors.ts';
import { notice } from '../../frame/components/boxes.ts';
import { button, linkButton } from '../../frame/components/button.ts';
import { table } from '../../frame/components/row.ts';
import { type Content, html } from '../../frame/html.ts';
import type { Answer, PageRequest } from '../../frame/page.ts';
import { postForm } from '../../frame/postForm.ts';
import { quantity } from '../../frame/widgets.ts';
import { whoChanged } from '../changeLine.ts';
import { itemLink, type Opened } from './open.ts';

export interface Version {
  id: number;
  version: number;
}

interface Conflicting {
  opened: Pick<Opened, 'workspace'> & { items: readonly ChosenItem[] };
  /** Versions that the form sent. */
  sent: readonly Version[];
  error: VersionConflicts;
  /** Current value of the field as text; absent for archiving and undo. */
  now?: (item: ChosenItem) => string;
  chosen?: string;
  title: string;
  said?: string;
  /** Below the context path. */
  action: string;
  back: string;
  /** Hidden fields that send the same change for these versions. */
  names?(items: readonly Version[]): Content;
}

export const isConflict = (error: unknown): error is VersionConflicts => error instanceof VersionConflicts;

export function conflictPage(request: PageRequest, conflicting: Conflicting): Answer {
  const { opened, sent, error, title, back, chosen, now } = conflicting;
  const moved = (error.details.conflicts ?? []).map(({ id }) => id);
  const all = moved.map((id) => {
    const item = opened.items.find((one) => one.id === id);
    const read = sent.find((one) => one.id === id)?.version ?? 0;
    const who = item ? whoChanged(item.history, read) : 'Another user';
    return [item ? itemLink(opened.workspace.at, item) : `#${id}`, who, ...(now ? [(item && now(item)) || '–', chosen || '–'] : [])];
  });
  const columns = [{ label: 'Item' }, { label: 'Changed by' }, ...(now ? [{ label: 'Saved value' }, { label: 'Your value' }] : [])];
  const usual =
    sent.length === 1
      ? 'This item has changed since you opened it. Your change is not saved yet.'
      : `${quantity(sent.length, 'item')} selected, ${moved.length} changed since you opened the page. Nothing is saved yet.`;
  return {
    title,
    status: 409,
    body: html`<section id="change" class="change conflict">${notice('warning', conflicting.said ?? usual)}
${table({ caption: 'Changed items', columns }, all)}
<div class="actions">${choicesOf(request, conflicting, moved)}${linkButton(request.basePath + back, 'Cancel')}</div></section>`,
  };
}

function choicesOf(request: PageRequest, { opened, sent, action, back, names }: Conflicting, moved: readonly number[]): Content {
  if (!names) return null;
  const current = sent.flatMap(({ id, version }) => {
    const item = opened.items.find((one) => one.id === id);
    return item ? [{ id, version: moved.includes(id) ? item.version : version }] : [];
  });
  const others = current.filter(({ id }) => !moved.includes(id));
  const form = (items: readonly Version[], label: string, kind?: 'primary') =>
    postForm(request, { action, hidden: { back }, autocomplete: 'off' }, names(items), button(label, kind ? { kind } : {}));
  return [
    current.length > 0 && form(current, sent.length === 1 ? 'Overwrite with my version' : `Change all ${current.length}`, 'primary'),
    others.length > 0 && form(others, `Change only the ${quantity(others.length, 'unchanged item')}`),
  ];
}
