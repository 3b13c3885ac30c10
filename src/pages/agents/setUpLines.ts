/** Ready lines for common MCP clients. The key stays in an environment variable, never in a file or URL (behaviour §7.30). */
import { type Content, html } from '../frame/html.ts';

export function setUpLines(url: string): Content {
  const json = JSON.stringify(
    { mcpServers: { stint: { type: 'http', url, headers: { Authorization: `Bearer \${SERVICE_MCP_KEY}` } } } },
    null,
    2,
  );
  const vscode = JSON.stringify(
    { servers: { stint: { type: 'http', url, headers: { Authorization: `Bearer $\{env:SERVICE_MCP_KEY}` } } } },
    null,
    2,
  );
  return html`
<h2>Set up the client</h2>
<p>Put the key into the environment variable <code>SERVICE_MCP_KEY</code>, then use one of these as it stands.</p>
<details open><summary>Claude Code</summary><pre><code>claude mcp add --transport http stint ${url} --header "Authorization: Bearer $SERVICE_MCP_KEY"</code></pre></details>
<details><summary>Codex (config.toml)</summary><pre><code>[mcp_servers.stint]
url = "${url}"
bearer_token_env_var = "SERVICE_MCP_KEY"</code></pre></details>
<details><summary>VS Code (.vscode/mcp.json)</summary><pre><code>${vscode}</code></pre></details>
<details><summary>Any client with a JSON configuration that expands variables</summary><pre><code>${json}</code></pre></details>
<details><summary>Try it by hand</summary><pre><code>curl -s ${url} -H "Authorization: Bearer $SERVICE_MCP_KEY" -H "Content-Type: application/json" -H "Accept: application/json, text/event-stream" -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"svc_context","arguments":{}}}'</code></pre></details>`;
}
