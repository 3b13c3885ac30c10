/** Threads for work that would block the event loop, and their limits (behaviour §13.19, §13.20). */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { SharedThread } from '../../src/access/throttle/sharedThread.ts';
import { InvalidRequest } from '../../src/values/errors.ts';
import { HelperThread, ThreadEnded, TooExpensive, withinLimits } from '../../src/values/helperThread.ts';
import { meteredBy } from '../../src/values/meter.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const entry = new URL('../support/echoThread.ts', import.meta.url);
const limits = { heapMb: 32, answerMs: 60_000, idleMs: 1_000 };

test('a question that takes too long ends the thread, and the next question starts another', async (t) => {
  const thread = new HelperThread<string, string>(entry, { ...limits, answerMs: 100 });
  t.is(await thread.ask('a'), 'a');
  const [slow, innocent] = await Promise.allSettled([thread.ask('forever'), thread.ask('waits')]);
  t.like(slow, { reason: { limit: 'deadline', message: 'The helper thread exceeded its deadline.' } });
  t.like(innocent, { reason: { limit: null } });
  t.is(await thread.ask('b'), 'b');
  t.is(thread.waiting, 0);
});

test('a thread that fails or exceeds its memory rejects its questions, with the cause', async (t) => {
  const thread = new HelperThread<string, string>(entry, limits);
  const failed = await t.throwsAsync(thread.ask('fail'), { instanceOf: ThreadEnded });
  t.is((failed.cause as Error).message, 'failed');
  t.is(failed.limit, null);
  const full = await t.throwsAsync(thread.ask('memory'), { instanceOf: ThreadEnded });
  t.is((full.cause as NodeJS.ErrnoException).code, 'ERR_WORKER_OUT_OF_MEMORY');
  t.is(full.limit, 'heap');
});

test('an answer that took more CPU than the deadline is refused, however late the clock rings', async (t) => {
  const thread = new HelperThread<string, string>(entry, { ...limits, answerMs: 30 });
  const late = t.throwsAsync(thread.ask('busy'), { instanceOf: ThreadEnded });
  t.is((await late).limit, 'deadline');
});

test('an answer that arrived while a turn of the event loop was blocked is not too late', async (t) => {
  const answerMs = 50;
  const thread = new HelperThread<string | Int32Array, string>(entry, { ...limits, answerMs });
  await thread.ask('a');
  const clocks = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  const before = clocks();
  const flagged = new Int32Array(new SharedArrayBuffer(8));
  const answer = thread.ask(flagged);
  // The thread has begun when the clock of the question runs.
  while (clocks() === before) await nextTurn();
  const begun = performance.now();
  Atomics.store(flagged, 0, 1);
  Atomics.notify(flagged, 0);
  Atomics.wait(flagged, 1, 0);
  while (performance.now() < begun + 2 * answerMs);
  t.is(await answer, 'answered');
});

test('a thread is not idle within a task, as while the task waits for the database', async (t) => {
  const thread = new HelperThread<string, string>(entry, { ...limits, idleMs: 1 });
  // Set after the clock of the idle thread, so it rings after it.
  const later = () => sleep(1);
  thread.beginTask();
  t.is(await thread.ask('count'), '1');
  await later();
  t.is(await thread.ask('count'), '2');
  thread.endTask();
  await later();
  t.is(await thread.ask('count'), '1', 'another thread');
});

test('the thread refuses wrong input with the faults of the input, and answers the next question', async (t) => {
  const thread = new HelperThread<string, string>(entry, limits);
  const refused = await t.throwsAsync(thread.ask('refuse'), { instanceOf: InvalidRequest, message: 'html: is wrong.' });
  t.deepEqual(refused.faults, [{ path: ['html'], whatToDo: 'is wrong.' }]);
  t.is(await thread.ask('a'), 'a');
});

test('the CPU time of the thread is charged to the person for whom it works, and also that of a question that ends it', async (t) => {
  const thread = new HelperThread<string, string>(entry, limits);
  const charged: number[] = [];
  const payer = { charge() {}, chargeThread: (ms: number) => void charged.push(ms), turn: async () => {} };
  await meteredBy(payer, () => thread.ask('busy'));
  t.true(charged.length === 1 && charged[0]! >= 40);
  await t.throwsAsync(meteredBy(payer, () => thread.ask('memory')));
  t.true(charged.length === 2 && charged[1]! > 0);
});

test('work is refused when the thread exceeds a limit as often as it is tried; other failures are not tried again', async (t) => {
  const problem = { path: ['rule'], deadline: 'takes too long.', heap: 'takes too much memory.' };
  let tried = 0;
  const ends = (limit: ThreadEnded['limit'], times: number) => async () => {
    if (++tried <= times) throw new ThreadEnded(limit);
    return 'done';
  };
  t.is(await withinLimits({ ...problem, tries: 2 }, ends('deadline', 1)), 'done');
  for (const [limit, message] of [
    ['deadline', 'rule: takes too long.'],
    ['heap', 'rule: takes too much memory.'],
  ] as const) {
    tried = 0;
    await t.throwsAsync(withinLimits({ ...problem, tries: 2 }, ends(limit, 9)), { instanceOf: TooExpensive, message });
    t.is(tried, 2);
  }
  tried = 0;
  await t.throwsAsync(withinLimits({ ...problem, tries: 2 }, ends(null, 9)), { instanceOf: ThreadEnded });
  t.is(tried, 1);
});

test('people take turns on a shared thread: hostile questions of one person delay another by one question', async (t) => {
  const thread = new SharedThread<string, string>(entry, { ...limits, answerMs: 50 });
  const order: string[] = [];
  const ask = (line: string, question: string) =>
    thread.ask(line, question).then(
      () => void order.push(line),
      () => void order.push(`${line} refused`),
    );
  await Promise.all([ask('eve', 'forever'), ask('eve', 'forever'), ask('eve', 'forever'), ask('ana', 'a')]);
  t.true(order.indexOf('ana') <= 2, order.join(', '));
  t.is(order.filter((one) => one === 'eve refused').length, 3);
});
