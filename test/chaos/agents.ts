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
const today = () => new Date().toISOString().slice(0, 10);

export class Agent {
  readonly #stage: Stage;
  readonly #random: Random;
  readonly #key: string;
  readonly #items: { id: number; version: number; planned: boolean }[] = [];
  readonly #notes: { id: number; revision: number; mark: string }[] = [];
  readonly #blocks: number[] = [];
  #timer: { id: number; revision: number } | undefined;

  constructor(stage: Stage, random: Random, key: string) {
    this.#stage = stage;
    this.#random = random;
    this.#key = key;
  }

  get #ledger() {
    return this.#stage.ledger;
  }

  async live(): Promise<void> {
    await this.#create();
    while (performance.now() < this.#stage.endsAt) {
      const next = this.#random.pick([
        ...[this.#create, this.#update, this.#update, this.#comment, this.#comment, this.#log, this.#toggleTimer, this.#toggleTimer],
        ...[this.#plan, this.#plan, this.#plan, this.#cancel, this.#note, this.#rewriteNote, this.#deleteNote],
      ]);
      await next.call(this);
      await sleep(this.#random.between(20, 120));
    }
  }

  /** A block that starts and stops its owner's timer at these minutes. */
  async planByItself(startsAt: number, endsAt: number): Promise<void> {
    await this.#create();
    await this.#block({ startLocal: local(startsAt), endLocal: local(endsAt), autoStart: true, autoStop: true });
  }

  async #write(name: string, args: Json): Promise<Json | null> {
    const value = await writeOnce(this.#stage, this.#random, this.#key, name, args);
    return value === 'refused' ? null : value;
  }

  /** A write that puts a mark into a table. */
  async #add(table: Table, rows: number, name: string, args: (mark: string) => Json): Promise<{ value: Json; mark: string } | null> {
    const mark = this.#ledger.fresh(table, rows);
    const value = await writeOnce(this.#stage, this.#random, this.#key, name, args(mark));
    if (value === 'refused') this.#ledger.mark(table, mark, 'refused');
    if (value === 'refused' || value === null) return null;
    this.#ledger.mark(table, mark, 'acknowledged');
    return { value, mark };
  }

  async #create(): Promise<void> {
    const count = this.#random.whole(1, 5);
    const done = await this.#add('items', count, 'svc_create_items', (mark) => ({
      workspaceId: this.#stage.workspaceId,
      items: Array.from({ length: count }, (_, n) => ({ type: 'task', title: `${mark} no. ${n}`, description: 'As made' })),
    }));
    for (const { id, version } of done?.value.items ?? []) {
      this.#items.push({ id, version, planned: false });
      this.#ledger.at('items', id, version);
    }
  }

  async #update(): Promise<void> {
    if (this.#items.length === 0) return;
    const item = this.#random.pick(this.#items);
    const args = { id: item.id, version: item.version, description: `Changed from version ${item.version}` };
    const value = await this.#write('svc_update_item', args);
    if (!value) return this.#ledger.maybeAt('items', item.id, item.version + 1);
    item.version++;
    this.#ledger.at('items', item.id, item.version);
  }

  async #comment(): Promise<void> {
    // One of the latest few, so that no item exceeds the hundred comments that are shown.
    const item = this.#items[this.#items.length - 1];
    if (item) await this.#add('comments', 1, 'svc_add_note', (mark) => ({ id: item.id, body: `${mark} ${COMMENT_WORDS}` }));
  }

  async #log(): Promise<void> {
    if (this.#items.length === 0) return;
    const { id } = this.#random.pick(this.#items);
    const given = { action: 'log', itemId: id, date: today(), minutes: 1 };
    const done = await this.#add('time_entries', 1, 'svc_time', (note) => ({ ...given, note }));
    if (done) this.#ledger.at('time_entries', done.value.entry.id, 1);
  }

  async #toggleTimer(): Promise<void> {
    const timer = this.#timer;
    if (timer) {
      const value = await this.#write('svc_time', { action: 'stop', entryId: timer.id, revision: timer.revision });
      if (!value) return this.#ledger.maybeAt('time_entries', timer.id, timer.revision + 1);
      this.#ledger.at('time_entries', timer.id, timer.revision + 1);
      this.#timer = undefined;
    } else if (this.#items.length > 0) {
      const { id } = this.#random.pick(this.#items);
      const done = await this.#add('time_entries', 1, 'svc_time', (mark) => ({ action: 'start', itemId: id, note: mark }));
      if (done) this.#timer = done.value.entry;
    }
  }

  /** With reminders due at the next minute, if the run lasts that long, or at once. */
  async #plan(): Promise<void> {
    const nextMinute = Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS;
    const leftMs = this.#stage.endsAt - performance.now();
    const dueAt = this.#random.chance(0.7) && nextMinute - Date.now() < leftMs ? nextMinute : nextMinute - MINUTE_MS;
    const ofItsEnd = this.#random.chance(0.3);
    const startsAt = dueAt + (ofItsEnd ? 3 : 10) * MINUTE_MS;
    const endsAt = ofItsEnd ? dueAt + 5 * MINUTE_MS : startsAt + 30 * MINUTE_MS;
    const id = await this.#block({ startLocal: local(startsAt), endLocal: local(endsAt), remindStart: !ofItsEnd, remindEnd: ofItsEnd });
    if (id) this.#blocks.push(id);
  }

  /** Each block has its own item, so that no two mails are equal. */
  async #block(args: Json): Promise<number | undefined> {
    const item = this.#items.find(({ planned }) => !planned);
    if (!item) return undefined;
    item.planned = true;
    const given = { action: 'create', itemId: item.id, timezone: 'UTC', ...args };
    const done = await this.#add('plan_blocks', 1, 'svc_plan_block', (note) => ({ ...given, note }));
    return done?.value.block.id;
  }

  async #cancel(): Promise<void> {
    const blockId = this.#random.chance(0.5) ? this.#blocks.pop() : undefined;
    if (blockId === undefined) return;
    const value = await this.#write('svc_plan_block', { action: 'cancel', blockId, revision: 1 });
    if (value) this.#ledger.at('plan_blocks', blockId, 2);
  }

  async #note(): Promise<void> {
    const html = (mark: string) => ({ html: `<p>${mark}</p><p>${NOTE_WORDS}</p>` });
    const done = await this.#add('personal_notes', 1, 'svc_personal_notes_create', html);
    if (!done) return;
    const { id, revision } = done.value;
    this.#notes.push({ id, revision, mark: done.mark });
    this.#ledger.at('personal_notes', id, revision);
  }

  async #rewriteNote(): Promise<void> {
    const note = this.#notes.at(-1);
    if (!note) return;
    const html = `<p>${note.mark}</p><p>${NOTE_WORDS}, after revision ${note.revision}</p>`;
    const value = await this.#write('svc_personal_notes_update', { id: note.id, revision: note.revision, html, folderId: 0 });
    if (!value) return this.#ledger.maybeAt('personal_notes', note.id, note.revision + 1);
    note.revision = value.revision;
    this.#ledger.at('personal_notes', note.id, note.revision);
  }

  async #deleteNote(): Promise<void> {
    const note = this.#random.chance(0.5) ? this.#notes.shift() : undefined;
    if (!note) return;
    this.#ledger.forget('personal_notes', note.id);
    const value = await this.#write('svc_personal_notes_delete', { id: note.id, revision: note.revision });
    this.#ledger.mark('personal_notes', note.mark, value ? 'gone' : 'uncertain');
  }
}
