/** Every kind of write an agent can make: arguments for a fresh one, others for the same tool, and where its effect is counted. */
import { ask, once } from './mcpWorld.ts';
import type { Fixtures } from './restWorld.ts';

// biome-ignore lint/suspicious/noExplicitAny: arguments are JSON
type Json = any;

export interface Agent {
  id: number;
  key: string;
  url: string;
  userId: number;
  workspaceId: number;
}

export interface WriteCase {
  title: string;
  tool: string;
  /** Arguments without a requestId. */
  prepare(agent: Agent, fixtures: Fixtures): Promise<Json>;
  /** What makes them another payload. */
  changed(given: Json): Json;
  /** A query that counts: each effect adds one. */
  counted: string;
  /** It depends on no workspace. */
  personal?: boolean;
}

export async function effects(fixtures: Fixtures, { counted }: WriteCase): Promise<number> {
  return Number((await fixtures.sql(`select (${counted})::bigint as n`))[0].n);
}

const create = async (agent: Agent, items: Json[]): Promise<Json[]> =>
  (await ask(agent, 'svc_create_items', once({ workspaceId: agent.workspaceId, items }))).items;
const newTask = async (agent: Agent): Promise<number> => (await create(agent, [{ type: 'task', title: 'Task' }]))[0].id;
const today = () => new Date().toISOString().slice(0, 10);
const running = async (agent: Agent) => (await ask(agent, 'svc_time', once({ action: 'start', itemId: await newTask(agent) }))).entry;

/** Stops whatever timer the agent's person has. */
async function quiet(agent: Agent, fixtures: Fixtures): Promise<void> {
  const [timer] = await fixtures.sql('select id, revision from time_entries where user_id = $1 and minutes is null', [agent.userId]);
  if (timer) await ask(agent, 'svc_time', once({ action: 'stop', entryId: Number(timer.id), revision: timer.revision }));
}

export const writes: WriteCase[] = [
  {
    title: 'svc_create_items',
    tool: 'svc_create_items',
    prepare: async ({ workspaceId }) => ({ workspaceId, items: [{ type: 'task', title: 'Once' }] }),
    changed: () => ({ items: [{ type: 'task', title: 'Twice' }] }),
    counted: `select count(*) from items where title = 'Once'`,
  },
  {
    title: 'svc_update_item',
    tool: 'svc_update_item',
    prepare: async (agent) => ({ id: await newTask(agent), version: 1, status: 'in_progress' }),
    changed: () => ({ status: 'blocked' }),
    counted: 'select sum(version - 1) from items where archived_at is null',
  },
  {
    title: 'svc_add_note',
    tool: 'svc_add_note',
    prepare: async (agent) => ({ id: await newTask(agent), body: 'Done for today' }),
    changed: () => ({ body: 'Other' }),
    counted: 'select count(*) from comments',
  },
  {
    title: 'svc_remove_item',
    tool: 'svc_remove_item',
    prepare: async (agent) => ({ id: await newTask(agent), version: 1 }),
    changed: () => ({ version: 2 }),
    counted: 'select sum(version) - count(*) from items where archived_at is not null',
  },
  {
    title: 'svc_time start',
    tool: 'svc_time',
    async prepare(agent, fixtures) {
      await quiet(agent, fixtures);
      return { action: 'start', itemId: await newTask(agent) };
    },
    changed: () => ({ note: 'other' }),
    counted: `select count(*) from time_entries where kind = 'timer'`,
  },
  {
    title: 'svc_time stop',
    tool: 'svc_time',
    async prepare(agent, fixtures) {
      await quiet(agent, fixtures);
      const { id, revision } = await running(agent);
      return { action: 'stop', entryId: id, revision };
    },
    changed: () => ({ note: 'other' }),
    counted: `select count(*) from time_entries where kind = 'timer' and minutes is not null`,
  },
  {
    title: 'svc_time log',
    tool: 'svc_time',
    prepare: async (agent) => ({ action: 'log', itemId: await newTask(agent), date: today(), minutes: 1 }),
    changed: () => ({ minutes: 2 }),
    counted: `select count(*) from time_entries where kind = 'manual'`,
  },
  {
    title: 'svc_time correct',
    tool: 'svc_time',
    async prepare(agent) {
      const { entry } = await ask(agent, 'svc_time', once({ action: 'log', itemId: await newTask(agent), date: today(), minutes: 1 }));
      return { action: 'correct', entryId: entry.id, revision: entry.revision, reason: 'Miscounted', minutes: 2 };
    },
    changed: () => ({ minutes: 3 }),
    counted: 'select count(*) from time_entry_versions',
  },
];
