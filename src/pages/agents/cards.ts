import { type AgentCard, MOST_CALLS } from '../../connections/activity.ts';
import { type ConnectableWorkspace, listOwnConnections } from '../../connections/manage.ts';
import { addDays, daysBetween } from '../../values/dates.ts';
import { Forbidden } from '../../values/errors.ts';
import { type Clock, clockOf } from '../frame/clock.ts';
import { connection } from '../frame/components/avatar.ts';
import { linkButton } from '../frame/components/button.ts';
import { icon } from '../frame/components/icon.ts';
import { badge } from '../frame/components/marks.ts';
import { menu } from '../frame/components/palette.ts';
import { ago, dateIn, dayWithin, momentWords, within } from '../frame/components/when.ts';
import { type Content, html } from '../frame/html.ts';
import { fetchPart } from '../frame/live.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { call } from '../frame/session.ts';
import { quantity } from '../frame/widgets.ts';
import { joinWithAnd, limitsOf, mayNotOf, mayOf } from './words.ts';

export const PATH = '/mcp-access';
const DAYS = 7;
/** Expiry within these days is highlighted. */
const SOON_DAYS = 14;
const MOST_LIMITS = 3;

export const isLive = ({ revokedAt, expired }: AgentCard): boolean => revokedAt === null && !expired;

export const agentCards = (request: PageRequest, cards: readonly AgentCard[], connectable: readonly ConnectableWorkspace[]): Content =>
  html`<div class="conns">${cards.map((card) => agentCard(request, card, connectable))}</div>`;

function agentCard(request: PageRequest, card: AgentCard, connectable: readonly ConnectableWorkspace[]): Content {
  const { id, name, revokedAt } = card;
  const clock = clockOf(request);
  const calls = callsOf(card, clock);
  return connection({
    id: `agent-${id}`,
    name: revokedAt === null ? html`<a href="${request.basePath}${PATH}/${id}">${name}</a>` : name,
    where: whereOf(card),
    more: revokedAt === null && more(request, card),
    may: revokedAt === null ? mayOf(card) : [],
    mayNot:
      revokedAt === null
        ? [...mayNotOf(card), ...shortened(limitsOf(card, connectable))]
        : [`Revoked ${within(momentWords(revokedAt, clock))}`],
    use: html`${callWords(request, card, calls)}<br>${card.lastUsedAt === null ? html`Created ${ago(card.createdAt, clock)}` : html`Last used ${ago(card.lastUsedAt, clock)}`}<br>${clientOf(card)}${endOf(card, clock)}`,
    calls: card.counted < MOST_CALLS ? calls : null,
    off: !isLive(card),
    foot: isLive(card) && html`<p>${linkButton(`${request.basePath}${PATH}/${id}/try`, 'Try', { small: true, icon: 'play' })}</p>`,
  });
}

const whereOf = ({ workspaces }: AgentCard): string =>
  workspaces.length === 0
    ? 'no workspace'
    : joinWithAnd(workspaces.map(({ name, disconnected }) => (disconnected ? `${name} (disconnected by its owner)` : name)));

const shortened = (lines: string[]): string[] =>
  lines.length <= MOST_LIMITS ? lines : [...lines.slice(0, MOST_LIMITS), quantity(lines.length - MOST_LIMITS, 'more limit')];

/** Calls per day, oldest first. */
export function callsOf({ calls }: Pick<AgentCard, 'calls'>, { today }: Pick<Clock, 'today'>): number[] {
  const byDate = new Map(calls.map((one) => [one.date, one.calls]));
  return Array.from({ length: DAYS }, (_, i) => byDate.get(addDays(today, i - DAYS + 1)) ?? 0);
}

const figures = new Intl.NumberFormat('en');

function clientOf({ client, protocolVersion }: AgentCard): Content {
  if (client === null && protocolVersion === null) return '';
  return html`<span dir="auto">${client ?? 'Unknown client'}</span>${protocolVersion !== null && `, MCP ${protocolVersion}`}<br>`;
}

function callWords({ basePath }: PageRequest, { id, calls, counted, lastUsedAt }: AgentCard, days: readonly number[]): Content {
  const all = days.reduce((sum, one) => sum + one, 0);
  const failed = calls.reduce((sum, one) => sum + one.failed, 0);
  const total = counted >= MOST_CALLS ? `More than ${figures.format(MOST_CALLS)} calls` : quantity(all, 'call');
  const said = all > 0 ? `${total} in 7 days` : lastUsedAt === null ? 'No calls yet' : 'No calls in 7 days';
  const link = html`, <a class="failed" href="${basePath}${PATH}/activity?connection=${id}&outcome=failed">${figures.format(failed)} failed</a>`;
  return html`<b>${said}</b>${failed > 0 && link}`;
}

function endOf({ revokedAt, expired, expiresAt }: AgentCard, clock: Clock): Content {
  if (revokedAt !== null) return badge('plain', 'ban', 'Revoked');
  if (expiresAt === null) return 'Does not expire';
  const date = dateIn(expiresAt, clock);
  if (expired) return badge('red', 'clock', html`Expired ${dayWithin(date, clock)}`);
  const left = daysBetween(clock.today, date);
  if (left > SOON_DAYS) return html`Expires ${dayWithin(date, clock)}`;
  return badge('amber', 'clock', left === 0 ? 'Expires today' : `Expires in ${quantity(left, 'day')}`);
}

function more(request: PageRequest, { id, name }: AgentCard): Content {
  const form = { hidden: { connectionId: id } };
  const rotate = {
    ...form,
    action: `${PATH}/rotate`,
    once: true,
    confirm: `Rotate the key of ${name}? The old key stops working immediately.`,
  };
  const revoke = { ...form, action: `${PATH}/revoke`, confirm: `Revoke ${name}? It loses access immediately and permanently.` };
  const panel = [
    html`<a class="opt" href="${request.basePath}${PATH}/${id}">${icon('pencil')}Edit permissions</a>`,
    html`<a class="opt" href="${request.basePath}${PATH}/activity?connection=${id}">${icon('history')}Activity</a>`,
    postForm(request, rotate, html`<button class="opt">${icon('rotate-ccw')}Rotate key</button>`),
    postForm(request, revoke, html`<button class="opt danger">${icon('ban')}Revoke</button>`),
  ];
  return menu(html`<span class="icon-btn">${icon('ellipsis')}</span>`, panel, {
    label: `More actions for ${name}`,
    end: true,
  });
}

// Shows if a new key has been used. Polls by script; without script a separate page.

/** Five minutes at one request every two seconds; then polling stops. */
const MOST_LOOKS = 150;

export function waitingForCall(basePath: string, id: number, looks = 0): Content {
  const at = `${basePath}${PATH}/${id}/connected`;
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
