/** A thread for work that would block the event loop. Starts with the first question. Ends when it is idle, fails or takes too long. */
import { parentPort, Worker } from 'node:worker_threads';

interface Settings {
  heapMb: number;
  /** Time limit per question, from when the thread begins it. Loading the thread's code may take long and does not count. */
  answerMs: number;
  idleMs: number;
}

interface Asked<Question> {
  id: number;
  question: Question;
}

/** The thread sends two replies per question: one without an answer when it begins, and one with the answer. */
interface Reply<Answer> {
  id: number;
  answer?: Answer;
}

interface Waiting<Answer> {
  clock?: NodeJS.Timeout;
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

export class HelperThread<Question, Answer> {
  readonly #entry: URL;
  readonly #settings: Settings;
  #thread: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #asked = 0;
  readonly #waiting = new Map<number, Waiting<Answer>>();

  constructor(entry: URL, settings: Settings) {
    this.#entry = entry;
    this.#settings = settings;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Rejects if the thread ends before it has answered. */
  async ask(question: Question): Promise<Answer> {
    clearTimeout(this.#idle);
    const thread = this.#running();
    const id = ++this.#asked;
    try {
      return await new Promise<Answer>((resolve, reject) => {
        this.#waiting.set(id, { resolve, reject });
        thread.ref();
        thread.postMessage({ id, question } satisfies Asked<Question>);
      });
    } finally {
      clearTimeout(this.#waiting.get(id)?.clock);
      this.#waiting.delete(id);
      if (this.#waiting.size === 0) this.#rest();
    }
  }

  #running(): Worker {
    if (this.#thread) return this.#thread;
    const thread = new Worker(this.#entry, { resourceLimits: { maxOldGenerationSizeMb: this.#settings.heapMb } });
    thread.on('message', (reply: Reply<Answer>) => this.#hear(reply));
    thread.on('error', (error) => this.#end(error));
    this.#thread = thread;
    return thread;
  }

  #hear({ id, answer }: Reply<Answer>): void {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    if (answer === undefined) waiting.clock = setTimeout(() => this.#end(), this.#settings.answerMs);
    else waiting.resolve(answer);
  }

  /** An idle thread must not keep the process alive. */
  #rest(): void {
    this.#thread?.unref();
    this.#idle = setTimeout(() => this.#end(), this.#settings.idleMs).unref();
  }

  #end(cause?: unknown): void {
    void this.#thread?.terminate();
    this.#thread = undefined;
    for (const { reject } of this.#waiting.values()) reject(new Error('The helper thread has ended.', { cause }));
  }
}

/** For use in the thread: answers each question, in order. */
export function answerQuestions<Question, Answer>(answer: (question: Question) => Answer): void {
  parentPort?.on('message', ({ id, question }: Asked<Question>) => {
    parentPort?.postMessage({ id } satisfies Reply<Answer>);
    parentPort?.postMessage({ id, answer: answer(question) } satisfies Reply<Answer>);
  });
}
