/** Four concurrent operations per credential. An answer that its client has not received counts as one. */
import { randomBytes } from 'node:crypto';
import type { Caller } from '../../../src/access/caller.ts';
import { holdSlot, withoutSlot, withSlot } from '../../../src/access/throttle/concurrency.ts';
import { Unavailable } from '../../../src/values/errors.ts';
import { passTime } from '../../support/stoppedClock.ts';
import { suite } from '../../support/suite.ts';

const test = suite(import.meta.url);

const AT_ONCE = 4;
const CONNECTIONS = 10;
const newCaller = (): Caller => ({ kind: 'agent', hash: randomBytes(32) });

/** Work that ends on request, and counts how much has started. */
function pile(caller: Caller, searches = false) {
  const begun: (() => void)[] = [];
  const add = (count: number) =>
    Array.from({ length: count }, () =>
      withSlot(caller, CONNECTIONS, () => new Promise<void>((resolve) => begun.push(resolve)), { searches }),
    );
  const end = async (n: number) => {
    begun[n]!();
    await new Promise(setImmediate);
  };
  return { begun, add, end };
}

test('a credential runs four operations at once; the fifth waits for a free slot', async (t) => {
  const { begun, add, end } = pile(newCaller());
  const all = add(AT_ONCE + 2);
  await new Promise(setImmediate);
  t.is(begun.length, AT_ONCE);
  await end(0);
  t.is(begun.length, AT_ONCE + 1);
  for (let n = 1; n < AT_ONCE + 2; n++) await end(n);
  await Promise.all(all);
});

test('all sessions of one user share four slots; each key has four of its own', async (t) => {
  const session = () => pile({ kind: 'session', hash: randomBytes(32), owner: { accountId: 1, userId: 7 } });
  const key = () => pile({ kind: 'key', hash: randomBytes(32) });
  const sessions = Array.from({ length: 12 }, session);
  const keys = [key(), key()];
  for (const { add } of [...sessions, ...keys]) add(AT_ONCE);
  await new Promise(setImmediate);
  t.is(sessions.flatMap(({ begun }) => begun).length, AT_ONCE);
  t.deepEqual(
    keys.map(({ begun }) => begun.length),
    [AT_ONCE, AT_ONCE],
  );
});

test('with all keys, agents and sessions a person uses half of the connections, and an account all but one', async (t) => {
  const pileOf = (userId: number, kind: 'key' | 'agent' | 'session') =>
    pile({ kind, hash: randomBytes(32), owner: { accountId: 3, userId } });
  const piles = [1, 2, 3].map((userId) => (['key', 'key', 'agent', 'session'] as const).map((kind) => pileOf(userId, kind)));
  for (const { add } of piles.flat()) add(AT_ONCE);
  await new Promise(setImmediate);
  const begun = piles.map((ofPerson) => ofPerson.flatMap((one) => one.begun).length);
  t.deepEqual(begun, [CONNECTIONS / 2, CONNECTIONS - 1 - CONNECTIONS / 2, 0]);
  const foreign = pile({ kind: 'agent', hash: randomBytes(32), owner: { accountId: 4, userId: 9 } });
  foreign.add(1);
  await new Promise(setImmediate);
  t.is(foreign.begun.length, 1);
  await piles[0]![0]!.end(0);
  t.is(piles.flat().flatMap((one) => one.begun).length, CONNECTIONS);
});

test('with all credentials a person searches twice at once; other operations and people pass searches that wait', async (t) => {
  const callerOf = (userId: number): Caller => ({ kind: 'agent', hash: randomBytes(32), owner: { accountId: 5, userId } });
  const callers = Array.from({ length: 8 }, () => callerOf(11));
  const searches = callers.map((caller) => pile(caller, true));
  const all = searches.flatMap(({ add }) => add(AT_ONCE));
  const begun = () => searches.reduce((sum, one) => sum + one.begun.length, 0);
  await new Promise(setImmediate);
  t.is(begun(), 2);
  for (const other of [pile(callers[0]!), pile(callers[7]!), pile(callerOf(12), true)]) {
    void other.add(1);
    await new Promise(setImmediate);
    t.is(other.begun.length, 1);
    await other.end(0);
  }
  await searches[0]!.end(0);
  t.is(begun(), 3);
  for (const one of searches) for (let n = 0; n < AT_ONCE; n++) await one.end(n);
  await Promise.all(all);
});

