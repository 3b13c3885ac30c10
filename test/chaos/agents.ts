/** Agents at work: each writes to its own items, time, plans and notes, one call after another. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from './calls.ts';
import type { Table } from './ledger.ts';
import type { Random } from './random.ts';
import { type Stage, writeOnce } from './tool.ts';

/** Words in every comment or note. They may appear nowhere else (test/chaos/secrets.ts). */
export const COMMENT_WORDS = 'amber lantern';
export const NOTE_WORDS = 'quiet heron';

const MINUTE_MS = 60_000;
const local = (ms: number) => new Date(ms).toISOString().slice(0, 16);

export function makeAgent(stage: Stage, random: Random, key: string) {
  const { ledger, workspaceId } = stage;
  const items: { id: number; revision: number; planned: boolean }[] = [];
  const notes: { id: number; revision: number; mark: string }[] = [];
  let timer: { id: number; revision: number } | undefined;

  /** A change of a row at this revision. Null without an answer. */
  async function revise(table: Table, row: { id: number; revision: number }, name: string, args: Json): Promise<Json | null> {
    const value = await writeOnce(stage, random, key, name, args);
    if (value === 'refused' || value === null) {
      ledger.maybeAt(table, row.id, row.revision + 1);
      return null;
    }
    row.revision++;
    ledger.at(table, row.id, row.revision);
    return value;
  }

  /** A write that puts a mark into a table. */
  async function add(table: Table, name: string, args: (mark: string) => Json, rows = 1): Promise<{ value: Json; mark: string } | null> {
    const mark = ledger.fresh(table, rows);
    const value = await writeOnce(stage, random, key, name, args(mark));
    if (value === 'refused') ledger.mark(table, mark, 'refused');
    if (value === 'refused' || value === null) return null;
    ledger.mark(table, mark, 'acknowledged');
    return { value, mark };
  }

  async function create(): Promise<void> {
    const count = random.whole(1, 5);
    const named = (mark: string) => Array.from({ length: count }, (_, n) => ({ type: 'task', title: `${mark} no. ${n}` }));
    const done = await add('items', 'svc_create_items', (mark) => ({ workspaceId, items: named(mark) }), count);
    for (const { id, version } of done?.value.items ?? []) {
      items.push({ id, revision: version, planned: false });
      ledger.at('items', id, version);
    }
  }

  async function update(): Promise<void> {
    if (items.length === 0) return;
    const item = random.pick(items);
    const { id, revision: version } = item;
    await revise('items', item, 'svc_update_item', { id, version, description: `Changed from version ${version}` });
  }

  async function comment(): Promise<void> {
    const item = items.at(-1);
    if (item) await add('comments', 'svc_add_note', (mark) => ({ id: item.id, body: `${mark} ${COMMENT_WORDS}` }));
  }

  async function toggleTimer(): Promise<void> {
    if (timer) {
      const { id: entryId, revision } = timer;
      if (await revise('time_entries', timer, 'svc_time', { action: 'stop', entryId, revision })) timer = undefined;
    } else if (items.length > 0) {
      const itemId = random.pick(items).id;
      const done = await add('time_entries', 'svc_time', (note) => ({ action: 'start', itemId, note }));
      timer = done?.value.entry;
    }
  }

  /** With reminders due at the next minute, if the run lasts that long, or at once. */
  async function plan(): Promise<void> {
    const nextMinute = Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS;
    const leftMs = stage.endsAt - performance.now();
    const dueAt = random.chance(0.7) && nextMinute - Date.now() < leftMs ? nextMinute : nextMinute - MINUTE_MS;
    const remindEnd = random.chance(0.3);
    const startsAt = dueAt + (remindEnd ? 3 : 10) * MINUTE_MS;
    const endsAt = remindEnd ? dueAt + 5 * MINUTE_MS : startsAt + 30 * MINUTE_MS;
    await block(startsAt, endsAt, { remindStart: !remindEnd, remindEnd });
  }

  /** Each block has its own item, so that no two mails are equal. */
  async function block(startsAt: number, endsAt: number, more: Json): Promise<void> {
    const item = items.find(({ planned }) => !planned);
    if (!item) return;
    item.planned = true;
    const given = { action: 'create', itemId: item.id, timezone: 'UTC', startLocal: local(startsAt), endLocal: local(endsAt), ...more };
    await add('plan_blocks', 'svc_plan_block', (note) => ({ ...given, note }));
  }

  async function note(): Promise<void> {
    const done = await add('personal_notes', 'svc_personal_notes_create', (mark) => ({ html: `<p>${mark}</p><p>${NOTE_WORDS}</p>` }));
    if (!done) return;
    const { id, revision } = done.value;
    notes.push({ id, revision, mark: done.mark });
    ledger.at('personal_notes', id, revision);
  }

  async function rewriteNote(): Promise<void> {
    const note = notes.at(-1);
    if (!note) return;
    const { id, revision, mark } = note;
    const html = `<p>${mark}</p><p>${NOTE_WORDS}, after revision ${revision}</p>`;
    await revise('personal_notes', note, 'svc_personal_notes_update', { id, revision, html, folderId: 0 });
  }

  const often = [update, comment, toggleTimer, plan];
  const actions = [...often, ...often, create, plan, note, rewriteNote];
  return {
    async live(): Promise<void> {
      await create();
      while (performance.now() < stage.endsAt) {
        await random.pick(actions)();
        await sleep(random.between(20, 120));
      }
    },
    /** A block that starts and stops its owner's timer at these minutes. */
    async planByItself(startsAt: number, endsAt: number): Promise<void> {
      await create();
      await block(startsAt, endsAt, { autoStart: true, autoStop: true });
    },
  };
}
