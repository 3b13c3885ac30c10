/** /workspaces/:id/settings: for the workspace's owner and the account's administrators, archived ones included (behaviour §3.18). */
import { disconnect, listAgents } from '../../connections/workspaceAgents.ts';
import type { AgentLine } from '../../connections/workspaceAgentsQueries.ts';
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
import { call, orShow } from '../frame/call.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { agentsPart, mcpIn } from './agents.ts';
import { memberIn, memberPage, membersPart } from './members.ts';
import { problemBox, trail } from './openWorkspace.ts';
import { loadSettings, type SettingsData } from './settingsData.ts';
import { keyOf, workflowPart } from './workflow.ts';

async function show(request: PageRequest, problem?: string, status = 400): Promise<Answer> {
  const view = await loadSettings(request);
  const agents = await call<AgentLine[]>(request, listAgents, { workspaceId: Number(request.params.id) });
  const { name, archived, members } = view.settings;
  const isMember = members.some(({ userId }) => userId === request.user.id);
  return {
    title: `Settings of ${name}`,
    status: problem ? status : 200,
    body: html`${archived && html`<p class="notice">This workspace is archived: nobody sees it, and no key reaches it.</p>`}
${!archived && isMember && trail({ href: view.at.replace(/\/settings$/, ''), label: name })}
${problemBox(problem)}${namePart(view)}${membersPart(view)}${workflowPart(view)}${agentsPart(view, agents)}${archivePart(view)}`,
  };
}

const namePart = ({ settings, at, csrf }: SettingsData) => html`
<form method="post" action="${at}/name">${csrf}<label>Name of the workspace <input name="name" required maxlength="200" value="${settings.name}"></label><button class="secondary">Rename</button></form>`;

function archivePart({ settings, at, csrf }: SettingsData): Content {
  const [to, words, ask] = settings.archived
    ? ['no', 'Bring back from the archive', `Bring ${settings.name} back? Its members and their keys see it again at once.`]
    : [
        'yes',
        'Archive the workspace',
        `Archive ${settings.name}? Nobody sees it any more, and every key loses it at once. Nothing is deleted.`,
      ];
  return html`<h2>Archive</h2><form method="post" action="${at}/archive" class="plain" data-confirm="${ask}">${csrf}<input type="hidden" name="archived" value="${to}"><button class="secondary outline">${words}</button></form>`;
}

/** A form of this page: does `work` and comes back with a notice; what is refused is told above. */
function form(path: string, work: (request: PageRequest, workspaceId: number) => Promise<unknown>, notice = 'saved'): PageRoute {
  return {
    method: 'POST',
    path: `/workspaces/:id/settings/${path}`,
    handle: (request) =>
      orShow<Answer>(
        async () => {
          await work(request, Number(request.params.id));
          return { redirect: `/workspaces/${request.params.id}/settings`, notice };
        },
        (problem, status) => show(request, problem, status),
      ),
  };
}

const text = (request: PageRequest, ...names: string[]) => Object.fromEntries(names.map((name) => [name, request.form.text(name)]));

export const workspaceSettingsRoutes: PageRoute[] = [
  { method: 'GET', path: '/workspaces/:id/settings', handle: (request) => show(request) },
  { method: 'GET', path: '/workspaces/:id/settings/members/:userId', handle: memberPage },
  form('name', (request, workspaceId) => call(request, renameWorkspace, { workspaceId, ...text(request, 'name') })),
  form('archive', (request, workspaceId) =>
    call(request, archiveWorkspace, { workspaceId, archived: request.form.text('archived') === 'yes' }),
  ),
  form('members', (request, workspaceId) => call(request, putMember, { workspaceId, ...memberIn(request.form) })),
  form(
    'members/remove',
    (request, workspaceId) => call(request, dropMember, { workspaceId, userId: request.form.id('userId') }),
    'removed',
  ),
  form('mcp', (request, workspaceId) => call(request, changeMcp, { workspaceId, ...mcpIn(request.form) })),
  form(
    'agents/disconnect',
    (request, workspaceId) => call(request, disconnect, { workspaceId, connectionId: request.form.id('connectionId') }),
    'disconnected',
  ),
  form('statuses/add', (request, workspaceId) =>
    call(request, addStatus, {
      workspaceId,
      key: keyOf(request.form),
      ...text(request, 'label', 'status'),
      types: request.form.all('types'),
    }),
  ),
  form('statuses/rename', (request, workspaceId) =>
    call(request, renameWord, { workspaceId, kind: 'statuses', ...text(request, 'key', 'label') }),
  ),
  form('statuses/move', (request, workspaceId) => call(request, moveStatus, { workspaceId, ...text(request, 'key', 'direction') })),
  form(
    'statuses/delete',
    (request, workspaceId) => call(request, deleteWord, { workspaceId, kind: 'statuses', ...text(request, 'key') }),
    'deleted',
  ),
  form('priorities/add', (request, workspaceId) =>
    call(request, addPriority, { workspaceId, key: keyOf(request.form), ...text(request, 'label'), rank: request.form.number('rank') }),
  ),
  form('priorities/change', (request, workspaceId) =>
    call(request, changePriority, { workspaceId, ...text(request, 'key', 'label'), rank: request.form.number('rank') }),
  ),
  form('priorities/default', (request, workspaceId) =>
    call(request, setDefaultPriority, { workspaceId, key: request.form.text('key') || null }),
  ),
  form(
    'priorities/delete',
    (request, workspaceId) => call(request, deleteWord, { workspaceId, kind: 'priorities', ...text(request, 'key') }),
    'deleted',
  ),
];
