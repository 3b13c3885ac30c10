/** Whether a password is easy to guess. A thread judges it, so that hostile text does not hold up the event loop. The thread ends when it is
 *  idle: its dictionaries take 60 MB. */
import { Worker } from 'node:worker_threads';
import { InvalidRequest, type Path, Unavailable } from '../values/errors.ts';

export interface Question {
  id: number;
  password: string;
  words: string[];
}

/** The thread sends two for each question: one without a score when it begins, one with the score. */
export interface Verdict {
  id: number;
  /** From 0, easy to guess, to 4. */
  score?: number;
}

/** Safe from who has stolen the hashes, for a while: 10^8 guesses and more. */
const ENOUGH = 3;
const MOST_WAITING = 16;
/** From when the thread begins with the question: loading the dictionaries takes long on a busy machine. */
const ANSWER_MS = 8_000;
const IDLE_MS = 30_000;
const HEAP_MB = 128;

const busy = () => new Unavailable('The server is busy checking passwords. Try again in a few seconds.', 2);

interface Waiting {
  clock?: NodeJS.Timeout;
  resolve(score: number): void;
  reject(error: Error): void;
}

class Judge {
  #thread: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #asked = 0;
  readonly #waiting = new Map<number, Waiting>();

  /** Throws Unavailable when it takes too long. */
  async score(password: string, words: string[]): Promise<number> {
    if (this.#waiting.size >= MOST_WAITING) throw busy();
    clearTimeout(this.#idle);
    const thread = this.#running();
    const id = ++this.#asked;
    try {
      return await new Promise<number>((resolve, reject) => {
        this.#waiting.set(id, { resolve, reject });
        thread.ref();
        thread.postMessage({ id, password, words } satisfies Question);
      });
    } finally {
      clearTimeout(this.#waiting.get(id)?.clock);
      this.#waiting.delete(id);
      if (this.#waiting.size === 0) this.#rest();
    }
  }

  #running(): Worker {
    if (this.#thread) return this.#thread;
    const thread = new Worker(new URL('./strengthThread.ts', import.meta.url), { resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } });
    thread.on('message', (verdict: Verdict) => this.#hear(verdict));
    thread.on('error', (error) => this.#end(error));
    this.#thread = thread;
    return thread;
  }

  #hear({ id, score }: Verdict): void {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    if (score === undefined) waiting.clock = setTimeout(() => this.#end(), ANSWER_MS);
    else waiting.resolve(score);
  }

  /** A process that has nothing else to do may end. */
  #rest(): void {
    this.#thread?.unref();
    this.#idle = setTimeout(() => this.#end(), IDLE_MS).unref();
  }

  #end(cause?: unknown): void {
    void this.#thread?.terminate();
    this.#thread = undefined;
    for (const { reject } of this.#waiting.values()) reject(Object.assign(busy(), cause === undefined ? {} : { cause }));
  }
}

const judge = new Judge();

const separators = /[^\p{L}\p{N}]+/u;

/** What somebody who knows a person tries first: whole names and addresses, their parts, and all of it run together. */
function wordsOf(about: readonly string[]): string[] {
  const words = about.flatMap((text) => [text, ...text.split('@'), ...text.split(separators), text.split(separators).join('')]);
  return [...new Set(['stint', ...words].filter((word) => word.length > 2))];
}

/** Throws InvalidRequest for a password that is easily guessed by who knows what is told `about` its person: name, address, account. */
export async function requireStrong(password: string, about: readonly string[], path: Path): Promise<void> {
  if ((await judge.score(password, wordsOf(about))) >= ENOUGH) return;
  throw new InvalidRequest(
    path,
    'is easy to guess; give a longer one, such as a few words that do not belong together, without names and well-known phrases.',
  );
}
