/** A helper thread that people share. They take turns: a hostile question delays others by at most its deadline (behaviour §13.19). */
import { HelperThread, type ThreadLimits } from '../../values/helperThread.ts';
import { unmetered } from '../../values/meter.ts';
import { Slots } from './concurrency.ts';

const MOST_WAITING = 100;
const MOST_IN_LINE = 20;

export class SharedThread<Question, Answer> {
  readonly #thread: HelperThread<Question, Answer>;
  readonly #turns = new Slots({ concurrent: 1, mostWaiting: MOST_WAITING, mostInLine: MOST_IN_LINE });

  constructor(entry: URL, limits: ThreadLimits) {
    this.#thread = new HelperThread(entry, limits);
  }

  /** `line`: the person, for taking turns. Throws like HelperThread; Unavailable if too many questions wait. */
  ask(line: string, question: Question): Promise<Answer> {
    return this.inTurn(line, (ask) => ask(question));
  }

  /** Several questions in one turn. */
  inTurn<T>(line: string, work: (ask: (question: Question) => Promise<Answer>) => Promise<T>): Promise<T> {
    return unmetered(this.#turns.run(() => work((question) => this.#thread.ask(question)), line));
  }
}
