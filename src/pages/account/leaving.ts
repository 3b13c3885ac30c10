/** The question before a person is deactivated or removed, with links to reassign their tasks (behaviour §30.10). */

import { eraseAccount } from '../../accounts/signIn.ts';
import { listExports } from '../../import/zip/exports.ts';
import { getLeaving, type Leaving } from '../../overviews/leaving.ts';
import { Forbidden } from '../../values/errors.ts';
import { card } from '../frame/components/boxes.ts';
import { button, linkButton } from '../frame/components/button.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { call, setSession } from '../frame/session.ts';
import { handlersOn, type Refusal } from '../frame/submitted.ts';
import { problemBox, quantity } from '../frame/widgets.ts';
import { withPasswordConfirmation } from './confirmed.ts';
import { exportCard, exportRoutes } from './exports.ts';

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

/** /settings/account: erases the account (behaviour §14.5). Signing in again can restore it. */
const PATH = '/settings/account';

async function show(request: PageRequest, refusal?: Refusal, part: 'export' | 'erase' = 'erase'): Promise<Answer> {
  const { user } = request;
  if (user.accountRole !== 'owner') throw new Forbidden();
  const exports = await call(request, listExports, {});
  const name = user.frame?.account ?? 'the account';
  const question = `Erase ${name}? All users are signed out, and all keys and agents stop working now. All data is deleted in 30 days.`;
  return {
    title: 'Account',
    status: refusal?.status ?? 200,
    body: html`<div class="settings">${exportCard(request, exports, part === 'export' ? refusal : undefined)}${card(
      'Erase account',
      html`${part === 'erase' && problemBox(refusal?.problem)}<p class="hint">All users are signed out, and all keys stop working. An owner can sign in within 30 days to restore the account.</p>
<p class="hint">To keep a copy, export your data first.</p>
${postForm(request, { action: `${PATH}/erase`, confirm: question, class: 'plain' }, button('Erase account', { kind: 'danger' }))}`,
      { id: 'erase' },
    )}</div>`,
  };
}

const erase = handlersOn(show)(
  eraseAccount,
  () => ({}),
  (_, { ctx, deps }) => {
    setSession(ctx, deps.config, null);
    return { redirect: '/sign-in', notice: 'accountErased' };
  },
);

export const eraseAccountRoutes: PageRoute[] = [
  { method: 'GET', path: PATH, handle: (request) => show(request) },
  ...exportRoutes((request, refusal) => show(request, refusal, 'export')),
  { method: 'POST', path: `${PATH}/erase`, handle: withPasswordConfirmation(erase) },
];
