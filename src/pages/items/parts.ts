/** The parts of an item's page that only show. */
import type { Work } from '../../items/schema.ts';
import { type Content, html } from '../frame/html.ts';
import { dueDate } from '../frame/widgets.ts';
import { type FormName, groupsOf, isLink, labels, texts, typeLabel } from './fields.ts';
import { type Choices, shown } from './form.ts';
import type { OpenedItem } from './open.ts';
import { valuesOf } from './values.ts';

/** Everything that is set, by name. `today` is the reader's date. */
export function factsPart(opened: OpenedItem, today: string): Content {
  const { item, context, options } = opened;
  const names = groupsOf(item.type).flatMap((group) => group.names);
  const values = valuesOf(item, names);
  const choices: Choices = { type: item.type, options, targets: [], stored: item, links: context.links, ownerName: context.ownerName };
  const set = names.filter((name) => values[name] !== '');
  const due = values.dueDate ? 'dueDate' : 'targetDate';
  const told = (name: FormName) =>
    name === due ? dueDate(values[name] ?? '', item.status, today) : fact(name, values[name] ?? '', choices, opened);
  return html`<dl class="facts"><div><dt>Type</dt><dd>${typeLabel(item.type)} ${item.id}</dd></div>
${set.map((name) => html`<div><dt>${labels[name]}</dt><dd>${told(name)}</dd></div>`)}</dl>`;
}

function fact(name: FormName, value: string, choices: Choices, { workspace, context }: OpenedItem): Content {
  const text = shown(name, value, choices);
  const visible = isLink(name) && context.links.some(({ id }) => String(id) === value);
  return visible ? html`<a href="${workspace.at}/items/${value}">${text}</a>` : html`<span class="text">${text}</span>`;
}

export function textsPart(item: Work): Content {
  const values = valuesOf(item, texts);
  return texts.map((name) => values[name] && html`<h2>${labels[name]}</h2><div class="text">${values[name]}</div>`);
}

/** What is linked to the item from below. */
export function belowPart({ context: { below }, workspace }: OpenedItem): Content {
  if (!below.length) return null;
  return html`<h2>Linked below</h2><div class="scroll"><table class="cards brief">
<thead><tr><th scope="col">Item</th><th scope="col">Type</th><th scope="col">Status</th><th scope="col">Assignee</th></tr></thead>
<tbody>${below.map((one) => html`<tr><th scope="row"><a href="${workspace.at}/items/${one.id}">${one.title}</a></th><td>${typeLabel(one.type)}</td><td>${one.statusLabel}</td><td>${one.assigneeName}</td></tr>`)}</tbody>
</table></div>${below.length === 100 && html`<p class="muted">The first 100 are shown.</p>`}`;
}
