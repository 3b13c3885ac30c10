import { type ChangedTexts, getTexts } from '../../changes/getTexts.ts';
import { call } from '../frame/call.ts';
import { clockOf } from '../frame/clock.ts';
import { linkButton } from '../frame/components/button.ts';
import { momentWithin } from '../frame/components/when.ts';
import { html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { mayWork } from '../workspace/openWorkspace.ts';
import { actorName } from './doneBy.ts';
import { labels } from './fields.ts';
import { crumbsToItem } from './head.ts';
import { idsOf, openItem } from './open.ts';

/** Throws Forbidden if the change does not exist, is hidden, or changed no text. */
export const readTexts = (request: PageRequest, changeId: number): Promise<ChangedTexts> =>
  call(request, getTexts, { ...idsOf(request), changeId });

async function show(request: PageRequest): Promise<Answer> {
  const { item, workspace, at } = await openItem(request);
  const { change, texts } = await readTexts(request, Number(request.params.changeId));
  const clock = clockOf(request);
  const side = (label: string, text: string, kind = '') =>
    html`<div class="version${kind}"><h3>${label}</h3><div class="text" dir="auto">${text || html`<span class="meta">(nothing)</span>`}</div></div>`;
  const bring = (name: string) =>
    linkButton(`${at}/edit?${new URLSearchParams({ bring: name, from: String(change.id) }).toString()}`, 'Restore previous text', {
      icon: 'undo-2',
      small: true,
    });
  return {
    title: 'Previous text',
    tab: `${item.title}: previous text`,
    itemType: item.type,
    crumbs: crumbsToItem(workspace, item),
    body: html`<p>${actorName(change.actor.name, change)} changed this ${momentWithin(change.at, clock)}, version ${change.version}.</p>
${texts.map(
  ({ name, before, after }) => html`<section class="compared" aria-label="${labels[name]}"><h2>${labels[name]}</h2><div class="sides">
${side('Before', before)}${side('After', after, ' now')}</div>
${mayWork(workspace, item.type, 'write') && html`<p class="do">${bring(name)}</p>`}</section>`,
)}`,
  };
}

export const itemTextRoutes: PageRoute[] = [{ method: 'GET', path: '/workspaces/:id/items/:itemId/changes/:changeId', handle: show }];
