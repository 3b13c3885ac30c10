/** /workspaces/:id/items/:itemId/changes/:changeId: a long text before and after a change, to compare and to bring back. */
import { type ChangedTexts, getTexts } from '../../changes/getTexts.ts';
import { call } from '../frame/call.ts';
import { html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { moment } from '../frame/widgets.ts';
import { mayWork, trail } from '../workspace/openWorkspace.ts';
import { doneBy } from './doneBy.ts';
import { labels } from './fields.ts';
import { idsOf, openItem } from './open.ts';

/** Throws Forbidden for what is no change of the texts of an item that can be seen. */
export const readTexts = (request: PageRequest, changeId: number): Promise<ChangedTexts> =>
  call(request, getTexts, { ...idsOf(request), changeId });

async function show(request: PageRequest): Promise<Answer> {
  const { item, workspace, at } = await openItem(request);
  const { change, texts } = await readTexts(request, Number(request.params.changeId));
  const side = (label: string, text: string) =>
    html`<div class="version"><h3>${label}</h3><div class="text">${text || html`<span class="muted">(nothing)</span>`}</div></div>`;
  return {
    title: 'The text before',
    body: html`${trail({ href: `${workspace.at}?type=${item.type}`, label: workspace.name }, { href: at, label: item.title })}
<p>${doneBy(change.actor.name, change)} changed this ${moment(change.at)}, version ${change.version}.</p>
${texts.map(
  ({ name, before, after }) => html`<section aria-label="${labels[name]}"><h2>${labels[name]}</h2><div class="sides">
${side('Before', before)}${side('After', after)}</div>
${mayWork(workspace, item.type, 'write') && html`<p><a role="button" class="secondary" href="${at}/edit?${new URLSearchParams({ bring: name, from: String(change.id) }).toString()}">Bring the text before back</a></p>`}</section>`,
)}`,
  };
}

export const itemTextRoutes: PageRoute[] = [{ method: 'GET', path: '/workspaces/:id/items/:itemId/changes/:changeId', handle: show }];
