import type { ItemType } from '../../access/rights.ts';
import { type LinkName, linkNames } from '../../items/fields.ts';
import { icon } from '../frame/components/icon.ts';
import { section } from '../frame/components/panel.ts';
import { type Content, html } from '../frame/html.ts';
import { mayWork } from '../workspace/openWorkspace.ts';
import { typeLabel } from './fields.ts';
import type { OpenedItem } from './open.ts';
import type { ItemPage } from './pageOf.ts';
import { typeSigns } from './typeSigns.ts';

/** Nearest first. */
const order: readonly LinkName[] = ['parentItemId', 'parentId', 'requirementId', 'releaseId', 'goalId'];

/** Linked items that the reader may see, nearest first. */
export function linksOf({ item, context }: OpenedItem): { name: LinkName; id: number; type: ItemType; title: string }[] {
  return order
    .filter((name) => linkNames.includes(name))
    .flatMap((name) => {
      const link = context.links.find(({ id }) => id === item.fields[name]);
      return link ? [{ name, ...link }] : [];
    });
}

export function titlePart(page: ItemPage): Content {
  const { item, workspace, at } = page.opened;
  const [up] = linksOf(page.opened);
  const type = typeLabel(item.type);
  const kind = up ? html`${type} of <a href="${workspace.at}/items/${up.id}">${up.title}</a>` : type;
  const may = mayWork(workspace, item.type, 'write');
  return html`<div class="title"><p class="kind">${icon(typeSigns[item.type], 's')}<span>${kind}</span></p><h2 dir="auto">${item.title}</h2>
${item.description ? page.prose(item.description) : may && html`<p><a class="quiet-link" href="${at}/edit#description">Add a description</a></p>`}</div>`;
}

export function acceptancePart(page: ItemPage): Content {
  const { acceptance } = page.opened.item.fields;
  return acceptance && section({ title: 'Acceptance criteria', class: 'accepted' }, page.prose(acceptance));
}
