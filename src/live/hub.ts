/** The open streams of a web process. It receives from all workers on one connection, and reads current rights for every message. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cursor } from '../changes/cursor.ts';
import type { Db } from '../database/db.ts';
import type { Logger } from '../log.ts';
import { ChangeListener } from './changeListener.ts';
import { type Changes, type FilesMessage, type Message, messageOf, ownText } from './messages.ts';
import { sealPlace } from './place.ts';
import { type Connected, readFileReach, readOwn, readReach, readValidStreams } from './queries.ts';
import { eventsByUser } from './reach.ts';

export interface Stream {
  sessionId: number;
  accountId: number;
  userId: number;
  /** Writes events, or closes the stream. A Buffer, which many streams share. */
  write(text: Buffer): void;
  end(): void;
}

interface HubDeps {
  db: Db;
  log: Logger;
  secretKey: string;
  most: number;
  pace?: Pace;
}

export interface Pace {
  lookMs: number;
  beatMs: number;
}
/** Proxies close a connection after half a minute of silence. */
const usual: Pace = { lookMs: 2_000, beatMs: 20_000 };

/** Streams per session: a browser has one, plus one that it has just lost. And streams per user. */
const [MOST_OF_SESSION, MOST_OF_PERSON] = [3, 12];

export const event = (name: string, data: object, id?: string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

function shared(textOf: (texts: string[]) => string): (texts: string[]) => Buffer {
  const made = new Map<string, Buffer>();
  return (texts) => {
    const key = texts.join();
    const bytes = made.get(key) ?? Buffer.from(textOf(texts));
    made.set(key, bytes);
    return bytes;
  };
}

const connected = (streams: readonly Stream[]): Connected => ({
  sessions: streams.map(({ sessionId }) => sessionId),
  users: streams.map(({ userId }) => userId),
});

export class LiveHub {
  readonly #deps: HubDeps;
  readonly #pace: Pace;
  readonly #streams = new Map<Stream, number>();
  readonly #ended = new AbortController();
  readonly #listener: ChangeListener;
  #queue: Message[] = [];
  #working = false;
  #place: Cursor | undefined;
  #clock: NodeJS.Timeout | undefined;

  constructor(deps: HubDeps) {
    this.#deps = deps;
    this.#pace = deps.pace ?? usual;
    this.#listener = new ChangeListener({
      db: deps.db,
      notified: (payload) => this.#receive(payload),
      // Tells each page to check for changes.
      reconnected: () => this.#sendAll([...this.#streams.keys()], event('check', {})),
      wanted: () => this.#streams.size > 0 && !this.#ended.signal.aborted,
    });
  }

  get size(): number {
    return this.#streams.size;
  }

  get isFull(): boolean {
    return this.#ended.signal.aborted || this.#streams.size >= this.#deps.most;
  }

  async add(stream: Stream): Promise<boolean> {
    await this.#listener.begin();
    const ofPerson = this.#of(({ userId }) => userId === stream.userId);
    const ofSession = ofPerson.filter(({ sessionId }) => sessionId === stream.sessionId);
    const [oldest] = ofSession;
    if (oldest && ofSession.length >= MOST_OF_SESSION) this.#end(oldest);
    else if (this.isFull || ofPerson.length >= MOST_OF_PERSON) return false;
    this.#streams.set(stream, performance.now());
    this.#clock ??= setInterval(() => void this.#look(), this.#pace.lookMs).unref();
    return true;
  }

  /** The place of a page that has just read everything. From then on each heartbeat has one: without it, a first change that the page can't
   *  see would show. */
  startAt(place: Cursor): void {
    this.#place ??= place;
  }

  remove(stream: Stream): void {
    this.#streams.delete(stream);
    if (this.#streams.size > 0) return;
    clearInterval(this.#clock);
    this.#clock = undefined;
    this.#place = undefined;
    this.#listener.end();
  }

  end(): void {
    this.#ended.abort();
    for (const stream of [...this.#streams.keys()]) this.#end(stream);
  }

  #of(matches: (stream: Stream) => boolean): Stream[] {
    return [...this.#streams.keys()].filter(matches);
  }

  #end(stream: Stream): void {
    this.remove(stream);
    stream.end();
  }

  #sendAll(streams: readonly Stream[], text: string): void {
    const bytes = Buffer.from(text);
    for (const stream of streams) stream.write(bytes);
  }

  #receive(payload: string): void {
    const message = messageOf(payload);
    if (!message) return;
    this.#queue.push(message);
    if (!this.#working) void this.#work();
  }

  /** Handles messages one after the other. Those about users that arrive meanwhile are read together. */
  async #work(): Promise<void> {
    this.#working = true;
    await sleep(5, undefined, { ref: false });
    while (this.#queue.length > 0) {
      const messages = this.#queue;
      this.#queue = [];
      const people = new Set(messages.flatMap((one) => ('person' in one ? one.person : [])));
      for (const one of messages) if ('upTo' in one) await this.#tellOf(one);
      await this.#tellOfFiles(messages.filter((one) => 'filesOf' in one));
      if (people.size > 0) await this.#tellPeople(people);
    }
    this.#working = false;
  }

  async #tellOf(changes: Changes): Promise<void> {
    const { accounts } = changes;
    const streams = this.#of(({ accountId }) => accounts === null || accounts.includes(accountId));
    if (streams.length > 0) {
      const asked = connected(streams);
      await this.#orCheck(streams, async () => {
        const events = eventsByUser(await readReach(this.#deps.db.pool(), changes, asked), asked.users);
        const id = sealPlace(this.#deps.secretKey, changes.upTo);
        const bytesOf = shared((texts) => texts.map((data) => `id: ${id}\nevent: changes\ndata: ${data}\n\n`).join(''));
        for (const [n, texts] of events) streams[n]?.write(bytesOf(texts));
      });
    }
    if (this.#streams.size > 0) this.#place = changes.upTo;
  }

  /** `files`: only pages of these items show them. Not a change: the place of the pages stays. */
  async #tellOfFiles(messages: readonly FilesMessage[]): Promise<void> {
    const accounts = new Set(messages.map(({ account }) => account));
    const streams = this.#of(({ accountId }) => accounts.has(accountId));
    if (streams.length === 0) return;
    const items = [...new Set(messages.map(({ filesOf }) => filesOf))];
    await this.#orCheck(streams, async () => {
      for (const { n, workspaceId, itemId } of await readFileReach(this.#deps.db.pool(), items, connected(streams)))
        streams[n]?.write(Buffer.from(event('changes', { workspace: workspaceId, items: [itemId], above: [], files: true })));
    });
  }

  async #tellPeople(people: ReadonlySet<number>): Promise<void> {
    const streams = this.#of(({ userId }) => people.has(userId));
    if (streams.length === 0) return;
    await this.#orCheck(streams, async () => {
      for (const { n, own } of await readOwn(this.#deps.db.pool(), connected(streams)))
        streams[n]?.write(Buffer.from(event('own', { own: ownText(own) })));
    });
  }

  /** If the rights can't be read, each page checks for itself later. */
  async #orCheck(streams: readonly Stream[], tell: () => Promise<void>): Promise<void> {
    try {
      await tell();
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'open pages could not be notified');
      this.#sendAll(streams, event('check', {}));
    }
  }

  /** For streams whose heartbeat is due: closes those of ended sessions, and sends a heartbeat to the others. */
  async #look(): Promise<void> {
    const now = performance.now();
    const due = [...this.#streams].filter(([, beatenAt]) => now - beatenAt >= this.#pace.beatMs).map(([stream]) => stream);
    if (due.length === 0) return;
    for (const stream of due) this.#streams.set(stream, now);
    const id = this.#place && sealPlace(this.#deps.secretKey, this.#place);
    try {
      const valid = new Set(await readValidStreams(this.#deps.db.pool(), connected(due)));
      for (const [n, stream] of due.entries()) if (!valid.has(n)) this.#end(stream);
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'could not check the sessions of open pages');
    }
    this.#sendAll(due, event('beat', {}, id));
    void this.#deps.db.probeListener();
  }
}
