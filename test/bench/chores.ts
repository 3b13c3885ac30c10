/** Twelve chores on the sample. `known` is what the conversation has learned so far. Each resolves to true if it is done. */
import { randomUUID } from 'node:crypto';
import { addDays } from '../../src/values/dates.ts';

// biome-ignore lint/suspicious/noExplicitAny: results are JSON, looked into freely
export type Json = any;
export type Ask = (tool: string, given: Record<string, unknown>) => Promise<Json>;

const once = (given: object) => ({ requestId: randomUUID(), ...given });
const all = { assignee: 'all', status: 'all' };
const nextDay = (local: string) => `${addDays(local.slice(0, 10), 1)}${local.slice(10)}`;

export const chores: Record<string, (ask: Ask, known: Json) => Promise<boolean>> = {
  async 'where I stand'(ask, known) {
    const { workspaces, today, actor } = await ask('svc_context', {});
    const { members } = workspaces.find(({ id }: Json) => id === known.workspaceId);
    Object.assign(known, { today, members });
    return Boolean(actor.name && members.length);
  },
  async 'what is still open in a release'(ask, known) {
    const given = { workspaceId: known.workspaceId, type: 'release', search: 'Cars and changes', assignee: 'all', fields: ['title'] };
    known.releaseId = (await ask('svc_find_work', given)).items[0].id;
    const { items } = await ask('svc_find_work', { underId: known.releaseId, fields: ['type', 'title', 'status', 'version'] });
    known.rows = items;
    const tasks = items.filter(({ type }: Json) => type === 'task').map(({ id }: Json) => id);
    known.noted = tasks.sort((a: number, b: number) => a - b).slice(0, 5);
    return known.noted.length === 5;
  },
  async 'how far it is'(ask, { releaseId, rows }) {
    const { groups } = await ask('svc_find_work', { underId: releaseId, status: 'all', groupBy: 'status' });
    const open = groups.filter(({ status }: Json) => status !== 'done' && status !== 'cancelled');
    return open.reduce((sum: number, { count }: Json) => sum + count, 0) === rows.length;
  },
  async 'what is blocked, and why'(ask, { workspaceId }) {
    const given = { workspaceId, status: 'blocked', assignee: 'all', fields: ['title', 'blockedReason'] };
    const { items } = await ask('svc_find_work', given);
    return items.length > 0 && items.every(({ blockedReason }: Json) => blockedReason);
  },
  async 'where a ticket of the provider is mentioned'(ask, { workspaceId }) {
    const given = { workspaceId, search: '"ticket 48213"', searchIn: 'all', ...all, fields: ['title'] };
    return (await ask('svc_find_work', given)).items.length === 1;
  },
  async 'whether five of its tasks are done by now'(ask, { noted }) {
    return (await ask('svc_find_work', { ids: noted, fields: ['title', 'status'] })).items.length === 5;
  },
  async 'a requirement with four tasks, planned and told'(ask, known) {
    const { workspaceId, members, today } = known;
    const below = ['Draft the sign', 'Print it', 'Put it up', 'Take the old one down'].map((title, n) => ({
      ...{ type: 'task', title },
      fields: { assigneeId: members[n % members.length].id, dueDate: addDays(today, 7 + n), estimatedHours: 2 + n },
    }));
    const requirement = { type: 'requirement', title: 'New signs at the harbour', below };
    const { items } = await ask('svc_create_items', once({ workspaceId, items: [requirement] }));
    known.created = items.slice(1);
    return known.created.length === 4;
  },
  async 'the same tasks a week later'(ask, { workspaceId, created }) {
    const later = created.map(({ id, version, dueDate }: Json) => ({ id, version, fields: { dueDate: addDays(dueDate, 7) } }));
    return (await ask('svc_update_items', once({ workspaceId, items: later }))).items.length === 4;
  },
  async 'a task is done, with a note that says so'(ask, { rows }) {
    const { id, version } = rows.find(({ title }: Json) => title.startsWith('Look up a booking'));
    const given = once({ id, version, status: 'done', note: 'Names with an umlaut are found now.' });
    const { item, note } = await ask('svc_update_item', given);
    return item.status === 'done' && note.body === 'Names with an umlaut are found now.';
  },
  async 'my next block a day later'(ask) {
    const { planBlocks } = await ask('svc_my_time', { period: 'upcoming' });
    const next = planBlocks.find(({ title, state }: Json) => state === 'scheduled' && title !== undefined);
    const [startLocal, endLocal] = [nextDay(next.startLocal), nextDay(next.endLocal)];
    const { block } = await ask(
      'svc_plan_block',
      once({ action: 'move', blockId: next.id, revision: next.revision, startLocal, endLocal }),
    );
    return block.startLocal === startLocal;
  },
  async 'a line more in the note of Monday'(ask) {
    const { id, revision } = (await ask('svc_personal_notes_list', { search: 'Monday' })).notes[0];
    const given = { id, revision, html: '<p>Call the harbour office.</p>', append: true };
    return (await ask('svc_personal_notes_update', once(given))).revision === revision + 1;
  },
  async 'three quarters of an hour, logged and counted'(ask, { today, releaseId }) {
    const given = once({ action: 'log', itemId: releaseId, date: addDays(today, -1), minutes: 45 });
    return (await ask('svc_time', given)).dayMinutes >= 45;
  },
};
