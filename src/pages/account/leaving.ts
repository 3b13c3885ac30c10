/** The question before a person is deactivated or removed, with links to reassign their tasks (behaviour §30.10). */
import { getLeaving, type Leaving } from '../../overviews/leaving.ts';
import { call } from '../frame/call.ts';
import { linkButton } from '../frame/components/button.ts';
import { quantity } from '../frame/counted.ts';
import { type Content, html } from '../frame/html.ts';
import type { PageRequest } from '../frame/page.ts';

const list = new Intl.ListFormat('en', { type: 'conjunction' });

/** Null if the person does not exist; the operation then reports the error. */
export async function leavingQuestion(request: PageRequest, workspaceId?: number): Promise<Content> {
  const { form } = request;
  const found = await call(request, getLeaving, { userId: form.id('userId'), workspaceId });
  if (!found) return null;
  const { name, blocks, timers } = found;
  const tasks = found.tasks.reduce((sum, { count }) => sum + count, 0);
  const counts: [number, string][] = [
    [tasks, 'open task'],
    [timers, 'running timer'],
    [blocks, 'plan block'],
    [found.keys ?? 0, 'key'],
    [found.agents, 'agent'],
  ];
  const has = counts.filter(([count]) => count > 0).map(([count, noun]) => quantity(count, noun));
  const effects = [
    workspaceId === undefined
      ? 'Their keys, agents and sessions stop working immediately and permanently.'
      : 'They and their keys lose access to this workspace immediately.',
    timers > 0 && 'Their timer stops now, and its time is kept.',
    blocks > 0 && 'Their planned time is cancelled.',
    tasks > 0 && `Open tasks remain assigned to ${name} until you reassign them.`,
  ].filter(Boolean);
  return html`<p>${workspaceId === undefined ? `Deactivate ${name}?` : `Remove ${name}?`} ${has.length > 0 && `${name} has ${list.format(has)}.`}</p>
<p>${effects.join(' ')}</p>${tasks > 0 && html`<p class="actions">${found.tasks.map((one) => reassign(request, one, found.tasks.length > 1))}</p>`}`;
}

function reassign(
  { basePath, form }: PageRequest,
  { workspaceId, workspace, count, isMember }: Leaving['tasks'][number],
  several: boolean,
): Content {
  const where = several ? ` in ${workspace} (${count})` : '';
  if (!isMember)
    return html`<span class="hint">To reassign ${several ? quantity(count, 'task') : 'tasks'} in ${workspace}, become a member of it.</span>`;
  return linkButton(`${basePath}/workspaces/${workspaceId}?assignee=${form.id('userId')}`, `Reassign tasks${where}`);
}
