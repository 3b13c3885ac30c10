/** A helper thread that answers questions, or fails in a chosen way. */
import { InvalidRequest } from '../../src/values/errors.ts';
import { answerQuestions } from '../../src/values/helperThread.ts';
import { threadMs } from '../../src/values/meter.ts';

const kept: string[][] = [];

let asked = 0;

/** `begun` and `answered`: flags in shared memory, by index. The thread waits for the first one, and sets the second one after its answer. */
export const flags = { begun: 0, answered: 1 };

function answerDuring(flagged: Int32Array): string {
  Atomics.wait(flagged, flags.begun, 0);
  setImmediate(() => {
    Atomics.store(flagged, flags.answered, 1);
    Atomics.notify(flagged, flags.answered);
  });
  return 'answered';
}

answerQuestions((question: string | Int32Array) => {
  if (typeof question !== 'string') return answerDuring(question);
  if (question === 'count') return String(++asked);
  while (question === 'forever');
  while (question === 'memory') kept.push(Array.from({ length: 10_000 }, (_, n) => `text ${n}`));
  if (question === 'busy') for (const end = threadMs() + 40; threadMs() < end; );
  if (question === 'fail') throw new Error('failed');
  if (question === 'refuse') throw new InvalidRequest(['html'], 'is wrong.');
  return question;
});
