/** Every kind of agent write: arguments for a new one, others for the same tool, and a count of its effects. */
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
  /** Another payload. */
  changed(given: Json): Json;
  /** A counting query: each effect adds one. */
  counted: string;
  /** It needs no workspace. */
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

const planned = { startLocal: '2031-03-03T09:00', endLocal: '2031-03-03T10:00' };
const newBlock = async (agent: Agent): Promise<number> =>
  (await ask(agent, 'svc_plan_block', once({ action: 'create', itemId: await newTask(agent), ...planned }))).block.id;
const newNote = (agent: Agent): Promise<Json> => ask(agent, 'svc_personal_notes_create', once({ html: '<p>Draft</p>' }));

/** Stops any timer of the agent's person. */
async function stopAnyTimer(agent: Agent, fixtures: Fixtures): Promise<void> {
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
    title: 'svc_create_items with below',
    tool: 'svc_create_items',
    prepare: async ({ workspaceId }) => ({
      workspaceId,
      items: [{ type: 'requirement', title: 'Above', below: [{ title: 'Nested once' }] }],
    }),
    changed: () => ({ items: [{ type: 'requirement', title: 'Above', below: [{ title: 'Nested twice' }] }] }),
    counted: `select count(*) from items where title = 'Nested once'`,
  },
  {
    title: 'svc_update_item',
    tool: 'svc_update_item',
    prepare: async (agent) => ({ id: await newTask(agent), version: 1, status: 'in_progress' }),
    changed: () => ({ status: 'blocked' }),
    counted: 'select sum(version - 1) from items where archived_at is null',
  },
  {
    title: 'svc_update_item with a note',
    tool: 'svc_update_item',
    prepare: async (agent) => ({ id: await newTask(agent), version: 1, note: 'Under way', status: 'in_progress' }),
    changed: () => ({ note: 'Other' }),
    counted: `select count(*) from comments c join items i on i.id = c.item_id where i.version = 2 and i.title = 'Task'`,
  },
  {
    title: 'svc_update_items',
    tool: 'svc_update_items',
    async prepare(agent) {
      const made = await create(agent, [
        { type: 'task', title: 'One of two' },
        { type: 'requirement', title: 'Two of two' },
      ]);
      const items = made.map(({ id }) => ({ id, version: 1, status: 'in_progress', note: 'Together' }));
      return { workspaceId: agent.workspaceId, items };
    },
    changed: ({ items }) => ({ items: items.slice(1) }),
    counted: `select count(*) from comments where body = 'Together' and item_id in (select id from items where version = 2 and title = 'Two of two')`,
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
      await stopAnyTimer(agent, fixtures);
      return { action: 'start', itemId: await newTask(agent) };
    },
    changed: () => ({ note: 'other' }),
    counted: `select count(*) from time_entries where kind = 'timer'`,
  },
  {
    title: 'svc_time stop',
    tool: 'svc_time',
    async prepare(agent, fixtures) {
      await stopAnyTimer(agent, fixtures);
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
  {
    title: 'svc_time annotate',
    tool: 'svc_time',
    async prepare(agent) {
      const { entry } = await ask(agent, 'svc_time', once({ action: 'log', itemId: await newTask(agent), date: today(), minutes: 1 }));
      return { action: 'annotate', entryId: entry.id, revision: entry.revision, note: 'Reading' };
    },
    changed: () => ({ note: 'Writing' }),
    counted: `select count(*) from time_entries where note = 'Reading'`,
  },
  {
    title: 'svc_plan_block create',
    tool: 'svc_plan_block',
    prepare: async (agent) => ({ action: 'create', itemId: await newTask(agent), ...planned }),
    changed: () => ({ note: 'Other' }),
    counted: 'select count(*) from plan_blocks',
  },
  {
    title: 'svc_plan_block create with blocks',
    tool: 'svc_plan_block',
    async prepare(agent) {
      const itemId = await newTask(agent);
      return {
        action: 'create',
        blocks: [
          { itemId, ...planned },
          { itemId, ...planned, note: 'The second of two' },
        ],
      };
    },
    changed: ({ blocks }) => ({ blocks: blocks.slice(1) }),
    counted: `select count(*) from plan_blocks where note = 'The second of two'`,
  },
  {
    title: 'svc_plan_block start',
    tool: 'svc_plan_block',
    async prepare(agent, fixtures) {
      await stopAnyTimer(agent, fixtures);
      return { action: 'start', blockId: await newBlock(agent) };
    },
    changed: () => ({ revision: 9 }),
    counted: `select count(*) from plan_blocks where state = 'running'`,
  },
  {
    title: 'svc_plan_block cancel',
    tool: 'svc_plan_block',
    prepare: async (agent) => ({ action: 'cancel', blockId: await newBlock(agent) }),
    changed: () => ({ revision: 9 }),
    counted: `select count(*) from plan_blocks where state = 'cancelled'`,
  },
  {
    title: 'svc_personal_notes_create',
    tool: 'svc_personal_notes_create',
    prepare: async () => ({ html: '<p>Once</p>' }),
    changed: () => ({ html: '<p>Twice</p>' }),
    counted: `select count(*) from personal_notes where html = '<p>Once</p>'`,
    personal: true,
  },
  {
    title: 'svc_personal_notes_update',
    tool: 'svc_personal_notes_update',
    async prepare(agent) {
      const { id, revision } = await newNote(agent);
      return { id, revision, html: '<p>Better</p>', folderId: 0 };
    },
    changed: () => ({ html: '<p>Worse</p>' }),
    counted: `select count(*) from personal_notes where html = '<p>Better</p>'`,
    personal: true,
  },
  {
    title: 'svc_personal_notes_delete',
    tool: 'svc_personal_notes_delete',
    async prepare(agent) {
      const { id, revision } = await newNote(agent);
      return { id, revision };
    },
    changed: () => ({ revision: 9 }),
    // Ids are never reused, so missing ones were deleted.
    counted: 'select (select last_value from personal_notes_id_seq) - count(*) from personal_notes',
    personal: true,
  },
];
