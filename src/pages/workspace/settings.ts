/** /workspaces/:id/settings: for the workspace's owner and the account's administrators, archived ones included (behaviour §3.18). */
import { disconnect, listAgents } from '../../connections/workspaceAgents.ts';
import type { Operation } from '../../operations/operation.ts';
import { archiveWorkspace, changeMcp, dropMember, putMember, renameWorkspace } from '../../workspaces/administer.ts';
import {
  addPriority,
  addStatus,
  changePriority,
  deleteWord,
  moveStatus,
  renameWord,
  setDefaultPriority,
} from '../../workspaces/workflow.ts';
import { call } from '../frame/call.ts';
import { linkButton } from '../frame/components/button.ts';
import type { Form } from '../frame/forms.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { type Refusal, submitted } from '../frame/submitted.ts';
import { problemBox } from '../frame/widgets.ts';
import { agentsPart, mcpIn } from './agents.ts';
import { isOfMember, memberIn, memberPage, membersPart } from './members.ts';
import { trail } from './openWorkspace.ts';
import { loadSettings, type SettingsData, settingsLabels } from './settingsData.ts';
import { keyOf, workflowPart } from './workflow.ts';

async function show(request: PageRequest, refusal?: Refusal): Promise<Answer> {
  const data = await loadSettings(request, refusal);
  const agents = await call(request, listAgents, { workspaceId: Number(request.params.id) });
  const { name, archived, members } = data.settings;
  const isMember = members.some(({ userId }) => userId === request.user.id);
  return {
    crumbs: !archived && isMember && trail({ href: `${request.basePath}/workspaces/${request.params.id}`, label: name }),
    title: `Settings of ${name}`,
    actions:
      !archived &&
      linkButton(`${request.basePath}/workspaces/${request.params.id}/webhooks`, 'Webhooks', { icon: 'webhook', iconOnPhone: true }),
    status: refusal?.status ?? 200,
    body: html`${archived && html`<p class="notice">This workspace is archived: nobody sees it, and no key reaches it.</p>`}
${problemBox(refusal?.problem)}${namePart(data)}${membersPart(data)}${workflowPart(data)}${agentsPart(data, agents)}${archivePart(data)}`,
  };
}

function namePart(data: SettingsData): Content {
  const action = `${data.path}/name`;
  const fields = data.forms(action);
  const value = fields.value('name', data.settings.name);
  return postForm(
    data,
    { action, class: 'narrow' },
    fields.field('name', (mark) => html`<input name="name" required maxlength="200" value="${value}"${mark}>`),
    html`<button class="secondary">Rename</button>`,
  );
}

function archivePart(data: SettingsData): Content {
  const { name, archived } = data.settings;
  const [to, words, confirm] = archived
    ? ['no', 'Bring back from the archive', `Bring ${name} back? Its members and their keys see it again at once.`]
    : ['yes', 'Archive the workspace', `Archive ${name}? Nobody sees it any more, and every key loses it at once. Nothing is deleted.`];
  const form = { action: `${data.path}/archive`, hidden: { archived: to }, confirm, class: 'plain' };
  return html`<h2>Archive</h2>${postForm(data, form, html`<button class="secondary outline">${words}</button>`)}`;
}

/** A form of this page: runs `operation` and comes back with a notice; what is refused is told where it was typed. */
function form<Input, Output>(
  path: string,
  operation: Operation<Input, Output>,
  input: (form: Form) => object,
  notice = 'saved',
): PageRoute {
  return {
    method: 'POST',
    path: `/workspaces/:id/settings/${path}`,
    handle: (request) =>
      submitted(request, operation, (sent) => ({ workspaceId: Number(request.params.id), ...input(sent) }), {
        done: () => ({ redirect: `/workspaces/${request.params.id}/settings`, notice }),
        labels: settingsLabels,
        again: (refusal) => (isOfMember(request.form) ? memberPage(request, request.form.text('userId'), refusal) : show(request, refusal)),
      }),
  };
}

const texts = (sent: Form, ...names: string[]) => Object.fromEntries(names.map((name) => [name, sent.text(name)]));

export const workspaceSettingsRoutes: PageRoute[] = [
  { method: 'GET', path: '/workspaces/:id/settings', handle: (request) => show(request) },
  { method: 'GET', path: '/workspaces/:id/settings/members/:userId', handle: (request) => memberPage(request, request.params.userId!) },
  form('name', renameWorkspace, (sent) => texts(sent, 'name')),
  form('archive', archiveWorkspace, (sent) => ({ archived: sent.text('archived') === 'yes' })),
  form('members', putMember, memberIn),
  form('members/remove', dropMember, (sent) => ({ userId: sent.id('userId') }), 'removed'),
  form('mcp', changeMcp, mcpIn),
  form('agents/disconnect', disconnect, (sent) => ({ connectionId: sent.id('connectionId') }), 'disconnected'),
  form('statuses/add', addStatus, (sent) => ({ key: keyOf(sent), ...texts(sent, 'label', 'status'), types: sent.all('types') })),
  form('statuses/rename', renameWord, (sent) => ({ kind: 'statuses', ...texts(sent, 'key', 'label') })),
  form('statuses/move', moveStatus, (sent) => texts(sent, 'key', 'direction')),
  form('statuses/delete', deleteWord, (sent) => ({ kind: 'statuses', ...texts(sent, 'key') }), 'deleted'),
  form('priorities/add', addPriority, (sent) => ({ key: keyOf(sent), ...texts(sent, 'label'), rank: sent.number('rank') })),
  form('priorities/change', changePriority, (sent) => ({ ...texts(sent, 'key', 'label'), rank: sent.number('rank') })),
  form('priorities/default', setDefaultPriority, (sent) => ({ key: sent.text('key') || null })),
  form('priorities/delete', deleteWord, (sent) => ({ kind: 'priorities', ...texts(sent, 'key') }), 'deleted'),
];
