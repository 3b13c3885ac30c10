/** A thread for work that would block the event loop or that untrusted input could make expensive. Starts with the first question. Ends when
 *  it is idle, fails, or exceeds its deadline or heap. */
import { parentPort, Worker } from 'node:worker_threads';
import { codeOf, InvalidRequest, type Path } from './errors.ts';
import { payerOfThread, threadMs, unmetered } from './meter.ts';

export interface ThreadLimits {
  heapMb: number;
  /** Deadline of a question, from when the thread begins it. Loading the thread's code may take long and does not count. */
  answerMs: number;
  idleMs: number;
  /** CPU time of all questions of a task together. */
  taskMs?: number;
}

/** Of each kind of thread. A deadline is several times what the largest allowed input takes on a slow machine. */
export const threadLimits = {
  /** Entries of JSON and CSV have up to 8 MiB. A question reads a piece of the file. */
  imports: { heapMb: 256, answerMs: 20_000, idleMs: 10_000, taskMs: 600_000 },
  holidays: { heapMb: 256, answerMs: 20_000, idleMs: 10_000 },
  markdown: { heapMb: 96, answerMs: 5_000, idleMs: 60_000 },
  notes: { heapMb: 64, answerMs: 2_000, idleMs: 600_000 },
  /** It ends soon, because it takes 60 MB. */
  passwords: { heapMb: 128, answerMs: 8_000, idleMs: 30_000 },
  rules: { heapMb: 32, answerMs: 1_000, idleMs: 600_000 },
  /** Forecasts of up to 5,000 tasks and of 20,000 tasks without texts. */
  scopes: { heapMb: 160, answerMs: 10_000, idleMs: 30_000 },
} as const satisfies Record<string, ThreadLimits>;

/** A thread ended before it answered. `limit`: what this question or its whole task exceeded; null if the thread failed, or another question
 *  ended it. */
export class ThreadEnded extends Error {
  readonly limit: 'deadline' | 'task' | 'heap' | null;

  constructor(limit: ThreadEnded['limit'], cause?: unknown) {
    super(limit ? `The helper thread exceeded its ${limit}.` : 'The helper thread has ended.', { cause });
    this.limit = limit;
  }
}

/** Untrusted input that a helper thread can't process within its limits. */
export class TooExpensive extends InvalidRequest {}

interface Problem {
  path: Path;
  deadline: string;
  heap: string;
  /** Jobs try twice: the machine may have been busy (behaviour §13.20). */
  tries?: number;
}

/** Runs work that asks a helper thread. Throws TooExpensive if the work exceeds the thread's limits in each of its tries. */
export async function withinLimits<T>({ path, tries = 1, ...problem }: Problem, work: () => Promise<T>): Promise<T> {
  for (let left = tries; ; left--) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ThreadEnded) || error.limit === null) throw error;
      // A whole task took its time on a busy machine, too: again it would take as long.
      if (left <= 1 || error.limit === 'task') throw new TooExpensive(path, error.limit === 'heap' ? problem.heap : problem.deadline);
    }
  }
}

interface Asked<Question> {
  id: number;
  question: Question;
}

/** The thread sends two replies per question: one when it begins, and one with the answer or the faults of the input. `ms`: CPU time. */
type Reply<Answer> = { id: number } & ({ begun: true } | { answer: Answer; ms: number } | { faults: InvalidRequest['faults']; ms: number });

interface Waiting<Answer> {
  charge(ms: number): void;
  since?: number;
  clock?: NodeJS.Timeout;
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

export class HelperThread<Question, Answer> {
  readonly #entry: URL;
  readonly #limits: ThreadLimits;
  #thread: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #asked = 0;
  #usedMs = 0;
  #inTask = false;
  /** In the order of the answers. */
  readonly #waiting = new Map<number, Waiting<Answer>>();

