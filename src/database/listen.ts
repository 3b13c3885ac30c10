/** NOTIFY on one connection of this process, opened when somebody first wants it. Who waits is told to look again, and no more: when the
 *  connection is lost all of them are. Who subscribes gets what was sent, and is told when something may have been missed. */
import pg from 'pg';
import { dbConfig } from './connection.ts';
import { Client, connectWithin, socketOf } from './connections.ts';

export interface Waiting {
  /** Resolves when told, or after `ms`. */
  within(ms: number): Promise<void>;
  /** Call it when done, in any case. */
  end(): void;
}

/** Whatever can listen. */
export interface Listens {
  listen(channel: string, payload: string): Promise<Waiting>;
}

export interface Subscriber {
  told(payload: string): void;
  /** The connection is gone, and the subscription with it: subscribe again. What is sent until then is missed. */
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

  /** From when it resolves on nothing sent to the channel with that payload is missed: look at the state after that, then wait.
   *  Rejects when the database can't be reached. */
  async listen(channel: string, payload: string): Promise<Waiting> {
    const key = `${channel}\n${payload}`;
    const told = Promise.withResolvers<void>();
    const waiters = this.#waiting.get(key) ?? new Set();
    this.#waiting.set(key, waiters.add(told.resolve));
    clearTimeout(this.#idle);
    const end = () => {
      told.resolve();
      waiters.delete(told.resolve);
      if (waiters.size === 0 && this.#waiting.get(key) === waiters) this.#waiting.delete(key);
      this.#rest();
    };
    try {
      await this.#subscribe(channel);
    } catch (error) {
      end();
      throw error;
    }
    return { within: (ms) => withinMs(told.promise, ms), end };
  }

  /** From when it resolves on, `subscriber` is told of everything that is sent to the channel, until it ends that or the connection is
   *  lost. Rejects when the database can't be reached. */
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

  /** Finds out whether the connection still answers: one that has gone silent is lost as well. */
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
      opening.on('error', () => {});
      await opening.connect();
      return opening;
    });
    client.on('notification', ({ channel, payload = '' }) => {
      this.#tell(`${channel}\n${payload}`);
      for (const subscriber of this.#subscribers.get(channel) ?? []) subscriber.told(payload);
    });
    client.on('end', onEnd);
    // Only requests keep the process alive.
    socketOf(client).unref();
    return client;
  }

  /** A connection that is lost, or does not answer any more: in that case it must go, or it would stay open for nobody. */
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

/** Says goodbye. Until that is done the connection keeps the process alive, or whoever waits for it would wait for ever. */
async function leave(client: pg.Client): Promise<void> {
  const socket = socketOf(client).ref();
  await withinMs(client.end(), LEAVE_WITHIN_MS);
  socket.destroy();
}

async function withinMs(told: Promise<void>, ms: number): Promise<void> {
  const clock = Promise.withResolvers<void>();
  const timer = setTimeout(clock.resolve, ms);
  await Promise.race([told, clock.promise]);
  clearTimeout(timer);
}
