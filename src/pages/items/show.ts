/** The page of an item: its fields, texts, links, approval and comments. */
import { todayIn } from '../../values/dates.ts';
import { Fields } from '../frame/fields.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import type { Refusal } from '../frame/submitted.ts';
import { problemBox } from '../frame/widgets.ts';
import { timerButton } from '../my/timer.ts';
import { may, mayWork, trail } from '../workspace/openWorkspace.ts';
import { approvalPart } from './approval.ts';
import { formLabels } from './form.ts';
import { type OpenedItem, openItem } from './open.ts';
import { belowPart, factsPart, textsPart } from './parts.ts';
import { streamPart } from './stream.ts';

/** What a refused form held is in it still. */
export async function showItem(request: PageRequest, refusal?: Refusal): Promise<Answer> {
  const opened = await openItem(request);
  const { workspace, item, at, timer } = opened;
  const fields = new Fields(formLabels, refusal && { error: refusal.error, form: request.form });
  const mayTrack = may(workspace, 'time', 'write');
  return {
    title: item.title,
    status: refusal?.status ?? 200,
    body: html`${trail({ href: `${workspace.at}?type=${item.type}`, label: workspace.name })}${problemBox(refusal?.problem)}
<div class="actions">${mayWork(workspace, item.type, 'write') && html`<a role="button" href="${at}/edit">Edit</a>`}
${mayWork(workspace, item.type, 'delete') && archiveForm(request, opened)}
${watchForm(request, opened)}
${mayTrack && timerButton(request, { workspaceId: workspace.id, itemId: item.id! }, timer)}</div>
${factsPart(opened, todayIn(request.user.timezone, Date.now()))}${textsPart(item)}${approvalPart(request, opened, fields)}${belowPart(opened)}${streamPart(request, opened, may(workspace, 'comments', 'write') ? fields : null)}`,
  };
}

function watchForm(request: PageRequest, { item, workspace, watching }: OpenedItem): Content {
  const action = `${workspace.path}/items/${item.id}/watch`;
  const hidden = { watching: watching ? 'no' : 'yes' };
  return postForm(
    request,
    { action, hidden, class: 'plain' },
    html`<button class="secondary outline">${watching ? 'Unwatch' : 'Watch'}</button>`,
  );
}

function archiveForm(request: PageRequest, { item, workspace }: OpenedItem): Content {
  const confirm = `Archive this ${item.type}? It disappears from every list, and so does what is linked below it.`;
  const action = `${workspace.path}/items/${item.id}/archive`;
  const form = { action, once: true, hidden: { version: item.version }, confirm, class: 'plain' };
  return postForm(request, form, html`<button class="secondary outline">Archive</button>`);
}
