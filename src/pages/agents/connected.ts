/** Shows if a new key has been used. Polls by script; without script a separate page. */
import { listOwnConnections } from '../../connections/manage.ts';
import { Forbidden } from '../../values/errors.ts';
import { call } from '../frame/call.ts';
import { badge } from '../frame/components/badge.ts';
import { type Content, html } from '../frame/html.ts';
import { fetchPart } from '../frame/live.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';

const PATH = '/mcp-access';
/** Five minutes at one request every two seconds; then polling stops. */
const MOST_LOOKS = 150;

const addressOf = (basePath: string, id: number) => `${basePath}${PATH}/${id}/connected`;

export function waitingForCall(basePath: string, id: number, looks = 0): Content {
  const at = addressOf(basePath, id);
  const badged = badge('amber', 'hourglass', 'Waiting for the first call');
  if (looks >= MOST_LOOKS) return html`<p id="connected" class="wait" role="status">${badged} <a href="${at}">Refresh</a></p>`;
  return html`<p id="connected" class="wait" role="status" hx-get="${at}?looks=${looks + 1}" hx-trigger="every 2s"${fetchPart('#connected')}>${badged} <a href="${at}">Refresh</a></p>`;
}

async function show(request: PageRequest): Promise<Answer> {
  const { basePath, params, query } = request;
  const { connections } = await call(request, listOwnConnections, {});
  const connection = connections.find(({ id, state }) => id === Number(params.connectionId) && state !== 'revoked');
  if (!connection) throw new Forbidden();
  const { id, name, lastUsedAt } = connection;
  const looks = Math.min(MOST_LOOKS, Math.max(0, Math.trunc(Number(query.get('looks'))) || 0));
  return {
    title: name,
    body: html`
${lastUsedAt === null ? waitingForCall(basePath, id, looks) : html`<p id="connected" class="wait" role="status">${badge('green', 'circle-check', `Connected: ${name} made its first call`)}</p>`}
<p><a href="${basePath}${PATH}">Back to Agents</a></p>`,
  };
}

export const connectedRoutes: PageRoute[] = [{ method: 'GET', path: `${PATH}/:connectionId/connected`, handle: show }];
