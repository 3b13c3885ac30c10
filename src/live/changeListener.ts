/** The connection on which a process receives the workers' notifications. Opened on demand and reopened after a loss. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../database/db.ts';
import { CHANNEL } from './queries.ts';

const AGAIN_MS = 1_000;

interface Deps {
  db: Pick<Db, 'subscribe'>;
  notified(payload: string): void;
  /** Called after a reconnect. Messages sent meanwhile are lost. */
  reconnected(): void;
  wanted(): boolean;
}

export class ChangeListener {
  readonly #deps: Deps;
  #subscribed: Promise<() => void> | undefined;
  #reconnecting = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Rejects if the process can't listen. */
  begin(): Promise<unknown> {
    if (this.#subscribed) return this.#subscribed;
    const { db, notified } = this.#deps;
    const subscribed = db.subscribe(CHANNEL, { notified, lost: () => void this.#reconnect() });
    this.#subscribed = subscribed;
    subscribed.catch(() => {
      if (this.#subscribed === subscribed) this.#subscribed = undefined;
    });
    return subscribed;
  }

  end(): void {
    const ending = this.#subscribed;
    this.#subscribed = undefined;
    ending?.then((end) => end()).catch(() => {});
  }

  async #reconnect(): Promise<void> {
    this.#subscribed = undefined;
    if (this.#reconnecting) return;
    this.#reconnecting = true;
    while (this.#deps.wanted()) {
      const subscribed = await this.begin().then(
        () => true,
        () => false,
      );
      if (subscribed) {
        this.#deps.reconnected();
        break;
      }
      await sleep(AGAIN_MS, undefined, { ref: false });
    }
    this.#reconnecting = false;
  }
}
