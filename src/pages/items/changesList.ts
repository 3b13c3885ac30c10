/** What a change changed, field by field, in the words of the form. */
import type { ItemChange } from '../../changes/schema.ts';
import { type Content, html } from '../frame/html.ts';
import { type FormName, isLink, labels } from './fields.ts';
import { type Choices, shown } from './form.ts';
import type { OpenedItem } from './open.ts';

/** Of a new item, folded away; a long text leads to what it was. */
export function changesList(opened: OpenedItem, change: ItemChange): Content {
  const created = change.kind === 'item.created';
  const names = (Object.keys(labels) as FormName[]).filter((name) => name in change.fields);
  if (names.length === 0) return null;
  const lines = html`<ul>${names.map((name) => html`<li>${line(opened, change, name, created)}</li>`)}</ul>`;
  return created ? html`<details><summary>As it was made</summary>${lines}</details>` : lines;
}

function line(opened: OpenedItem, { id, fields }: ItemChange, name: FormName, created: boolean): Content {
  const change = fields[name]!;
  if (change === true)
    return created ? labels[name] : html`${labels[name]}: <a href="${opened.at}/changes/${id}">compare with the text before</a>`;
  const [before, after] = change.map((value) => told(opened, name, value));
  return created ? html`${labels[name]}: ${after}` : html`${labels[name]}: ${before} → ${after}`;
}

function told(opened: OpenedItem, name: FormName, value: string | number | null | undefined): Content {
  if (value == null || value === '') return html`<span class="muted">nothing</span>`;
  const text = String(value);
  if (name === 'assigneeId' || name === 'ownerId') return opened.history.people[text] ?? text;
  if (isLink(name)) return html`<a href="${opened.workspace.at}/items/${text}">${titleOf(opened, text)}</a>`;
  return shown(name, text, choicesOf(opened));
}

const titleOf = ({ context }: OpenedItem, id: string): string =>
  context.links.find((link) => String(link.id) === id)?.title ?? `item ${id}`;

const choicesOf = ({ item, options, context }: OpenedItem): Choices => ({
  type: item.type,
  options,
  targets: [],
  stored: item,
  links: context.links,
  ownerName: context.ownerName,
});
