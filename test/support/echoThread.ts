/** A helper thread that answers questions, or fails in a chosen way. */
import { InvalidRequest } from '../../src/values/errors.ts';
import { answerQuestions } from '../../src/values/helperThread.ts';
import { threadMs } from '../../src/values/meter.ts';

const kept: string[][] = [];

answerQuestions((question: string) => {
  while (question === 'forever');
  while (question === 'memory') kept.push(Array.from({ length: 10_000 }, (_, n) => `text ${n}`));
  if (question === 'busy') for (const end = threadMs() + 40; threadMs() < end; );
  if (question === 'fail') throw new Error('failed');
  if (question === 'refuse') throw new InvalidRequest(['html'], 'is wrong.');
  return question;
});
