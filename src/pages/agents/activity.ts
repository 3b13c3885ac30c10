/** /mcp-access/activity: tool, outcome and time of each call of a person's own agents. No arguments, no texts (behaviour §7.19). */
import type { ActivityFilter } from '../../connections/activityFilter.ts';
import { type ActivityRow, listActivity } from '../../connections/listActivity.ts';
import { call } from '../frame/call.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { moment, option } from '../frame/widgets.ts';

const PATH = '/mcp-access/activity';

const idOf = (text: string | null) => (text && /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : null);

function filterOf(query: URLSearchParams): ActivityFilter {
  const outcome = query.get('outcome');
  return {
    connectionId: idOf(query.get('connection')),
    tool: /^svc_[a-z_]{1,40}$/.test(query.get('tool') ?? '') ? query.get('tool')! : '',
    outcome: outcome === 'ok' || outcome === 'failed' ? outcome : 'all',
    before: idOf(query.get('before')),
  };
}

async function show(request: PageRequest): Promise<Answer> {
  const { deps, query } = request;
  const filter = filterOf(query);
  const { connections, tools: lately, rows, more } = await call(request, listActivity, filter);
  const tools = filter.tool && !lately.includes(filter.tool) ? [...lately, filter.tool] : lately;
  const at = deps.config.basePath + PATH;
  return {
    title: 'What your agents did',
    body: html`
<form method="get" action="${at}" class="filters" hx-get="${at}" hx-trigger="change" hx-target="#activity" hx-select="#activity" hx-swap="outerHTML" hx-push-url="true">
<label>Agent <select name="connection"><option value="">all</option>${connections.map((one) => option(String(one.id), one.name, String(filter.connectionId ?? '')))}</select></label>
<label>Tool <select name="tool"><option value="">all</option>${tools.map((one) => option(one, one, filter.tool))}</select></label>
<label>Outcome <select name="outcome">${['all', 'ok', 'failed'].map((one) => option(one, one, filter.outcome))}</select></label>
<button class="secondary">Filter</button>
</form>
<div id="activity">${table(rows)}
${more && html`<p><a href="${at}?${olderQuery(filter, rows)}">Older</a></p>`}</div>
<p><a href="${deps.config.basePath}/mcp-access">Back to the agents</a></p>`,
  };
}

function olderQuery({ connectionId, tool, outcome }: ActivityFilter, rows: ActivityRow[]): string {
  return new URLSearchParams({ connection: String(connectionId ?? ''), tool, outcome, before: String(rows.at(-1)!.id) }).toString();
}

function table(rows: ActivityRow[]): Content {
  if (!rows.length) return html`<p>Nothing here.</p>`;
  return html`<div class="scroll"><table class="cards">
<thead><tr><th scope="col">When</th><th scope="col">Agent</th><th scope="col">Tool</th><th scope="col">Workspace</th><th scope="col">Outcome</th><th scope="col" class="number">ms</th></tr></thead>
<tbody>${rows.map((row) => html`<tr><th scope="row">${moment(row.at)}</th><td data-label="Agent">${row.connection}</td><td data-label="Tool"><code>${row.tool}</code></td><td data-label="Workspace">${row.workspace}</td><td data-label="Outcome">${row.outcome}</td><td class="number" data-label="ms">${row.elapsedMs}</td></tr>`)}</tbody></table></div>`;
}

export const activityRoutes: PageRoute[] = [{ method: 'GET', path: PATH, handle: show }];
