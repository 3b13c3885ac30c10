/** First steps of a new account: a workspace, people, an agent (behaviour §22.10). */
import { dismissFirstSteps } from '../../accounts/profile.ts';
import { call } from '../frame/call.ts';
import { button } from '../frame/components/button.ts';
import { icon } from '../frame/components/icon.ts';
import { card } from '../frame/components/panel.ts';
import { ring } from '../frame/components/ring.ts';
import { type Done, openSteps } from '../frame/firstSteps.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';

const steps: { name: keyof Done; title: string; text: string; href: string; action: string }[] = [
  {
    name: 'workspace',
    title: 'Create a workspace',
    text: 'A workspace holds the items of a team or project.',
    href: '/workspaces',
    action: 'Create workspace',
  },
  {
    name: 'people',
    title: 'Invite people',
    text: 'They get a link to set their password.',
    href: '/settings/people',
    action: 'Invite people',
  },
  {
    name: 'agent',
    title: 'Connect an agent',
    text: 'An agent reads and updates items, within limits that you set.',
    href: '/mcp-access',
    action: 'Connect agent',
  },
];

export function firstSteps(request: PageRequest): Content {
  const open = openSteps(request.user.frame);
  if (!open) return null;
  const told = `${open.done} of ${open.of} done`;
  const next = steps.find(({ name }) => !open.steps[name]);
  const rows = steps.map(({ name, title, text, href, action }) => {
    const done = open.steps[name];
    const sign = done ? icon('circle-check') : icon('circle-dashed');
    const link = html`<a class="btn small${next?.name === name && ' primary'}" href="${request.basePath}${href}">${action}</a>`;
    return html`<li${done && html` class="done"`}>${sign}<span><b>${title}</b>${done ? html`<span class="vh">: done</span>` : html`<span class="hint">${text}</span>`}</span>${!done && link}</li>`;
  });
  const away = postForm(request, { action: '/first-steps/dismiss' }, button('Dismiss', { kind: 'quiet', small: true }));
  return card('First steps', html`<ol class="first-steps">${rows}</ol>`, {
    ...{ id: 'first-steps', meta: html`${ring(open.done / open.of, told)} ${told}`, action: away },
  });
}

async function dismiss(request: PageRequest): Promise<Answer> {
  await call(request, dismissFirstSteps, {});
  return { redirect: '/', notice: 'putAway' };
}

export const firstStepsRoutes: PageRoute[] = [{ method: 'POST', path: '/first-steps/dismiss', handle: dismiss }];
