/** Changes to an item after its approval. The approval stays valid (behaviour §4.24). */
import { type ApprovableName, type Approved, differing, nowOf } from '../../items/approved.ts';
import { keysOf } from '../../values/records.ts';
import { section } from '../frame/components/panel.ts';
import { day } from '../frame/components/when.ts';
import { type Content, html } from '../frame/html.ts';
import { isLink, kindOf, labels } from './fields.ts';
import type { OpenedItem } from './open.ts';
import type { ItemPage } from './pageOf.ts';

const namesOf = ({ item }: OpenedItem, approved: Approved) => keysOf(differing(item, approved));

/** For the approval box. Fields that the reader may not see are left out. */
export function changedWords(opened: OpenedItem, approved: Approved): Content {
  const names = namesOf(opened, approved).map((name) => labels[name]);
  return html`<p class="since"><b>Changed since approval</b>${names.length > 0 && html`: <a href="#changed-since-approval">${names.join(', ')}</a>`}.</p>`;
}

export function changedSincePart(page: ItemPage): Content {
  const { opened } = page;
  const names = opened.approved ? namesOf(opened, opened.approved) : [];
  if (names.length === 0) return null;
  const sides = names.map(
    (name) => html`<section aria-label="${labels[name]}"><h3>${labels[name]}</h3><div class="sides">
<div class="version"><h4>Approved version</h4>${approvedValue(page, name, opened.approved![name])}</div>
<div class="version now"><h4>Now</h4>${approvedValue(page, name, nowOf(opened.item, name))}</div></div></section>`,
  );
  return section({ title: 'Changed since approval', id: 'changed-since-approval', class: 'compared' }, sides);
}

function approvedValue(page: ItemPage, name: ApprovableName, value: string | number | null | undefined): Content {
  const { opened, clock } = page;
  if (value == null || value === '') return html`<p class="meta">empty</p>`;
  if (name === 'description' || name === 'acceptance') return page.prose(String(value));
  if (isLink(name)) {
    const title = opened.context.links.find(({ id }) => id === value)?.title;
    return html`<p><a href="${opened.workspace.at}/items/${value}">${title ?? `#${value}`}</a></p>`;
  }
  return html`<p>${kindOf(name) === 'date' ? day(String(value), clock) : value}</p>`;
}
