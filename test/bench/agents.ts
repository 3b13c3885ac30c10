/** Agents' cost of the same chores, in calls and tokens, compared with the tools of 21 November 2026 (ed31d4a, stored in agentsBefore.ts).
 *  To measure those again: `git worktree add ../before ed31d4a`, copy agents*.ts, chores.ts and index.ts of this folder into its
 *  test/bench/, install there, and run `AGENTS=before npm run bench -- agents`, which prints the rows. */
import { randomUUID } from 'node:crypto';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { encode } from 'gpt-tokenizer';
import { loadSample } from '../../src/sample/load.ts';
import { before } from './agentsBefore.ts';
import { type Ask, chores, type Json } from './chores.ts';
import { printGoals } from './measure.ts';
import { benchDatabase, startWebProcess } from './servers.ts';

export interface Cost {
  calls: number;
  /** Tokens that the model writes in calls. */
  written: number;
  /** Tokens that the model reads in answers. */
  read: number;
}

const tokens = (text: string) => encode(text).length;

/** The model's side of the official client: adds a requestId to writes and counts tokens. */
class Agent {
  readonly costs = new Map<string, Cost>();
  readonly #client: Client;
  readonly #tools: Set<string>;
  #chore = '';

  private constructor(client: Client, tools: Json[]) {
    this.#client = client;
    this.#tools = new Set(tools.map(({ name }) => name));
  }

  static async connect(url: string, key: string): Promise<{ agent: Agent; list: Json[] }> {
    const client = new Client({ name: 'stint-bench', version: '1.0.0' });
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { Authorization: `Bearer ${key}` } } }));
    const { tools } = await client.listTools();
    return { agent: new Agent(client, tools), list: tools };
  }

  begin(chore: string): void {
    this.#chore = chore;
    this.costs.set(chore, { calls: 0, written: 0, read: 0 });
  }

  readonly ask: Ask = async (name, given) => {
    if (!this.#tools.has(name)) throw new Error(`There is no ${name}.`);
    const { content, isError }: Json = await this.#client.callTool({ name, arguments: given });
    const text: string = content[0].text;
    if (isError) throw new Error(`${this.#chore}: ${name} ${JSON.stringify(given)}: ${text}`);
    const cost = this.costs.get(this.#chore)!;
    cost.calls++;
    cost.written += tokens(JSON.stringify({ name, arguments: given }));
    cost.read += tokens(text);
    return JSON.parse(text);
  };

  close = () => this.#client.close();
}

export const once = (given: object) => ({ requestId: randomUUID(), ...given });

/** Runs all chores on one sample, in order as in a conversation. Returns each result by name. */
async function work(adminUrl: string, way: 'now' | 'before') {
  const url = await benchDatabase(adminUrl, `bench_agents_${way}`);
  const sample = (await loadSample(url))!;
  const web = await startWebProcess(url);
  try {
    const { agent, list } = await Agent.connect(`http://127.0.0.1:${web.port}/mcp`, sample.agentKey);
    const known: Json = { workspaceId: sample.workspaceId };
    const found = new Map<string, Json>();
    for (const chore of chores) {
      agent.begin(chore.title);
      found.set(chore.title, await chore[way](agent.ask, known));
    }
    const answers = await answersOfTools(agent, known);
    await agent.close();
    const core = list.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
    return { costs: agent.costs, found, answers, tools: tokens(JSON.stringify(core)) };
  } finally {
    await web.stop();
  }
}

/** Tokens of one plain answer of each tool. */
async function answersOfTools(agent: Agent, { workspaceId, releaseId }: Json): Promise<Map<string, number>> {
  const answers = new Map<string, number>();
  const ask: Ask = async (name, given) => {
    agent.begin(`answer of ${name}`);
    const value = await agent.ask(name, given);
    answers.set(name, agent.costs.get(`answer of ${name}`)!.read);
    agent.costs.delete(`answer of ${name}`);
    return value;
  };
  await ask('svc_context', {});
  await ask('svc_find_work', { workspaceId, assignee: 'all' });
  await ask('svc_get_item', { id: releaseId });
  const fields = { estimatedHours: 2, dueDate: '2031-05-05' };
  const { items } = await ask('svc_create_items', once({ workspaceId, items: [{ type: 'task', title: 'One', fields }] }));
  const { id } = items[0];
  await ask('svc_update_item', once({ id, version: 1, status: 'in_progress' }));
  await ask('svc_add_note', once({ id, body: 'Begun.' }));
  const { entry } = await ask('svc_time', once({ action: 'start', itemId: id }));
  await agent.ask('svc_time', once({ action: 'stop', entryId: entry.id, revision: entry.revision })).catch(() => {});
  await ask('svc_plan_block', once({ action: 'create', itemId: id, startLocal: '2031-05-05T09:00', endLocal: '2031-05-05T10:00' }));
  await ask('svc_my_time', {});
  await ask('svc_remove_item', once({ id, version: 2 }));
  const note = await ask('svc_personal_notes_create', once({ html: '<p>One</p>' }));
  await ask('svc_personal_notes_list', {});
  await ask('svc_personal_notes_get', { id: note.id });
  await ask('svc_personal_notes_update', once({ id: note.id, revision: 1, html: '<p>Two</p>', folderId: 0 }));
  return answers;
}

const sum = (costs: Iterable<Cost>): Cost =>
  [...costs].reduce((all, one) => ({ calls: all.calls + one.calls, written: all.written + one.written, read: all.read + one.read }), {
    calls: 0,
    written: 0,
    read: 0,
  });

export async function agents(adminUrl: string): Promise<void> {
  const way = process.env.AGENTS === 'before' ? 'before' : 'now';
  const { costs, found, answers, tools } = await work(adminUrl, way);
  if (way === 'before') {
    console.log(JSON.stringify({ tools, chores: Object.fromEntries(costs), answers: Object.fromEntries(answers) }, null, 2));
    return;
  }
  // Run the old way on these tools: both must have the same results to be comparable.
  const old = await work(adminUrl, 'before');
  for (const { title } of chores) {
    if (JSON.stringify(found.get(title)) !== JSON.stringify(old.found.get(title))) {
      throw new Error(`${title}: ${JSON.stringify(found.get(title))} is not ${JSON.stringify(old.found.get(title))}`);
    }
  }
  const row = (now: Cost, then: Cost | undefined) => ({
    calls: now.calls,
    'calls before': then?.calls,
    written: now.written,
    'written before': then?.written,
    read: now.read,
    'read before': then?.read,
  });
  const [now, then] = [sum(costs.values()), sum(Object.values(before.chores))];
  console.log('\nTwelve chores on the sample, in calls and tokens');
  console.table(
    Object.fromEntries([...[...costs].map(([title, cost]) => [title, row(cost, before.chores[title])]), ['all', row(now, then)]]),
  );
  console.log('\nTokens of an answer of each tool');
  console.table(Object.fromEntries([...answers].map(([name, count]) => [name, { now: count, before: before.answers[name] }])));
  console.log(`\nTokens of names, descriptions and inputs: ${tools}; before ${before.tools}`);
  printGoals([
    { text: 'calls', value: now.calls, want: 'at most', bound: 15 },
    { text: 'tokens of answers', value: now.read, want: 'at most', bound: 3_500 },
    { text: 'tokens of answers, against the tools before', value: now.read / then.read, want: 'at most', bound: 0.33 },
  ]);
}
