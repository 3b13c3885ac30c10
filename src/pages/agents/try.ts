/** /mcp-access/:connectionId/try: runs svc_context as an agent and shows the answer (behaviour §7.51). */
import { listOwnConnections } from '../../connections/manage.ts';
import { tryConnection } from '../../connections/tryConnection.ts';
import { Forbidden } from '../../values/errors.ts';
import { section } from '../frame/components/boxes.ts';
import { linkButton } from '../frame/components/button.ts';
import { html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { call } from '../frame/session.ts';
import { PATH } from './cards.ts';

async function show(request: PageRequest): Promise<Answer> {
  const { basePath, deps, params } = request;
  const connectionId = Number(params.connectionId);
  const { connections } = await call(request, listOwnConnections, {});
  const name = connections.find(({ id }) => id === connectionId)?.name;
  if (name === undefined) throw new Forbidden();
  const startedAt = performance.now();
  const context = deps.reference.answerToAgent(await call(request, tryConnection, { connectionId }));
  const elapsedMs = Math.round(performance.now() - startedAt);
  const answer = JSON.stringify(context, null, 2);
  return {
    title: `Try ${name}`,
    wide: true,
    crumbs: html`<a href="${basePath}${PATH}">Agents</a>`,
    actions: linkButton(`${basePath}${PATH}/${connectionId}/try`, 'Try again', { icon: 'rotate-ccw' }),
    body: html`<div class="agents"><p class="lead">An agent calls <code>svc_context</code> first. It learns whom it acts for and what it can do in each workspace. This is the answer it gets now.</p>
${section({ title: 'Answer', meta: `${elapsedMs} ms` }, html`<div class="code"><pre tabindex="0" role="region" aria-label="Answer of svc_context"><code>${answer}</code></pre></div>`)}</div>`,
  };
}

export const tryRoutes: PageRoute[] = [{ method: 'GET', path: `${PATH}/:connectionId/try`, handle: show }];
