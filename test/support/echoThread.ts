/** A helper thread that answers questions, or fails in a chosen way. */
import { answerQuestions } from '../../src/values/helperThread.ts';

const kept: string[][] = [];

answerQuestions((question: string) => {
  while (question === 'forever');
  while (question === 'memory') kept.push(Array.from({ length: 10_000 }, (_, n) => `text ${n}`));
  if (question === 'fail') throw new Error('failed');
  return question;
});
