/** Requests of MCP revision 2026-07-28. */
export const MODERN_VERSION = '2026-07-28';
export const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': MODERN_VERSION,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** The body of a request, and the headers that repeat its version, method and tool. */
export function modernRequest(method: string, params: object = {}, id: string | number = 1) {
  const headers: Record<string, string> = { 'MCP-Protocol-Version': MODERN_VERSION, 'Mcp-Method': method };
  if (method === 'tools/call' && 'name' in params) headers['Mcp-Name'] = String(params.name);
  return { body: { jsonrpc: '2.0', id, method, params: { ...params, _meta: modernMeta } }, headers };
}
