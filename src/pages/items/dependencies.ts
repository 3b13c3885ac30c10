/** Dependencies of an item in both directions, with forms that add and remove them (behaviour §33.10). */
import { itemTypes } from '../../access/rights.ts';
import { type Dependency, MOST_DEPENDENCIES_SHOWN } from '../../overviews/openItem.ts';
import { closedStatuses } from '../../workspaces/statuses.ts';
import { fold, section } from '../frame/components/boxes.ts';
import { button, iconButton } from '../frame/components/button.ts';
import { icon } from '../frame/components/icon.ts';
import { row } from '../frame/components/row.ts';
import { statusIcon } from '../frame/components/status.ts';
import { type Content, html } from '../frame/html.ts';
import { postForm } from '../frame/postForm.ts';
import { quantity } from '../frame/widgets.ts';
import { mayWork } from '../workspace/openWorkspace.ts';
import type { ItemPage } from './pageOf.ts';
import { lagWords } from './relationWords.ts';

const isOpen = ({ status }: Dependency): boolean => !closedStatuses.includes(status);

export function dependenciesPart(page: ItemPage): Content {
  const { item, workspace, blockedBy, blocks } = page.opened;
  const may = mayWork(workspace, item.type, 'write');
  if (blockedBy.length === 0 && blocks.length === 0 && !may) return null;
  const waits = blockedBy.filter(isOpen).length;
  const meta = waits > 0 && !closedStatuses.includes(item.status) && `Waits for ${quantity(waits, 'item')}`;
  return section(
    { title: 'Dependencies', id: 'dependencies', class: 'depends', meta },
    html`${listOf(page, 'Blocked by', blockedBy, may)}${listOf(page, 'Blocks', blocks, false)}${may && addForm(page)}`,
  );
}

function listOf(page: ItemPage, title: string, all: readonly Dependency[], removes: boolean): Content {
  if (all.length === 0) return null;
  return html`<h3>${title}</h3><ul class="rows">${all.map((one) => dependencyRow(page, one, removes))}</ul>${
    all.length === MOST_DEPENDENCIES_SHOWN && html`<p class="meta">Showing the first ${MOST_DEPENDENCIES_SHOWN}.</p>`
  }`;
}

function dependencyRow(page: ItemPage, one: Dependency, removes: boolean): Content {
  const { workspace } = page.opened;
  return row({
    status: statusIcon({ status: one.status, label: one.statusLabel }),
    number: one.id,
    title: one.title,
    href: `${workspace.at}/items/${one.id}`,
    class: isOpen(one) ? '' : 'done',
    tags: html`${one.lagDays > 0 && html`<span class="meta">${lagWords(one.lagDays)}</span>`}<span class="meta">${one.statusLabel}</span>`,
    always: removes && removeForm(page, one),
  });
}

const actionOf = ({ opened: { item, workspace } }: ItemPage): string => `${workspace.path}/items/${item.id}/dependencies`;

function removeForm(page: ItemPage, { id, title }: Dependency): Content {
  const { request, opened, back } = page;
  return postForm(
    request,
    { action: actionOf(page), hidden: { back, version: opened.item.version, remove: id }, live: '#work', class: 'plain' },
    iconButton('x', `Remove blocker ${title}`, { type: 'submit' }),
  );
}

function addForm(page: ItemPage): Content {
  const { request, opened, back } = page;
  const fields = page.fieldsOf('dependencies');
  const form = postForm(
    request,
    { action: actionOf(page), hidden: { back, version: opened.item.version }, live: '#work', once: true },
    html`<div class="typed">${fields.field('blocker', (mark) => html`<input class="input" name="blocker" required placeholder="#33 or words of its title" data-find="${opened.workspace.at}/find?types=${itemTypes.join()}" value="${fields.value('blocker')}"${mark}>`)}
${fields.field('lagDays', (mark) => html`<input class="input" name="lagDays" type="number" min="0" max="365" value="${fields.value('lagDays', '0')}"${mark}>`)}
${button('Add', { small: true })}</div>`,
  );
  return fold(html`${icon('plus', 's')}Add blocker`, form, { open: fields.refused, class: 'add' });
}
