/** Threads for work that would block the event loop. */
import { HelperThread } from '../../src/values/helperThread.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const entry = new URL('../support/echoThread.ts', import.meta.url);

test('a question that takes too long ends the thread, and the next question starts another', async (t) => {
  const thread = new HelperThread<string, string>(entry, { heapMb: 32, answerMs: 100, idleMs: 1_000 });
  t.is(await thread.ask('a'), 'a');
  await t.throwsAsync(thread.ask('forever'), { message: 'The helper thread has ended.' });
  t.is(await thread.ask('b'), 'b');
  t.is(thread.waiting, 0);
});

test('a thread that fails or exceeds its memory rejects its questions, with the cause', async (t) => {
  const thread = new HelperThread<string, string>(entry, { heapMb: 32, answerMs: 60_000, idleMs: 1_000 });
  const failed = await t.throwsAsync(thread.ask('fail'));
  t.is((failed.cause as Error).message, 'failed');
  const full = await t.throwsAsync(thread.ask('memory'));
  t.is((full.cause as NodeJS.ErrnoException).code, 'ERR_WORKER_OUT_OF_MEMORY');
});
