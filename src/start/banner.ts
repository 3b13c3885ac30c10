/** Text that `npm start` prints when all services are ready (behaviour §1.4). */

import { makeOwnerLink } from '../accounts/firstAccount.ts';
import type { Config } from '../config.ts';
import { connectDb } from '../database/db.ts';
import type { SampleAccess } from '../sample/load.ts';

interface WaysIn {
  sample: SampleAccess | undefined;
  /** null if an account exists. */
  ownerLink: string | null;
}

export function banner(baseUrl: string, { sample, ownerLink }: WaysIn): string {
  const lines = ['', `Stint is running at ${baseUrl}  (stop it with Ctrl-C)`, `API reference: ${baseUrl}/api/v1/docs`, ''];
  return [...lines, ...wayIn(baseUrl, { sample, ownerLink }), ''].join('\n');
}

function wayIn(baseUrl: string, { sample, ownerLink }: WaysIn): string[] {
  if (sample) return sampleLines(baseUrl, sample);
  if (ownerLink === null) return [`Sign in         ${baseUrl}/sign-in`];
  return ['There is no account yet. Open this link to create it and become its owner. It works once, within 7 days:', `  ${ownerLink}`];
}

function sampleLines(baseUrl: string, { email, password, restKey, agentKey, workspaceId }: SampleAccess): string[] {
  const listTools = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const accept = "-H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream'";
  return [
    `Sample sign-in  ${baseUrl}/sign-in  ${email}  ${password}`,
    `REST key        ${restKey}`,
    `Agent key       ${agentKey}`,
    '',
    'Try the REST API:',
    `  curl -H 'X-API-Key: ${restKey}' '${baseUrl}/api/v1/items?workspaceId=${workspaceId}&type=task&limit=3'`,
    'Try the agent endpoint:',
    `  curl -X POST '${baseUrl}/mcp' -H 'Authorization: Bearer ${agentKey}' ${accept} -d '${listTools}'`,
    'Connect an MCP client:',
    `  claude mcp add --transport http stint '${baseUrl}/mcp' --header 'Authorization: Bearer ${agentKey}'`,
  ];
}

/** A one-time link to create the first account; null if an account exists. */
export async function firstOwnerLink({ directUrl, baseUrl }: Config): Promise<string | null> {
  const db = await connectDb(directUrl, 1);
  try {
    return await makeOwnerLink(db.pool(), baseUrl, null);
  } finally {
    await db.close();
  }
}
