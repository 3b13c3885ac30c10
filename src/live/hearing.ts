/** The connection on which a process receives the workers' notifications. Opened on demand and reopened after a loss. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../database/db.ts';
import { CHANNEL } from './queries.ts';

const AGAIN_MS = 1_000;

interface Ears {
  db: Pick<Db, 'subscribe'>;
  told(payload: string): void;
  /** Called after a reconnect. Messages sent meanwhile are lost. */
  mended(): void;
  wanted(): boolean;
}

export class ChangeListener {
  readonly #ears: Ears;
  #subscribed: Promise<() => void> | undefined;
  #mending = false;

  constructor(ears: Ears) {
    this.#ears = ears;
  }

  /** Rejects if the process can't listen. */
  begin(): Promise<unknown> {
    if (this.#subscribed) return this.#subscribed;
    const { db, told } = this.#ears;
    const subscribed = db.subscribe(CHANNEL, { told, lost: () => void this.#mend() });
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

  async #mend(): Promise<void> {
    this.#subscribed = undefined;
    if (this.#mending) return;
    this.#mending = true;
    while (this.#ears.wanted()) {
      const heard = await this.begin().then(
        () => true,
        () => false,
      );
      if (heard) {
        this.#ears.mended();
        break;
      }
      await sleep(AGAIN_MS, undefined, { ref: false });
    }
    this.#mending = false;
  }
}
