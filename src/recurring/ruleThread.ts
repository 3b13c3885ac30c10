import { answerQuestions } from '../values/helperThread.ts';
import { latestBetween, nextAfter } from './expand.ts';
import type { Question } from './ruleDates.ts';

answerQuestions(({ rule, startsOn, after, today }: Question) =>
  today === undefined ? nextAfter(rule, startsOn, after) : latestBetween(rule, startsOn, after, today),
);
