/** Reads the HTML of personal notes in a helper thread: it comes from anyone, and some texts are slow to parse (behaviour §13.19). */
import { SharedThread } from '../../access/throttle/sharedThread.ts';
import { type ThreadLimits, threadLimits, withinLimits } from '../../values/helperThread.ts';
import type { ReadHtml } from './html.ts';

/** `check`: on saving. Otherwise prepares it for display. */
export interface Question {
  check: boolean;
  html: string;
}
export interface Answer extends ReadHtml {
  shown: string;
}

const problem = {
  path: [],
  deadline: 'html takes too long to read. Split it into several notes.',
  heap: 'html takes too much memory to read. Split it into several notes.',
};

export class NoteReader {
  readonly #thread: SharedThread<Question, Answer>;

  constructor(limits: ThreadLimits) {
    this.#thread = new SharedThread(new URL('./noteThread.ts', import.meta.url), limits);
  }

  /** `userId`: the owner of the note, for taking turns. Throws InvalidRequest with the first error, or TooExpensive. */
  async check(userId: number, html: string): Promise<ReadHtml> {
    const { title, text } = await this.#ask(userId, { check: true, html });
    return { title, text };
  }

  /** HTML for pages. Throws TooExpensive. */
  async prepare(userId: number, html: string): Promise<string> {
    return (await this.#ask(userId, { check: false, html })).shown;
  }

  #ask(userId: number, question: Question): Promise<Answer> {
    return withinLimits(problem, () => this.#thread.ask(String(userId), question));
  }
}

export const noteReader = new NoteReader(threadLimits.notes);
