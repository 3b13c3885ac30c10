/** Computes what-ifs and weeks of scopes in a helper thread: large estimates and many dependencies take seconds (behaviour §13.19). */
import { SharedThread } from '../../access/throttle/sharedThread.ts';
import { type ThreadLimits, threadLimits, withinLimits } from '../../values/helperThread.ts';
import type { Tried, Wanted } from './tried.ts';
import type { PersonWeek } from './weekOf.ts';

/** `rows`: JSON, which only the thread parses. */
interface ScopeJson {
  workspaceId: number;
  rows: string;
}

export type Question = ScopeJson & ({ wanted: Wanted } | { personId: number; day: string });
export type Answer = { tried: Tried } | { week: PersonWeek | null };

const problem = {
  path: ['workspaceId'],
  deadline: 'choose a smaller scope: this one takes too long to compute.',
  heap: 'choose a smaller scope: this one takes too much memory to compute.',
};

export class ScopeComputer {
  readonly #thread: SharedThread<Question, Answer>;

  constructor(limits: ThreadLimits) {
    this.#thread = new SharedThread(new URL('./scopeThread.ts', import.meta.url), limits);
  }

  /** `userId`: the reader, for taking turns. Throws InvalidRequest for wrong changes, or TooExpensive. */
  async tryOn(userId: number, scope: ScopeJson, wanted: Wanted): Promise<Tried> {
    const answer = await this.#ask(userId, { ...scope, wanted });
    if (!('tried' in answer)) throw new Error('The thread answered another question.');
    return answer.tried;
  }

  /** Null if the scope does not list the person. `day`: YYYY-MM-DD. Throws TooExpensive. */
  async weekOf(userId: number, scope: ScopeJson, personId: number, day: string): Promise<PersonWeek | null> {
    const answer = await this.#ask(userId, { ...scope, personId, day });
    return 'week' in answer ? answer.week : null;
  }

  #ask(userId: number, question: Question): Promise<Answer> {
    return withinLimits(problem, () => this.#thread.ask(String(userId), question));
  }
}

export const scopeComputer = new ScopeComputer(threadLimits.scopes);
