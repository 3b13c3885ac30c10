/** The connection on which a process hears what workers tell: there while it is wanted, and made again when it is lost. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../database/db.ts';
import { CHANNEL } from './queries.ts';

const AGAIN_MS = 1_000;

interface Ears {
  db: Pick<Db, 'subscribe'>;
  told(payload: string): void;
  /** It was lost and stands again: what was sent meanwhile nobody can say. */
  mended(): void;
  /** Somebody still listens. */
  wanted(): boolean;
}

export class Hearing {
  readonly #ears: Ears;
  #subscribed: Promise<() => void> | undefined;
  #mending = false;

  constructor(ears: Ears) {
    this.#ears = ears;
  }

  /** Rejects when the database can't be heard. */
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