  constructor(entry: URL, limits: ThreadLimits) {
    this.#entry = entry;
    this.#limits = limits;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** The thread's CPU time is charged to the caller (behaviour §13.15). Throws ThreadEnded, and the InvalidRequest that the thread throws. */
  async ask(question: Question, transfer: ArrayBuffer[] = []): Promise<Answer> {
    clearTimeout(this.#idle);
    const thread = this.#running();
    const id = ++this.#asked;
    const answered = new Promise<Answer>((resolve, reject) => {
      this.#waiting.set(id, { charge: payerOfThread(), resolve, reject });
      thread.ref();
      thread.postMessage({ id, question } satisfies Asked<Question>, transfer);
    });
    try {
      return await unmetered(answered);
    } finally {
      clearTimeout(this.#waiting.get(id)?.clock);
      this.#waiting.delete(id);
      if (this.#waiting.size === 0) this.#rest();
    }
  }

  /** The questions from now on are those of another task. It keeps the thread also while it asks none. */
  beginTask(): void {
    this.#usedMs = 0;
    this.#inTask = true;
    clearTimeout(this.#idle);
  }

  endTask(): void {
    this.#inTask = false;
    this.#rest();
  }

  /** Ends the thread now. Questions reject. */
  end(): void {
    clearTimeout(this.#idle);
    this.#end(null);
  }

  #running(): Worker {
    if (this.#thread) return this.#thread;
    const thread = new Worker(this.#entry, { resourceLimits: { maxOldGenerationSizeMb: this.#limits.heapMb } });
    thread.on('message', (reply: Reply<Answer>) => this.#hear(reply));
    thread.on('error', (error) => {
      if (this.#thread === thread) this.#end(codeOf(error) === 'ERR_WORKER_OUT_OF_MEMORY' ? 'heap' : null, error);
    });
    this.#thread = thread;
    return thread;
  }

  #hear(reply: Reply<Answer>): void {
    const waiting = this.#waiting.get(reply.id);
    if (!waiting) return;
    const { answerMs, taskMs = Number.POSITIVE_INFINITY } = this.#limits;
    if ('begun' in reply) {
      waiting.since = performance.now();
      // After a blocked turn of the event loop the answer may have arrived, but is not read yet.
      waiting.clock = setTimeout(() => setImmediate(() => this.#waiting.has(reply.id) && this.#end('deadline')), answerMs);
      return;
    }
    waiting.charge(reply.ms);
    this.#usedMs += reply.ms;
    // The clock may ring late on a busy event loop: the same question has the same outcome.
    if (this.#usedMs > taskMs) waiting.reject(new ThreadEnded('task'));
    else if (reply.ms > answerMs) waiting.reject(new ThreadEnded('deadline'));
    else if ('faults' in reply) waiting.reject(invalid(reply.faults));
    else waiting.resolve(reply.answer);
  }

  /** An idle thread must not keep the process alive. */
  #rest(): void {
    this.#thread?.unref();
    if (this.#inTask) return;
    this.#idle = setTimeout(() => this.#end(null), this.#limits.idleMs).unref();
  }

  /** The thread works on the first question. */
  #end(limit: ThreadEnded['limit'], cause?: unknown): void {
    void this.#thread?.terminate();
    this.#thread = undefined;
    for (const [n, { since, charge, reject }] of [...this.#waiting.values()].entries()) {
      // The thread can't be asked any more; until its end it had the CPU for at most this time.
      if (since !== undefined) charge(Math.min(performance.now() - since, this.#limits.answerMs));
      reject(new ThreadEnded(n === 0 ? limit : null, cause));
    }
  }
}

const invalid = ([first, ...more]: InvalidRequest['faults']) => new InvalidRequest(first.path, first.whatToDo, ...more);

/** For use in the thread: answers each question, in order. An InvalidRequest is thrown by `ask`; other errors end the thread. */
export function answerQuestions<Question, Answer>(answer: (question: Question) => Answer | Promise<Answer>): void {
  const send = (reply: Reply<Answer>) => parentPort?.postMessage(reply);
  parentPort?.on('message', async ({ id, question }: Asked<Question>) => {
    send({ id, begun: true });
    const started = threadMs();
    try {
      const found = await answer(question);
      send({ id, answer: found, ms: threadMs() - started });
    } catch (error) {
      if (!(error instanceof InvalidRequest)) throw error;
      send({ id, faults: error.faults, ms: threadMs() - started });
    }
  });
}
