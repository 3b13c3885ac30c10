/** Dates of recurrence rules, computed in a helper thread: a rule may come from anyone, and some take seconds (behaviour §13.19). */
import { SharedThread } from '../access/throttle/sharedThread.ts';
import { threadLimits, withinLimits } from '../values/helperThread.ts';

/** `after`: the date before the wanted one. `today`: asks for the latest date until this day, instead of the next one. */
export interface Question {
  rule: string;
  startsOn: string;
  after: string;
  today?: string;
}

const thread = new SharedThread<Question, string | null>(new URL('./ruleThread.ts', import.meta.url), threadLimits.rules);

const problem = {
  path: ['rule'],
  deadline: 'takes too long to compute; give a simpler rule, with fewer parts.',
  heap: 'takes too much memory to compute; give a simpler rule, with fewer parts.',
};

/** `userId`: the person who set the rule, for taking turns. Throws TooExpensive. */
const ask = (userId: number, question: Question, tries: number) =>
  withinLimits({ ...problem, tries }, () => thread.ask(String(userId), question));

/** The first date of the rule after `after`; null if there is none. */
export const nextAfter = (userId: number, rule: string, startsOn: string, after: string, tries = 1): Promise<string | null> =>
  ask(userId, { rule, startsOn, after }, tries);

/** The latest date of the rule after `after` and not after `today`; null if there is none. */
export const latestBetween = (
  userId: number,
  rule: string,
  startsOn: string,
  { after, today }: { after: string; today: string },
  tries = 1,
): Promise<string | null> => ask(userId, { rule, startsOn, after, today }, tries);
