/** Checking a password's strength on a busy machine (behaviour §12.11). */
import { mock } from 'node:test';
import { requireStrong } from '../../src/accounts/password.ts';
import { InvalidRequest } from '../../src/values/errors.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

test('a single password is checked however long the thread takes to start', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  const strong = requireStrong('lantern over quiet water', ['Ana'], ['password']);
  const weak = requireStrong('password1234', ['Ana'], ['password']);
  // The thread has not loaded yet.
  mock.timers.tick(60_000);
  await t.notThrowsAsync(strong);
  await t.throwsAsync(weak, { instanceOf: InvalidRequest });
});
