/** Set-up texts for MCP clients. They contain only the name of an environment variable, never the key (behaviour §7.30). */
import { capital } from '../../values/text.ts';
import { codeBox, tabs } from '../frame/components/avatar.ts';
import { linkButton } from '../frame/components/button.ts';
import { type Content, html } from '../frame/html.ts';

export const VARIABLE = 'SERVICE_MCP_KEY';
const bearer = (variable: string) => ({ Authorization: `Bearer ${variable}` });
const pretty = (value: object) => JSON.stringify(value, null, 2);

interface Client {
  name: string;
  where: string;
  lines: string;
  /** A link that adds the server to an installed client. */
  link?: string;
}

function clientsFor(url: string): Client[] {
  const named = `\${env:${VARIABLE}}`;
  const remote = { type: 'http', url, headers: bearer(named) };
  const inCursor = { url, headers: bearer(named) };
  const expanded = bearer(`\${${VARIABLE}}`);
  return [
    {
      name: 'Claude Code',
      where: 'in a terminal, in the project',
      lines: `claude mcp add --scope project --transport http stint ${url} --header 'Authorization: Bearer \${${VARIABLE}}'`,
    },
    {
      name: 'Cursor',
      where: '~/.cursor/mcp.json',
      lines: pretty({ mcpServers: { stint: inCursor } }),
      link: `cursor://anysphere.cursor-deeplink/mcp/install?name=stint&config=${encodeURIComponent(btoa(JSON.stringify(inCursor)))}`,
    },
    {
      name: 'VS Code',
      where: '.vscode/mcp.json',
      lines: pretty({ servers: { stint: remote } }),
      link: `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: 'stint', ...remote }))}`,
    },
    {
      name: 'Gemini CLI',
      where: 'in a terminal',
      lines: `gemini mcp add --scope user --transport http --header 'Authorization: Bearer $${VARIABLE}' stint ${url}`,
    },
    { name: 'Codex', where: 'in a terminal', lines: `codex mcp add stint --url ${url} --bearer-token-env-var ${VARIABLE}` },
    {
      name: 'opencode',
      where: 'opencode.json; before version 2 without the level "servers"',
      lines: pretty({ mcp: { servers: { stint: { type: 'remote', url, headers: bearer(`{env:${VARIABLE}}`) } } } }),
    },
    { name: 'mcporter', where: 'config/mcporter.json', lines: pretty({ mcpServers: { stint: { baseUrl: url, headers: expanded } } }) },
    {
      name: 'JSON',
      where: 'for any client that expands variables in it',
      lines: pretty({ mcpServers: { stint: { type: 'http', url, headers: expanded } } }),
    },
    {
      name: 'curl',
      where: 'to test the connection',
      lines: `curl -s ${url} -H "Authorization: Bearer $${VARIABLE}" -H "Content-Type: application/json" -H "Accept: application/json, text/event-stream" -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"svc_context","arguments":{}}}'`,
    },
  ];
}

export const setUpTabs = (url: string): Content =>
  tabs(
    'client',
    'Set up in',
    clientsFor(url).map(({ name, where, lines, link }, index) => ({
      id: `client-${index}`,
      label: name,
      body: html`<p class="hint">${capital(where)}</p>${codeBox(`set-up-${index}`, lines, name === 'JSON' || name === 'curl' ? `the ${name}` : `for ${name}`)}${
        link && html`<p>${linkButton(link, `Add it to ${name}`, { small: true, icon: 'plug' })}</p>`
      }`,
    })),
  );

export const variableLine = (key: string): Content => codeBox('variable', `export ${VARIABLE}='${key}'`, 'the variable');
