/** What twelve chores on the sample cost an agent in calls and tokens. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { encode } from 'gpt-tokenizer';
import { loadSample } from '../../src/sample/load.ts';
import type { Bench } from './bench.ts';
import { type Ask, chores, type Json } from './chores.ts';
import { atMost, type Goal } from './measure.ts';

const tokens = (text: string) => encode(text).length;

export async function agents(bench: Bench): Promise<Goal[]> {
  const url = await bench.database();
  const { agentKey, workspaceId } = (await loadSample(url))!;
  const web = await bench.web(url);
  const client = new Client({ name: 'stint-bench', version: '1.0.0' });
  const requestInit = { headers: { Authorization: `Bearer ${agentKey}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${web.port}/mcp`), { requestInit }));
  bench.later(() => client.close());

  // The tokens that the model writes in calls, and reads in answers.
  const cost = { calls: 0, written: 0, read: 0 };
  const known: Json = { workspaceId };
  for (const [chore, work] of Object.entries(chores)) {
    const ask: Ask = async (name, given) => {
      const { content, isError }: Json = await client.callTool({ name, arguments: given });
      const text: string = content[0].text;
      if (isError) throw new Error(`${chore}: ${name} ${JSON.stringify(given)}: ${text}`);
      cost.calls++;
      cost.written += tokens(JSON.stringify({ name, arguments: given }));
      cost.read += tokens(text);
      return JSON.parse(text);
    };
    if (!(await work(ask, known))) throw new Error(`${chore}: the answers do not do the chore.`);
  }
  console.log(cost);
  return [atMost('calls', cost.calls, 15), atMost('tokens of answers', cost.read, 3_500)];
}
