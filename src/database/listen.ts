/** LISTEN on one connection, opened on demand. Waiting callers wake up at a notification or a lost connection. Then read the state. */
import pg from 'pg';
import { Client, connectWithin, dbConfig, socketOf } from './connections.ts';

export interface Waiting {
  /** Resolves at a notification or a lost connection, or after `ms`. */
  within(ms: number): Promise<void>;
  /** Always call it when done. */
  end(): void;
}

export interface Listens {
  listen(channel: string, payload: string): Promise<Waiting>;
}

export interface Subscriber {
  notified(payload: string): void;
  /** The connection is lost and the subscription ended. Subscribe again; notifications until then are missed. */
  lost(): void;
}

const IDLE_MS = 60_000;
const CONNECT_WITHIN_MS = 5_000;

export class Listener implements Listens {
  readonly #databaseUrl: string;
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #subscribers = new Map<string, Set<Subscriber>>();
  readonly #channels = new Map<string, Promise<void>>();
  #client: Promise<pg.Client> | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(databaseUrl: string) {
    this.#databaseUrl = databaseUrl;
  }

  /** After it resolves, no notification is missed: then read the state, then wait. Rejects if the database can't be reached. */
  async listen(channel: string, payload: string): Promise<Waiting> {
    const key = `${channel}\n${payload}`;
    const woken = Promise.withResolvers<void>();
    const waiters = this.#waiting.get(key) ?? new Set();
    this.#waiting.set(key, waiters.add(woken.resolve));
    clearTimeout(this.#idle);
    const end = () => {
      woken.resolve();
      waiters.delete(woken.resolve);
      if (waiters.size === 0 && this.#waiting.get(key) === waiters) this.#waiting.delete(key);
      this.#rest();
    };
    try {
      await this.#subscribe(channel);
    } catch (error) {
      end();
      throw error;
    }
    return { within: (ms) => withinMs(woken.promise, ms), end };
  }

  /** After it resolves, `subscriber` gets all payloads until it unsubscribes or is `lost`. Rejects if the database can't be reached. */
  async subscribe(channel: string, subscriber: Subscriber): Promise<() => void> {
    clearTimeout(this.#idle);
    try {
      await this.#subscribe(channel);
    } catch (error) {
      this.#rest();
      throw error;
    }
    const subscribers = this.#subscribers.get(channel) ?? new Set();
    this.#subscribers.set(channel, subscribers.add(subscriber));
    return () => {
      if (subscribers.delete(subscriber) && subscribers.size === 0 && this.#subscribers.get(channel) === subscribers)
        this.#subscribers.delete(channel);
      this.#rest();
    };
  }

  async probe(): Promise<void> {
    const asked = this.#client;
    await asked?.then((client) => client.query('select 1')).catch(() => this.#forget(asked));
  }

  #rest(): void {
    clearTimeout(this.#idle);
    if (this.#waiting.size + this.#subscribers.size === 0) this.#idle = setTimeout(() => void this.close(), IDLE_MS).unref();
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const opening = this.#client;
    this.#client = undefined;
    this.#startAnew();
    await opening?.then(leave).catch(() => {});
  }

  #subscribe(channel: string): Promise<void> {
    this.#client ??= this.#open();
    const known = this.#channels.get(channel);
    if (known) return known;
    const opening = this.#client;
    const subscribed = opening.then(async (client) => void (await client.query(`listen ${pg.escapeIdentifier(channel)}`)));
    this.#channels.set(channel, subscribed);
    subscribed.catch(() => this.#forget(opening));
    return subscribed;
  }

  #open(): Promise<pg.Client> {
    const opening: Promise<pg.Client> = this.#connect(() => this.#forget(opening));
    return opening;
  }

  async #connect(onEnd: () => void): Promise<pg.Client> {
    const client = await connectWithin(CONNECT_WITHIN_MS, async () => {
      const opening = new Client({ ...dbConfig(this.#databaseUrl), query_timeout: 5_000 });
      await opening.connect();
      return opening;
    });
    client.on('notification', ({ channel, payload = '' }) => {
      this.#tell(`${channel}\n${payload}`);
      for (const subscriber of this.#subscribers.get(channel) ?? []) subscriber.notified(payload);
    });
    client.on('end', onEnd);
    socketOf(client).unref();
    return client;
  }

  #forget(lost: Promise<pg.Client>): void {
    if (this.#client !== lost) return;
    this.#client = undefined;
    lost.then((client) => socketOf(client).destroy()).catch(() => {});
    this.#startAnew();
  }

  #startAnew(): void {
    this.#channels.clear();
    for (const key of [...this.#waiting.keys()]) this.#tell(key);
    const subscribers = [...this.#subscribers.values()].flatMap((all) => [...all]);
    this.#subscribers.clear();
    for (const subscriber of subscribers) subscriber.lost();
  }

  #tell(key: string): void {
    for (const resolve of this.#waiting.get(key) ?? []) resolve();
  }
}

const LEAVE_WITHIN_MS = 1_000;

/** Closes the connection. It keeps the process alive meanwhile, so that callers can await it. */
async function leave(client: pg.Client): Promise<void> {
  const socket = socketOf(client).ref();
  await withinMs(client.end(), LEAVE_WITHIN_MS);
  socket.destroy();
}

async function withinMs(woken: Promise<void>, ms: number): Promise<void> {
  const clock = Promise.withResolvers<void>();
  const timer = setTimeout(clock.resolve, ms);
  await Promise.race([woken, clock.promise]);
  clearTimeout(timer);
}
