/** /mcp-access/activity: calls of the user's own agents (behaviour §7.19). */

import { type ActivityRow, listActivity } from '../../connections/activity.ts';
import type { ActivityFilter } from '../../connections/activityFilter.ts';
import { clockOf } from '../frame/clock.ts';
import { actor, outcome } from '../frame/components/avatar.ts';
import { empty } from '../frame/components/boxes.ts';
import { linkButton } from '../frame/components/button.ts';
import { pickSelect } from '../frame/components/picker.ts';
import { table } from '../frame/components/row.ts';
import { moment } from '../frame/components/when.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { call } from '../frame/session.ts';
import { idIn, option } from '../frame/widgets.ts';
import { PATH as AGENTS } from './cards.ts';
import { didWords, outcomeOf, succeeded } from './words.ts';

const columns = ['Agent', 'Tool', 'Action', 'When', 'Result'].map((label) => ({ label }));

export function activityTable(request: PageRequest, rows: readonly ActivityRow[]): Content {
  const clock = clockOf(request);
  return table(
    { caption: 'Agent activity', columns, class: 'act' },
    rows.map((row) => [
      actor({ id: row.id, name: row.connection, kind: 'agent' }),
      html`<code title="${row.elapsedMs} ms">${row.tool}</code>`,
      didWords(row, request.basePath),
      moment(row.at, clock),
      outcome(succeeded(row.outcome), outcomeOf(row.outcome)),
    ]),
  );
}

const PATH = '/mcp-access/activity';

function filterOf(query: URLSearchParams): ActivityFilter {
  const outcome = query.get('outcome');
  const [tool = ''] = /^svc_[a-z_]{1,40}$/.exec(query.get('tool') ?? '') ?? [];
  return {
    connectionId: idIn(query.get('connection')),
    tool,
    outcome: outcome === 'ok' || outcome === 'failed' ? outcome : 'all',
    before: idIn(query.get('before')),
  };
}

async function show(request: PageRequest): Promise<Answer> {
  const { deps, query } = request;
  const filter = filterOf(query);
  const { connections, tools: lately, rows, more } = await call(request, listActivity, filter);
  const tools = filter.tool && !lately.includes(filter.tool) ? [...lately, filter.tool] : lately;
  const at = deps.config.basePath + PATH;
  return {
    title: 'Activity',
    wide: true,
    crumbs: html`<a href="${deps.config.basePath}${AGENTS}">Agents</a>`,
    filters: html`<form method="get" action="${at}" class="act-filters" hx-get="${at}" hx-trigger="change" hx-target="#activity" hx-select="#activity" hx-swap="outerHTML" hx-push-url="true">
<label>Agent ${pickSelect({ name: 'connection', options: [{ value: '', label: 'all' }, ...connections.map(({ id, name }) => ({ value: String(id), label: name }))], chosen: String(filter.connectionId ?? ''), attributes: html` class="input"` })}</label>
<label>Tool <select class="input" name="tool"><option value="">all</option>${tools.map((one) => option(one, one, filter.tool))}</select></label>
<label>Outcome <select class="input" name="outcome">${['all', 'ok', 'failed'].map((one) => option(one, one, filter.outcome))}</select></label>
<button class="btn">Filter</button>
</form>`,
    body: html`<div class="agents"><div id="activity">${rows.length ? activityTable(request, rows) : empty({ icon: 'history', title: 'No activity yet', text: 'Calls of your agents appear here. Connect an agent to see the first one.' })}
${more && html`<p class="older">${linkButton(`${at}?${olderQuery(filter, rows)}`, 'Older')}</p>`}</div></div>`,
  };
}

function olderQuery({ connectionId, tool, outcome }: ActivityFilter, rows: ActivityRow[]): string {
  return String(new URLSearchParams({ connection: String(connectionId ?? ''), tool, outcome, before: String(rows.at(-1)?.id ?? '') }));
}

export const activityRoutes: PageRoute[] = [{ method: 'GET', path: PATH, handle: show }];
