import { codeBox } from '../frame/components/agent.ts';
import { badge } from '../frame/components/badge.ts';
import { markdown } from '../frame/components/markdown.ts';
import { type Html, html } from '../frame/html.ts';
import type { ToolDocument } from './document.ts';
import { rowsOf, schemaTable } from './schema.ts';

export const toolLinks = (tools: readonly ToolDocument[]): Html =>
  html`<ul><li><a href="#endpoint">The endpoint</a></li>${tools.map(({ name }) => html`<li><a href="#${name}">${name}</a></li>`)}</ul>`;

export function agentsPart(tools: readonly ToolDocument[], instructions: string, baseUrl: string): Html {
  return html`<section id="endpoint"><h2>The endpoint</h2>
<p>Agents use MCP over Streamable HTTP, without sessions. For a key, create a connection on the page Agents.</p>
${codeBox('endpoint-address', `POST ${baseUrl}/mcp\nAuthorization: Bearer $KEY`, 'the endpoint')}
<p>Every write takes a <code>requestId</code>, a new UUID for each change. A retry with the same one changes nothing and gets the first answer.</p>
<h3>Instructions for every agent</h3>${markdown(instructions)}</section>
${tools.map(toolPart)}`;
}

function toolPart({ name, title, description, inputSchema, outputSchema, annotations }: ToolDocument): Html {
  const kind = annotations.readOnlyHint
    ? badge('plain', 'eye', 'Reads')
    : annotations.destructiveHint
      ? badge('amber', 'triangle-alert', 'Writes and deletes')
      : badge('plain', 'pencil', 'Writes');
  return html`<article class="op" id="${name}" aria-labelledby="${name}-title">
<h2 id="${name}-title"><code>${name}</code> ${kind}</h2>
<p class="lead">${title}</p>${markdown(description)}
<h3>Arguments</h3>${schemaTable(`Arguments of ${name}`, rowsOf(inputSchema), true)}
<h3>Result</h3>${schemaTable(`Result of ${name}`, rowsOf(outputSchema), false)}
</article>`;
}
