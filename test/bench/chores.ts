/** Twelve chores on the sample, done with the current tools and with the old ones. Both return their result in the same format to be
 *  compared. `known` is what the conversation has learned so far. */
import { randomUUID } from 'node:crypto';
import { addDays } from '../../src/values/dates.ts';

// biome-ignore lint/suspicious/noExplicitAny: results are JSON, looked into freely
export type Json = any;
export type Ask = (tool: string, given: Record<string, unknown>) => Promise<Json>;

interface Chore {
  title: string;
  now(ask: Ask, known: Json): Promise<Json>;
  before(ask: Ask, known: Json): Promise<Json>;
}

const once = (given: object) => ({ requestId: randomUUID(), ...given });
const all = { assignee: 'all', status: 'all' };
const titles = (items: Json[]) => items.map(({ title }) => title).sort();
const place = ({ workspaces }: Json, { workspaceId }: Json) => workspaces.find(({ id }: Json) => id === workspaceId);
const memberNames = (found: Json) => found.members.map(({ name }: Json) => name);

/** The old tools needed link by link: items that name the release, requirements below those, and their tasks. */
async function gather(ask: Ask, known: Json, status: 'open' | 'all'): Promise<Json[]> {
  const { workspaceId, releaseId } = known;
  const found = new Map<number, Json>();
  const add = ({ items }: Json) => {
    for (const item of items) found.set(item.id, item);
  };
  add(await ask('svc_find_work', { workspaceId, releaseId, assignee: 'all', status }));
  known.requirementIds ??= await requirementsBelow(ask, known, [...found.values()]);
  const direct = new Set(found.keys());
  for (const requirementId of known.requirementIds) {
    if (!direct.has(requirementId)) found.set(requirementId, (await ask('svc_get_item', { id: requirementId })).item);
    add(await ask('svc_find_work', { requirementId, assignee: 'all', status }));
  }
  return [...found.values()].filter((item) => status === 'all' || !['done', 'cancelled'].includes(item.status));
}

/** Old rows did not include a requirement's parent, so read it. */
async function requirementsBelow(ask: Ask, { workspaceId }: Json, direct: Json[]): Promise<number[]> {
  const ids = new Set(direct.filter(({ type }) => type === 'requirement').map(({ id }) => id));
  const { items } = await ask('svc_find_work', { workspaceId, type: 'requirement', ...all });
  for (const { id, releaseId } of items) {
    if (ids.has(id) || releaseId !== undefined) continue;
    const { item } = await ask('svc_get_item', { id });
    if (ids.has(item.fields.parentId)) ids.add(id);
  }
  return [...ids];
}

async function findRelease(ask: Ask, known: Json, more = {}): Promise<void> {
  const { items } = await ask('svc_find_work', {
    workspaceId: known.workspaceId,
    type: 'release',
    search: 'Cars and changes',
    assignee: 'all',
    ...more,
  });
  known.releaseId = items[0].id;
}

const firstTasks = (items: Json[]) =>
  items
    .filter(({ type }) => type === 'task')
    .map(({ id }) => id)
    .sort((a, b) => a - b)
    .slice(0, 5);

const progressOf = (count: (test: (status: string) => boolean) => number) => ({
  open: count((status) => status !== 'done' && status !== 'cancelled'),
  done: count((status) => status === 'done'),
  blocked: count((status) => status === 'blocked'),
});

const findOne = async (ask: Ask, { workspaceId }: Json, search: string): Promise<Json> =>
  (await ask('svc_find_work', { workspaceId, search, ...all })).items[0];

const newTasks = ({ members, requirementId, today }: Json) =>
  ['Draft the sign', 'Print it', 'Put it up', 'Take the old one down'].map((title, n) => ({
    type: 'task',
    title,
    fields: {
      ...(requirementId && { requirementId }),
      assigneeId: members[n % members.length].id,
      dueDate: addDays(today, 7 + n),
      estimatedHours: 2 + n,
    },
  }));
const planned = (items: Json[]) =>
  items.map(({ title, assigneeId, dueDate, estimatedHours }) => [title, assigneeId, dueDate, estimatedHours]);

const NEW_REQUIREMENT = { type: 'requirement', title: 'New signs at the harbour' };

