/** Progress of a goal on its page: bar, trend, and an update form with a comment (behaviour §27.2–§27.4). */
import { fold } from '../frame/components/fold.ts';
import { icon } from '../frame/components/icon.ts';
import { asideSection } from '../frame/components/panel.ts';
import { type Content, html } from '../frame/html.ts';
import { may, mayWork } from '../workspace/openWorkspace.ts';
import { measuredForm } from './change/panel.ts';
import { changePath } from './inPlace.ts';
import { measureBar, measureWords, sparkline, trendTable } from './measure.ts';
import type { ItemPage } from './pageOf.ts';

export function measurePart(page: ItemPage): Content {
  const { item, workspace, at, trend, first } = page.opened;
  const { target, current } = item.fields;
  if (item.type !== 'goal') return null;
  if (target == null && current == null && !trend?.changes.length)
    return (
      mayWork(workspace, 'goal', 'write') &&
      asideSection('Measure', html`<p><a class="quiet-link" href="${at}/edit#target">Set a target value</a></p>`)
    );
  const measured = { ...item.fields, first };
  const words = measureWords(measured);
  return asideSection('Measure', html`<p><b>${words}</b></p>${measureBar(measured, words)}${trendOf(page)}${updateOf(page)}`, 'measure');
}

function trendOf({ opened: { trend, item }, clock }: ItemPage): Content {
  const numbers = trend && trendTable(trend, clock);
  if (!numbers) return null;
  return html`${sparkline(trend, item.fields.target, clock)}${fold(html`${icon('chevron-right', 's')}Recorded values`, numbers, { class: 'numbers' })}`;
}

/** Needs the right to change goals. Without the right to comment the form has only the value. */
function updateOf(page: ItemPage): Content {
  const { request, opened } = page;
  const { item, workspace } = opened;
  const { back } = page;
  if (!page.inPlace('goal').may) return null;
  if (!may(workspace, 'comments', 'write'))
    return html`<p><a class="quiet-link" href="${changePath(workspace.at, item.id!, 'current')}" data-menu>Update</a></p>`;
  const { current, unit } = item.fields;
  const form = measuredForm(request, {
    ...{ action: `${workspace.path}/items/${item.id}/change/current`, back, unit: unit ?? '', note: '' },
    names: html`<input type="hidden" name="version" value="${item.version}">`,
    value: current == null ? '' : String(current),
  });
  return fold(html`${icon('chevron-right', 's')}Update`, form);
}