test('an operation that waits for another process frees its slot, and takes one again before it continues', async (t) => {
  const caller = newCaller();
  const [other, done] = [pile(caller), Promise.withResolvers<void>()];
  let went = 0;
  const waiting = Array.from({ length: AT_ONCE }, () =>
    withSlot(caller, CONNECTIONS, async () => {
      await Promise.all([withoutSlot(done.promise), withoutSlot(Promise.resolve())]);
      went++;
    }),
  );
  await new Promise(setImmediate);
  other.add(AT_ONCE + 1);
  await new Promise(setImmediate);
  t.is(other.begun.length, AT_ONCE);
  done.resolve();
  await new Promise(setImmediate);
  t.is(went, 0);
  for (let n = 0; n <= AT_ONCE; n++) await other.end(n);
  await Promise.all(waiting);
  t.is(went, AT_ONCE);
});

test('a wait that outlives its operation takes no slot', async (t) => {
  const caller = newCaller();
  const late = Promise.withResolvers<void>();
  let left: Promise<void> | undefined;
  await withSlot(caller, CONNECTIONS, async () => {
    left = withoutSlot(late.promise);
  });
  late.resolve();
  await left;
  const { begun, add } = pile(caller);
  add(AT_ONCE);
  await new Promise(setImmediate);
  t.is(begun.length, AT_ONCE);
});

test('one credential never waits for another of another person', async (t) => {
  pile(newCaller()).add(2 * AT_ONCE);
  const other = pile(newCaller());
  other.add(1);
  await new Promise(setImmediate);
  t.is(other.begun.length, 1);
});

test('an unread answer holds its slot until it is dropped', async (t) => {
  const caller = newCaller();
  const giveBack = Array.from({ length: AT_ONCE }, () => holdSlot(caller));
  const { begun, add, end } = pile(caller);
  const all = add(2);
  await new Promise(setImmediate);
  t.is(begun.length, 0);
  giveBack[0]!();
  await new Promise(setImmediate);
  t.is(begun.length, 1);
  await end(0);
  t.is(begun.length, 2);
  await end(1);
  await Promise.all(all);
});

test('answers over the limit wait for a slot, too', async (t) => {
  const caller = newCaller();
  const giveBack = Array.from({ length: 2 * AT_ONCE }, () => holdSlot(caller));
  const { begun, add } = pile(caller);
  add(1);
  for (let n = 0; n < AT_ONCE; n++) giveBack[n]!();
  await new Promise(setImmediate);
  t.is(begun.length, 0);
  giveBack[AT_ONCE]!();
  await new Promise(setImmediate);
  t.is(begun.length, 1);
});

test('failed work frees its slot', async (t) => {
  const caller = newCaller();
  const failing = Array.from({ length: 3 * AT_ONCE }, () => withSlot(caller, CONNECTIONS, () => Promise.reject(new Error('No.'))));
  for (const each of failing) await t.throwsAsync(each, { message: 'No.' });
  t.is(await withSlot(caller, CONNECTIONS, async () => 'done'), 'done');
});

test('work whose client has disconnected is not started when its slot is free', async (t) => {
  const caller = newCaller();
  const { add, end } = pile(caller);
  const all = add(AT_ONCE);
  let wanted = true;
  let begun = false;
  const late = withSlot(
    caller,
    CONNECTIONS,
    async () => {
      begun = true;
    },
    { wanted: () => wanted },
  );
  wanted = false;
  await new Promise(setImmediate);
  await end(0);
  await t.throwsAsync(late, { message: /not available|unavailable|try again/i });
  t.false(begun);
  for (let n = 1; n < AT_ONCE; n++) await end(n);
  await Promise.all(all);
});

test('work whose slot is free only after ten seconds, when its request has been answered, is not started', async (t) => {
  const caller = newCaller();
  const { add, end } = pile(caller);
  const all = add(AT_ONCE);
  let begun = 0;
  const late = withSlot(caller, CONNECTIONS, async () => ++begun);
  await new Promise(setImmediate);
  passTime(2_000);
  const inTime = withSlot(caller, CONNECTIONS, async () => ++begun);
  passTime(8_500);
  await end(0);
  await t.throwsAsync(late, { instanceOf: Unavailable });
  t.is(await inTime, 1);
  for (let n = 1; n < AT_ONCE; n++) await end(n);
  await Promise.all(all);
});