async function newRequirement(ask: Ask, known: Json): Promise<void> {
  const { workspaceId } = known;
  const { items } = await ask('svc_create_items', once({ workspaceId, items: [NEW_REQUIREMENT] }));
  known.requirementId = items[0].id;
}

const toLog = ({ today, releaseId }: Json) => ({ action: 'log', itemId: releaseId, date: addDays(today, -1), minutes: 45 });

const blockOf = ({ planBlocks }: Json) => planBlocks.find(({ title, state }: Json) => state === 'scheduled' && title !== undefined);
const nextDay = (local: string) => `${addDays(local.slice(0, 10), 1)}${local.slice(10)}`;

export const chores: readonly Chore[] = [
  {
    title: 'where I stand',
    async now(ask, known) {
      const found = await ask('svc_context', {});
      const here = place(found, known);
      Object.assign(known, { today: found.today, members: here.members });
      return [found.actor.name, memberNames(here), [...found.defaults.priorities, ...(here.priorities ?? [])].map(({ key }: Json) => key)];
    },
    async before(ask, known) {
      const found = await ask('svc_context', {});
      const here = place(found, known);
      Object.assign(known, { today: found.today, members: here.members });
      const priorities = here.priorities ?? found.defaults.priorities;
      return [found.actor.name, memberNames(here), priorities.map(({ key }: Json) => key)];
    },
  },
  {
    title: 'what is still open in a release',
    async now(ask, known) {
      await findRelease(ask, known, { fields: ['title'] });
      const { items } = await ask('svc_find_work', { underId: known.releaseId, fields: ['type', 'title', 'status', 'version'] });
      known.rows = items;
      known.noted = firstTasks(items);
      return titles(items);
    },
    async before(ask, known) {
      await findRelease(ask, known);
      const items = await gather(ask, known, 'open');
      known.noted = firstTasks(items);
      return titles(items);
    },
  },
  {
    title: 'how far it is',
    async now(ask, known) {
      const { groups } = await ask('svc_find_work', { underId: known.releaseId, status: 'all', groupBy: 'status' });
      const count = (test: (status: string) => boolean) =>
        groups.filter(({ status }: Json) => test(status)).reduce((sum: number, group: Json) => sum + group.count, 0);
      return progressOf(count);
    },
    async before(ask, known) {
      const items = await gather(ask, known, 'all');
      return progressOf((test) => items.filter(({ status }) => test(status)).length);
    },
  },
  {
    title: 'what is blocked, and why',
    async now(ask, { workspaceId }) {
      const fields = ['title', 'blockedReason'];
      const { items } = await ask('svc_find_work', { workspaceId, status: 'blocked', assignee: 'all', fields });
      return items.map(({ title, blockedReason }: Json) => [title, blockedReason]);
    },
    async before(ask, { workspaceId }) {
      const { items } = await ask('svc_find_work', { workspaceId, status: 'blocked', assignee: 'all' });
      const reasons: Json[] = [];
      for (const { id, title } of items) reasons.push([title, (await ask('svc_get_item', { id })).item.fields.blockedReason]);
      return reasons;
    },
  },
  {
    title: 'where a ticket of the provider is mentioned',
    async now(ask, { workspaceId }) {
      const given = { workspaceId, search: '"ticket 48213"', searchIn: 'all', ...all, fields: ['title'] };
      return (await ask('svc_find_work', given)).items.map(({ title }: Json) => title);
    },
    async before(ask, { workspaceId }) {
      const nothing = await ask('svc_find_work', { workspaceId, search: 'ticket 48213', ...all });
      if (nothing.items.length) return titles(nothing.items);
      const { items } = await ask('svc_find_work', { workspaceId, type: 'task', assignee: 'all' });
      for (const { id, title } of items) {
        const { notes } = await ask('svc_get_item', { id });
        if (notes.some(({ body }: Json) => body.includes('ticket 48213'))) return [title];
      }
      return [];
    },
  },
  {
    title: 'whether five of its tasks are done by now',
    async now(ask, { noted }) {
      return (await ask('svc_find_work', { ids: noted, fields: ['title', 'status'] })).items.map(({ title, status }: Json) => [
        title,
        status,
      ]);
    },
    async before(ask, { noted }) {
      const found: Json[] = [];
      for (const id of noted) {
        const { item } = await ask('svc_get_item', { id });
        found.push([item.title, item.status]);
      }
      return found;
    },
  },
  {
    title: 'a requirement with four tasks, planned and told',
    async now(ask, known) {
      const { workspaceId } = known;
      const requirement = { ...NEW_REQUIREMENT, below: newTasks(known) };
      const { items } = await ask('svc_create_items', once({ workspaceId, items: [requirement] }));
      known.created = items.slice(1);
      return planned(known.created);
    },
    async before(ask, known) {
      await newRequirement(ask, known);
      await ask('svc_create_items', once({ workspaceId: known.workspaceId, items: newTasks(known) }));
      return planned((await ask('svc_find_work', { requirementId: known.requirementId, assignee: 'all' })).items);
    },
  },
  {
    title: 'the same tasks a week later',
    async now(ask, { workspaceId, created }) {
      const later = created.map(({ id, version, dueDate }: Json) => ({ id, version, fields: { dueDate: addDays(dueDate, 7) } }));
      return titles((await ask('svc_update_items', once({ workspaceId, items: later }))).items);
    },
    async before(ask, { requirementId }) {
      const { items } = await ask('svc_find_work', { requirementId, assignee: 'all' });
      const changed: Json[] = [];
      for (const { id } of items) {
        // The tool required the version from svc_get_item.
        const { item } = await ask('svc_get_item', { id });
        const fields = { dueDate: addDays(item.fields.dueDate, 7) };
        changed.push((await ask('svc_update_item', once({ id, version: item.version, fields }))).item);
      }
      return titles(changed);
    },
  },
  {
    title: 'a task is done, with a note that says so',
    async now(ask, known) {
      const { id, version } = known.rows.find(({ title }: Json) => title.startsWith('Look up a booking'));
      const { item, note } = await ask(
        'svc_update_item',
        once({ id, version, status: 'done', note: 'Names with an umlaut are found now.' }),
      );
      return [item.status, note.body];
    },
    async before(ask, known) {
      const { id } = await findOne(ask, known, 'Look up a booking');
      const { item: read } = await ask('svc_get_item', { id });
      const { item } = await ask('svc_update_item', once({ id, version: read.version, status: 'done' }));
      const { note } = await ask('svc_add_note', once({ id, body: 'Names with an umlaut are found now.' }));
      return [item.status, note.body];
    },
  },
  {
    title: 'my next block a day later',
    async now(ask) {
      const { id, revision, startLocal, endLocal } = blockOf(await ask('svc_my_time', { period: 'upcoming' }));
      const given = { action: 'move', blockId: id, revision, startLocal: nextDay(startLocal), endLocal: nextDay(endLocal) };
      const { block } = await ask('svc_plan_block', once(given));
      return [block.startLocal, block.remindStart];
    },
    async before(ask, { today }) {
      const block = blockOf(await ask('svc_my_time', { from: today, to: addDays(today, 30) }));
      const { id, itemId, startLocal, endLocal, timezone, remindStart } = block;
      await ask('svc_plan_block', once({ action: 'cancel', blockId: id }));
      const times = { startLocal: nextDay(startLocal), endLocal: nextDay(endLocal), timezone };
      const made = await ask('svc_plan_block', once({ action: 'create', itemId, ...times, remindStart }));
      return [made.block.startLocal, made.block.remindStart];
    },
  },
  {
    title: 'a line more in the note of Monday',
    async now(ask) {
      const { id, revision } = (await ask('svc_personal_notes_list', { search: 'Monday' })).notes[0];
      const given = { id, revision, html: '<p>Call the harbour office.</p>', append: true };
      return (await ask('svc_personal_notes_update', once(given))).revision;
    },
    async before(ask) {
      const { id } = (await ask('svc_personal_notes_list', { search: 'Monday' })).notes[0];
      const { html, revision, folderId } = await ask('svc_personal_notes_get', { id });
      const given = { id, revision, folderId, html: `${html}<p>Call the harbour office.</p>` };
      return (await ask('svc_personal_notes_update', once(given))).revision;
    },
  },
  {
    title: 'three quarters of an hour, logged and counted',
    async now(ask, known) {
      return (await ask('svc_time', once(toLog(known)))).dayMinutes;
    },
    async before(ask, known) {
      const { date } = toLog(known);
      await ask('svc_time', once(toLog(known)));
      return (await ask('svc_my_time', { from: date, to: date })).totalMinutes;
    },
  },
];
